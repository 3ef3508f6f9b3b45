import Foundation
import Glibc

/// `gnutls-cli` on its way through a proxy.
enum GnuTLSClient {
    /// Starts it: it speaks CONNECT in the clear, then starts TLS at a signal, as with `--starttls`.
    static func start(
        to host: String, through port: Int, trusting file: String, _ options: [String] = []
    ) async throws -> ChildProcess {
        let client = try RealClient.gnutls.start(
            [
                "--starttls", "--port", "\(port)", "--x509cafile", file, "--verify-hostname", host,
                "--sni-hostname", host,
            ] + options + ["127.0.0.1"], input: .test)
        try client.write("CONNECT \(host):443 HTTP/1.1\r\n\r\n")
        _ = try await client.wait(for: "the answer to CONNECT") {
            $0.outputText.contains("200 Connection") ? $0 : nil
        }
        client.signal(SIGALRM)
        return client
    }

    /// Fetches the front page of a host, unless the handshake fails; returns what was printed.
    static func fetch(
        _ host: String, through port: Int, trusting file: String, _ options: [String] = []
    ) async throws -> ChildProcess.Progress {
        let client = try await start(to: host, through: port, trusting: file, options)
        let isConnected = try await client.wait(for: "the handshake") { progress in
            progress.outputText.contains("- Options:") ? true : progress.ending == nil ? nil : false
        }
        if isConnected { try client.write("GET / HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n") }
        return try await client.end()
    }
}
