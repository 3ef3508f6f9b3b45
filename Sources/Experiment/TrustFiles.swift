package import Crypto
internal import Foundation

/// The files that tell the command whom to trust: all public, in a folder of the experiment's own.
package struct TrustFiles: Sendable {
    /// The files of a phase.
    struct Names: Sendable {
        let bundle: String
        let javaStore: String
    }

    /// For every phase but the trusted one.
    let ordinary: Names
    /// With the CA that the command is given.
    let trusted: Names
    /// A folder with nothing in it.
    let emptyFolder: String
    /// Java's own, which its programs expect; it protects against damage, not against readers.
    static let password = "changeit"

    /// Writes the files.
    ///
    /// - Parameters:
    ///   - folder: Where they go; it exists, and is private.
    ///   - system: What the system trusts, in PEM.
    ///   - additions: Further CAs that origins may use.
    ///   - authority: The CA that the command is given in the trusted phase.
    /// - Throws: What keeps them from being written, or `OpenSSLError` if the system's certificates cannot be read.
    package init(in folder: String, system: [UInt8], additions: [Certificate], authority: Certificate) throws {
        emptyFolder = folder + "/none"
        try FileManager.default.createDirectory(atPath: emptyFolder, withIntermediateDirectories: false)
        let roots = try Certificate.pem(system) + additions
        ordinary = try Self.write(roots, "\(folder)/roots")
        trusted = try Self.write(roots + [authority], "\(folder)/roots-and-ca")
    }

    private static func write(_ certificates: [Certificate], _ path: String) throws -> Names {
        let names = Names(bundle: path + ".pem", javaStore: path + ".p12")
        // Written anew from what was read: comments of a system's bundle confuse some clients.
        try Data(certificates.map(\.pem).joined().utf8).write(to: URL(filePath: names.bundle))
        let listed = certificates.enumerated().map { (alias: "root-\($0.offset)", $0.element) }
        try Data(PKCS12Writer.javaTrustStore(listed, password: Array(password.utf8)))
            .write(to: URL(filePath: names.javaStore))
        return names
    }
}

/// Where systems keep what they trust, as one file.
package enum SystemRoots {
    /// Reads the system's bundle.
    ///
    /// - Parameter named: The file that `SSL_CERT_FILE` names, which stands for the system's own.
    /// - Returns: Its octets; none if there is no bundle.
    package static func read(named: String?) -> [UInt8] {
        let places = [named].compactMap { $0 }.filter { !$0.isEmpty } + usual
        return places.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first.map { [UInt8]($0) } ?? []
    }

    /// Debian and its like, Fedora and its like, SUSE, Alpine.
    private static let usual = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]
}
