import Crypto
import Foundation
import Pinning
import Testing
import Wire

/// What one server sends, and what curl is told of it: the files of a folder, and the words that stand for pins.
final class CurlSituation {
    let folder: Folder
    let server: TLSServer
    let host: String
    private let sent: [CertificateFacts]
    private var authorities: [String: [CertificateFacts]] = [:]
    private var words: [(String, String)] = []

    init(sending sent: [Certificate], key: PrivateKey, host: String = "api.oracle.test") throws {
        folder = try Folder()
        server = try TLSServer(sending: sent, key: key, in: folder)
        self.host = host
        self.sent = sent.facts
        name("P", sent[0].spkiSHA256)
        name("Q", Digest.sha256(Array("another key".utf8)))
    }

    /// The Base64 of the digest of the server's key.
    var pinText: String { words[0].1 }

    /// Lets `{word}` stand for the Base64 of a digest.
    func name(_ word: String, _ digest: [UInt8]) {
        words.append(("{\(word)}", Data(digest).base64EncodedString()))
    }

    /// Makes a file for `--cacert`.
    func trust(_ name: String, _ certificates: [Certificate]) throws {
        try folder.write(name, certificates)
        authorities[name] = certificates.facts
    }

    /// A case with its words spelled out.
    private func pin(of row: CurlCase) -> String? {
        row.pin.map { pin in words.reduce(pin) { $0.replacing($1.0, with: $1.1) } }
    }

    /// The exit status of curl itself.
    func status(_ row: CurlCase) throws -> Int32 {
        var arguments = ["-q", "-s", "-o", "/dev/null", "--max-time", "30", "--noproxy", "*"]
        arguments += ["--connect-to", "::127.0.0.1:\(server.port)"]
        // Or the system's certificates would count besides.
        arguments += ["--capath", "/nonexistent", "--cacert", row.authorities]
        if row.isInsecure { arguments.append("-k") }
        if let pin = pin(of: row) { arguments += ["--pinnedpubkey", pin] }
        return try folder.run(.curl, arguments + ["https://\(host)/"]).status
    }

    /// The exit status that follows from Pinproof's verdict.
    func emulatedStatus(_ row: CurlCase) throws -> Int32? {
        let pin = pin(of: row).map {
            CurlPublicKeyPin($0, version: LibraryVersion(7, 88, 1)) { [folder] in folder.contents($0) }
        }
        let anchors: [CertificateFacts] = try #require(authorities[row.authorities])
        let policy = CurlPolicy(pin: pin, isInsecure: row.isInsecure, authorities: anchors)
        let server = ServerTrust(sent: sent, host: HostName(host), spelling: host, time: now)
        let verdict = policy.evaluate(server, using: PathBuilder(platform: try TrustStore(anchors: [])))
        switch (verdict.decision, verdict.reason.kind) {
        case (.accept, _): return 0
        case (.reject, .chainInvalid), (.reject, .hostMismatch): return 60
        case (.reject, .leafKeyNotPinned): return 90
        default: return nil
        }
    }

    /// Compares what was written down with curl and with Pinproof.
    func compare(_ rows: [CurlCase], _ name: String) throws {
        for row in rows {
            #expect(try status(row) == row.status, "curl: \(name), \(row)")
            #expect(try emulatedStatus(row) == row.status, "Pinproof: \(name), \(row)")
        }
    }
}

/// One call of curl and its exit status: 0, 60 for the certificate, 90 for the pin.
struct CurlCase {
    /// `--pinnedpubkey`, in which `{P}` stands for the Base64 of the key's digest.
    var pin: String?
    /// `-k`.
    var isInsecure = false
    /// `--cacert`.
    var authorities = "root.pem"
    let status: Int32

    init(_ pin: String?, insecure: Bool = false, authorities: String = "root.pem", _ status: Int32) {
        self.pin = pin
        isInsecure = insecure
        self.authorities = authorities
        self.status = status
    }

    /// A call without a pin.
    init(insecure: Bool = false, authorities: String = "root.pem", _ status: Int32) {
        self.init(nil, insecure: insecure, authorities: authorities, status)
    }

    /// A certificate that curl refuses whatever is pinned, and what remains of that with `-k`.
    static let refused = [
        CurlCase(60), CurlCase("sha256//{P}", 60), CurlCase("sha256//{Q}", 60), CurlCase(insecure: true, 0),
        CurlCase("sha256//{P}", insecure: true, 0), CurlCase("sha256//{Q}", insecure: true, 90),
    ]
    /// A certificate that curl takes.
    static let taken = [
        CurlCase(0), CurlCase("sha256//{P}", 0), CurlCase("sha256//{Q}", 90), CurlCase(insecure: true, 0),
        CurlCase("sha256//{P}", insecure: true, 0), CurlCase("sha256//{Q}", insecure: true, 90),
    ]
}
