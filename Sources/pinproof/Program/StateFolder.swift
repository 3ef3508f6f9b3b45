internal import Authority
internal import Glibc

/// The folder in which the local CA is kept from run to run.
struct StateFolder: Equatable {
    /// Its path.
    let path: String
    /// What names it on a command line; empty for the usual one.
    let arguments: String

    /// The folder that `--state` names; without it the usual one (XDG Base Directory Specification).
    ///
    /// - Parameters:
    ///   - given: The value of `--state`, if there is one.
    ///   - variable: Reads an environment variable.
    /// - Throws: `CommandError` if nothing says where the user's folders are.
    init(
        _ given: String?,
        variable: (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) throws(CommandError) {
        arguments = given.map { " --state \($0.shellWord)" } ?? ""
        if let given {
            path = given
        } else if let states = variable("XDG_STATE_HOME"), states.hasPrefix("/") {
            // The specification asks to ignore relative paths, and the empty one.
            path = states + "/pinproof"
        } else if let home = variable("HOME"), !home.isEmpty {
            path = home + "/.local/state/pinproof"
        } else {
            throw CommandError("no folder for the local CA", at: "HOME is not set", mend: "name one with --state DIR")
        }
    }

    /// The CA's certificate.
    var certificate: String { "\(path)/\(CertificateAuthority.FileName.certificate)" }
    /// The CA's key.
    var key: String { "\(path)/\(CertificateAuthority.FileName.key)" }

    /// Says how to make a CA if there is none, or only half of one.
    func expectAuthority() throws(CommandError) {
        guard Files.exists(certificate) else {
            guard !Files.exists(key) else {
                throw CommandError(
                    "the local CA has a key and no certificate", at: key,
                    mend: "put its \(CertificateAuthority.FileName.certificate) back, or move the key away and make "
                        + "a new CA with: pinproof ca init\(arguments)")
            }
            throw CommandError("no local CA", at: path, mend: "make one with: pinproof ca init\(arguments)")
        }
    }
}

extension String {
    /// The text as one word of a shell command.
    fileprivate var shellWord: String {
        let isPlain = !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
        return isPlain
            ? self : "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
