import Foundation
import Testing

/// Servers that others wrote, which take no client without a certificate of an authority.
enum RealOrigin: String, CaseIterable {
    case openssl, nginx, java

    /// What its page says of a client with this common name.
    func sight(of name: String) -> String { self == .openssl ? "Subject: CN=\(name)\n" : "CN=\(name)\n" }

    /// A server that is running, as long as somebody refers to it.
    struct Running {
        let port: Int
        fileprivate let process: ChildProcess
        fileprivate let folder: TemporaryFolder
        fileprivate var reserved: UnservedPort?
    }

    /// Starts it with a certificate of its own, for one TLS version.
    func start(_ server: IssuedFiles, trusting authority: IssuedFiles, tls: String) async throws -> Running {
        let folder = try TemporaryFolder()
        switch self {
        case .openssl:
            let running = try await OpenSSLServer(
                Stage.IdentityFiles(certificate: server.certificate, key: server.key),
                [
                    "-www", "-CAfile", authority.certificate, "-Verify", "1", "-verify_return_error",
                    tls == "1.2" ? "-tls1_2" : "-tls1_3",
                ])
            return Running(port: running.port, process: running.process, folder: folder)
        case .nginx:
            // nginx takes no port 0, but takes over one that is reserved in a way that allows it.
            let reserved = try UnservedPort(mayBeTakenOver: true)
            let settings = Self.nginxSettings(server, authority, port: reserved.number, tls: tls, folder.path)
            let file = try folder.file("nginx.conf", Array(settings.utf8)).path
            let process = try RealClient.nginx.start(["-p", folder.path, "-c", file, "-e", "stderr"])
            // It says which system it runs on after it has begun to listen.
            _ = try await process.wait(for: "its start") { $0.errorText.contains("OS: Linux") ? true : nil }
            return Running(port: reserved.number, process: process, folder: folder, reserved: reserved)
        case .java:
            let source = try folder.file("Origin.java", Array(Self.javaProgram.utf8)).path
            let process = try RealClient.java.start([source, server.pkcs12, authority.certificate, "TLSv\(tls)"])
            let port = try await process.wait(for: "its port") { $0.lines.first.flatMap { Int($0) } }
            return Running(port: port, process: process, folder: folder)
        }
    }

    private static func nginxSettings(
        _ server: IssuedFiles, _ authority: IssuedFiles, port: Int, tls: String, _ folder: String
    ) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
        return """
            daemon off;
            master_process off;
            pid \(folder)/nginx.pid;
            error_log stderr notice;
            events {}
            http {
                access_log off;
                \(temporary.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate \(server.certificate);
                    ssl_certificate_key \(server.key);
                    ssl_protocols TLSv\(tls);
                    ssl_client_certificate \(authority.certificate);
                    ssl_verify_client on;
                    location / { return 200 "$ssl_client_s_dn\\n"; }
                }
            }

            """
    }

    private static let javaProgram = """
        import com.sun.net.httpserver.*;
        import java.net.InetSocketAddress;

        class Origin {
            public static void main(String[] words) throws Exception {
                var server = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
                server.setHttpsConfigurator(new HttpsConfigurator(Keys.context(words[0], words[1])) {
                    public void configure(HttpsParameters parameters) {
                        var settings = getSSLContext().getDefaultSSLParameters();
                        settings.setNeedClientAuth(true);
                        settings.setProtocols(new String[] { words[2] });
                        parameters.setSSLParameters(settings);
                    }
                });
                server.createContext("/", exchange -> {
                    var session = ((HttpsExchange) exchange).getSSLSession();
                    var body = (session.getPeerPrincipal().getName() + "\\n").getBytes();
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
                server.start();
                System.out.println(server.getAddress().getPort());
            }
        }

        """ + JavaProgram.keys
}
