internal import Pinning

/// Reads the folders of certificates that profiles name, each as the library would load its bundle (C35).
///
/// Each file is told: loaded, or refused and why. What is refused is never as good as not pinned, because the policy of
/// a library without usable pins says so itself.
final class CertificateFolders {
    /// What loads them.
    enum Library {
        case afNetworking
        case alamofire

        func loads(fileNamed name: String) -> Bool {
            switch self {
            case .afNetworking: AFSecurityPolicy.loads(fileNamed: name)
            case .alamofire: AlamofireBundle.loads(fileNamed: name)
            }
        }

        var rule: String {
            switch self {
            case .afNetworking: "AFNetworking loads *.cer only"
            case .alamofire: "Alamofire loads *.cer, *.crt and *.der only, in lower or in upper case"
            }
        }
    }

    private let context: LoadingContext
    private var read: [String: [CertificatePin]] = [:]

    init(_ context: LoadingContext) { self.context = context }

    /// The pins of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder, as the profile names it.
    ///   - library: What loads it.
    ///   - place: Where the profile names it.
    /// - Returns: The pins; AFNetworking keeps files of the right name that are no certificates, and others do not.
    /// - Throws: That there is no such folder.
    func pins(
        in folder: String, of library: Library, at place: PolicyFileError.Place
    ) throws(PolicyFileError) -> [CertificatePin] {
        if let pins = read[folder] { return pins }
        guard let names = context.resources.names(in: folder) else {
            throw context.error("there is no folder \(folder.quoted)", at: place)
        }
        var pins: [CertificatePin] = []
        for name in names {
            let path = folder.hasSuffix("/") || folder.isEmpty ? folder + name : folder + "/" + name
            if let pin = pin(path, name, library, at: place) { pins.append(pin) }
        }
        if names.isEmpty { context.remark("the folder \(folder.quoted) is empty", at: place) }
        read[folder] = pins
        return pins
    }

    private func pin(
        _ path: String, _ name: String, _ library: Library, at place: PolicyFileError.Place
    ) -> CertificatePin? {
        guard library.loads(fileNamed: name) else {
            context.remark("\(name.quoted) is not loaded: \(library.rule)", at: place)
            return nil
        }
        guard let contents = context.resources.contents(of: path) else {
            context.remark("\(name.quoted) is refused: it cannot be read", at: place)
            return nil
        }
        let kind = CertificateFileKind(contents, resources: context.resources)
        switch kind {
        case .certificate(let certificate):
            context.remark("\(name.quoted) is loaded (1 certificate)", at: place)
            return CertificatePin(name: name, certificate: certificate)
        case .other(let reason):
            context.remark("\(name.quoted) is refused: \(reason)", at: place)
            return library == .afNetworking ? CertificatePin(name: name, certificate: nil) : nil
        }
    }
}
