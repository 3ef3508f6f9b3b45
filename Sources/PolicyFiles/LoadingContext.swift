/// What the loaders of all formats share: the file's name, what lies beside it, and the remarks as they come up.
///
/// **Thread:** lives as long as one file is loaded, on one thread.
final class LoadingContext {
    /// The file's name, for errors.
    let file: String
    let resources: any PolicyResources
    private(set) var remarks: [PolicyFile.Remark] = []

    init(file: String, resources: any PolicyResources) {
        self.file = file
        self.resources = resources
    }

    /// Notes something that the library says nothing of.
    func remark(_ text: String, at place: PolicyFileError.Place = .file) {
        remarks.append(PolicyFile.Remark(text, at: whole(place)))
    }

    /// An error of this file.
    func error(_ reason: String, at place: PolicyFileError.Place = .file, mend: String? = nil) -> PolicyFileError {
        PolicyFileError(reason, in: file, at: whole(place), mend: mend)
    }

    /// The outermost value is the file.
    private func whole(_ place: PolicyFileError.Place) -> PolicyFileError.Place { place == .key([]) ? .file : place }
}
