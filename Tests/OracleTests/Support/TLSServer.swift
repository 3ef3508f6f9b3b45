import Crypto
import Foundation
import Testing

/// `openssl s_server` on a free port of the loopback interface.
///
/// **Ownership:** ends the process, by its id, with the last use.
final class TLSServer {
    let port: Int
    private let id: pid_t
    private let output: UnsafeMutablePointer<FILE>

    /// Starts it.
    ///
    /// - Parameters:
    ///   - sent: What it sends, leaf first.
    ///   - key: The leaf's key.
    ///   - folder: Where its files are put.
    /// - Throws: `Silent`, or what putting the files there throws.
    init(sending sent: [Certificate], key: PrivateKey, in folder: Folder) throws {
        try folder.write("server.pem", Array(sent.prefix(1)))
        try folder.write("server-chain.pem", Array(sent.dropFirst()))
        try folder.write("server.key", key.pem())
        let chain = sent.count > 1 ? ["-cert_chain", "server-chain.pem"] : []
        output = try folder.startNamed(
            .openssl,
            [
                // What it is to send, as it stands, weak or not.
                "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", "server.pem", "-key", "server.key",
                "-cipher", "DEFAULT@SECLEVEL=0",
            ] + chain)
        guard let id = Self.line(output).flatMap(pid_t.init) else {
            pclose(output)
            throw Silent()
        }
        var port: Int?
        while port == nil, let line = Self.line(output) {
            if line.hasPrefix("ACCEPT") { port = line.split(separator: ":").last.flatMap { Int($0) } }
        }
        guard let port else {
            pclose(output)
            throw Silent()
        }
        self.id = id
        self.port = port
    }

    deinit {
        kill(id, SIGTERM)
        pclose(output)
    }

    /// It ended before it said where it listens.
    struct Silent: Error {}

    private static func line(_ stream: UnsafeMutablePointer<FILE>) -> String? {
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF {
            if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
        return nil
    }
}
