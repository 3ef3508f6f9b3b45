/// What Alamofire finds about a server besides what its platform says.
public enum AlamofireFinding: Hashable, Sendable {
    /// The host has no entry in the session's map, whose keys are compared letter by letter; nil if it is not known.
    case hostNotMapped(String?)
    /// The session has no map of hosts at all.
    case noManager
    /// The app's own closure decided.
    case closure(accepts: Bool)
    /// A certificate of the path has been revoked.
    case revoked
    /// Nobody said whether the path has been revoked, and the app wants to know.
    case revocationUnanswered
    /// Nobody said whether the path has been revoked, which passes.
    case revocationUnknown
    /// An evaluation that the release does not have yet.
    case notInRelease(String, since: LibraryVersion)
}

extension AlamofireFinding: CustomStringConvertible {
    /// The finding in one line.
    public var description: String {
        switch self {
        case .hostNotMapped(let host): "no evaluation is configured for \(host ?? "an unknown host")"
        case .noManager: "no evaluation is configured for any host: the platform decides"
        case .closure(accepts: true): "the app's own closure accepts the server"
        case .closure(accepts: false): "the app's own closure refuses the server"
        case .revoked: "a certificate of the path has been revoked"
        case .revocationUnanswered: "nobody says whether the path has been revoked, and an answer is required"
        case .revocationUnknown: "the chain is valid; nobody says whether it has been revoked, which passes"
        case .notInRelease(let name, let since): "\(name) is not in this release but came with \(since)"
        }
    }
}

/// What Alamofire takes from a bundle by itself, in both of its generations (PS-2.1).
public enum AlamofireBundle {
    /// Whether the library finds a file as a pin: `.cer`, `.crt` or `.der`, all in lower or all in upper case.
    ///
    /// - Parameter name: The file's name.
    /// - Returns: Whether it is read. What is in it must be one certificate in DER, or it is skipped.
    public static func loads(fileNamed name: String) -> Bool {
        [".cer", ".CER", ".crt", ".CRT", ".der", ".DER"].contains { name.hasSuffix($0) }
    }
}
