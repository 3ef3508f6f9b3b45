/// A policy's file, read.
public struct PolicyFile: Sendable {
    /// Something that the file's owner should know though the library says nothing of it.
    public struct Remark: Hashable, Sendable {
        /// Where.
        public let place: PolicyFileError.Place
        /// What, in one line.
        public let text: String

        /// Joins a remark and its place; the text is shortened and put into one line.
        public init(_ text: String, at place: PolicyFileError.Place = .file) {
            self.text = text.oneLine
            self.place = place
        }
    }

    /// The file's name.
    public let name: String
    /// Its format.
    public let format: PolicyFormat
    /// What its owner should know.
    public let remarks: [Remark]

    let policy: LoadedPolicy

    /// Larger files are no policies.
    public static let sizeLimit = 4 << 20

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - contents: What is in it.
    ///   - name: Its name, which says nothing of its format.
    ///   - format: The format to read it as; nil to recognise it by its contents.
    ///   - resources: What lies beside it.
    /// - Throws: What is wrong with it, and where.
    public init(
        _ contents: [UInt8], named name: String, as format: PolicyFormat? = nil, resources: any PolicyResources
    ) throws(PolicyFileError) {
        let context = LoadingContext(file: name, resources: resources)
        guard contents.count <= Self.sizeLimit else {
            throw context.error("it is longer than \(Self.sizeLimit >> 20) MiB")
        }
        let recognised: PolicyFormat
        if let format { recognised = format } else { recognised = try PolicyFormat(recognising: contents, context) }
        policy = try LoadedPolicy(contents, as: recognised, context)
        self.name = name
        self.format = recognised
        remarks = context.remarks
    }
}
