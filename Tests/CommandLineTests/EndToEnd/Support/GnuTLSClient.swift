import Foundation
import Glibc

/// `gnutls-cli` on its way through a proxy.
enum GnuTLSClient {
    /// Starts it: it speaks CONNECT in the clear, then starts TLS at a signal, as with `--starttls`.
    static func start(to host: String, through port: Int, trusting file: String) async throws -> ChildProcess {
        let client = try RealClient.gnutls.start(
            [
                "--starttls", "--port", "\(port)", "--x509cafile", file, "--verify-hostname", host,
                "--sni-hostname", host, "127.0.0.1",
            ], input: .test)
        try client.write("CONNECT \(host):443 HTTP/1.1\r\n\r\n")
        _ = try await client.wait(for: "the answer to CONNECT") {
            $0.outputText.contains("200 Connection") ? $0 : nil
        }
        client.signal(SIGALRM)
        return client
    }
}
