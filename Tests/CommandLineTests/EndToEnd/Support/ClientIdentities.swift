import Crypto
import Foundation
import Testing
import Wire

/// The files of one certificate that `pinproof ca issue` wrote.
struct IssuedFiles: Sendable {
    /// The path of all of them, without what their names end in.
    let stem: String

    var certificate: String { stem + ".pem" }
    var key: String { stem + ".key.pem" }
    var pkcs12: String { stem + ".p12" }

    func text(_ path: KeyPath<IssuedFiles, String>) throws -> String {
        try String(contentsOfFile: self[keyPath: path], encoding: .utf8)
    }

    /// The certificate's SHA-256, as events name it.
    func digest() throws -> String {
        Hex.encode(try #require(try Certificate.pem(Array(text(\.certificate).utf8)).first).sha256)
    }
}

/// Client certificates of two authorities, for origins that take those of one only.
final class ClientIdentities: Sendable {
    /// CN=Clients, which origins ask for.
    let authority: IssuedFiles
    /// CN=Strangers, which they do not know.
    let otherAuthority: IssuedFiles
    /// CN=app and CN=second, issued by CN=Clients.
    let app, second: IssuedFiles
    /// CN=stranger, issued by CN=Strangers.
    let stranger: IssuedFiles

    init(in folder: String) throws {
        authority = try Self.issue("clients", in: folder, "--root", "--subject", "CN=Clients")
        otherAuthority = try Self.issue("strangers", in: folder, "--root", "--subject", "CN=Strangers")
        app = try Self.issue("app", in: folder, "--client", "app", by: authority)
        second = try Self.issue("second", in: folder, "--client", "second", by: authority)
        stranger = try Self.issue("stranger", in: folder, "--client", "stranger", by: otherAuthority)
    }

    /// Issues a certificate with further options; `password` is that of the PKCS#12 file.
    static func issue(
        _ name: String, in folder: String, _ options: String..., by authority: IssuedFiles? = nil,
        password: String? = nil
    ) throws -> IssuedFiles {
        let signing = authority.map { ["--ca", $0.certificate, "--ca-key", $0.key] } ?? []
        let made = try Executable.run(
            Executable.url,
            ["ca", "issue", "--out", folder, "--name", name] + options + signing
                + (password == nil ? [] : ["--password", "env:P12"]),
            environment: password.map { ["P12": $0] } ?? [:])
        try #require(made.code == 0, "\(made.error)")
        return IssuedFiles(stem: "\(folder)/\(name)")
    }
}
