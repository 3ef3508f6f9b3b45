import Foundation
import Testing

/// Clients that others wrote, with a certificate of their own, on their way through a proxy.
enum IdentityClient: String, CaseIterable {
    case curl, python, node, java

    /// What a client printed: the status, then the body.
    struct Answer {
        let status: Int?
        let body: String
        let complaint: String
    }

    /// Fetches the front page of a host, with the TLS version that is given at most.
    func fetch(
        _ host: String, through port: Int, trusting file: String, as app: IssuedFiles, tls: String
    ) async throws -> Answer {
        guard self != .curl else {
            let fetched = try await Curl(through: port, trusting: file).fetch(
                "https://\(host)/", "--tls-max", tls, "--cert", app.certificate, "--key", app.key)
            return Answer(status: fetched.status, body: fetched.text, complaint: fetched.complaint)
        }
        let folder = try TemporaryFolder()
        let run = try await start(["\(port)", host, file, app.pkcs12, app.certificate, app.key, tls], folder).end()
        let parts = run.outputText.split(separator: "\n", maxSplits: 1)
        return Answer(
            status: parts.first.flatMap { Int($0) }, body: parts.count == 2 ? String(parts[1]) : "",
            complaint: run.errorText)
    }

    private func start(_ words: [String], _ folder: TemporaryFolder) throws -> ChildProcess {
        switch self {
        case .curl: preconditionFailure("it has a type of its own")
        case .python: return try RealClient.python.start(["-c", Self.pythonProgram] + words)
        case .node: return try RealClient.node.start(["-e", Self.nodeProgram] + words)
        case .java:
            let source = try folder.file("Client.java", Array(Self.javaProgram.utf8)).path
            return try RealClient.java.start(["-Djdk.tls.client.protocols=TLSv\(words[6])", source] + words)
        }
    }

    private static let pythonProgram = """
        import http.client, ssl, sys
        port, host, ca, _, certificate, key, version = sys.argv[1:]
        context = ssl.create_default_context(cafile=ca)
        context.maximum_version = ssl.TLSVersion["TLSv" + version.replace(".", "_")]
        context.load_cert_chain(certificate, key)
        connection = http.client.HTTPSConnection("127.0.0.1", int(port), context=context, timeout=50)
        connection.set_tunnel(host, 443)
        connection.request("GET", "/")
        answer = connection.getresponse()
        print(answer.status)
        print(answer.read().decode())
        """

    private static let nodeProgram = """
        const fs = require('fs'), http = require('http'), https = require('https'), tls = require('tls')
        const [port, host, ca, file, , , version] = process.argv.slice(1)
        http.request({ host: '127.0.0.1', port, method: 'CONNECT', path: host + ':443' }).on('connect', (_, socket) => {
            const createConnection = () => tls.connect({
                socket, servername: host, ca: fs.readFileSync(ca), pfx: fs.readFileSync(file), passphrase: '',
                maxVersion: 'TLSv' + version })
            https.get({ host, createConnection }, answer => {
                console.log(answer.statusCode)
                answer.pipe(process.stdout)
            })
        }).end()
        """

    private static let javaProgram = """
        import java.io.*;
        import java.net.*;
        import javax.net.ssl.HttpsURLConnection;

        class Client {
            public static void main(String[] words) throws Exception {
                Proxy proxy = new Proxy(
                    Proxy.Type.HTTP, new InetSocketAddress("127.0.0.1", Integer.parseInt(words[0])));
                var connection = (HttpsURLConnection)
                    URI.create("https://" + words[1] + "/").toURL().openConnection(proxy);
                connection.setSSLSocketFactory(Keys.context(words[3], words[2]).getSocketFactory());
                System.out.println(connection.getResponseCode());
                connection.getInputStream().transferTo(System.out);
                System.out.flush();
            }
        }

        """ + JavaProgram.keys
}

/// What programs in Java have in common.
enum JavaProgram {
    /// The class that reads a PKCS#12 file with the empty password, and a file with a CA.
    static let keys = """
        class Keys {
            static javax.net.ssl.SSLContext context(String file, String authority) throws Exception {
                var keys = java.security.KeyStore.getInstance("PKCS12");
                try (var in = new java.io.FileInputStream(file)) { keys.load(in, new char[0]); }
                var own = javax.net.ssl.KeyManagerFactory.getInstance("PKIX");
                own.init(keys, new char[0]);
                var anchors = java.security.KeyStore.getInstance("PKCS12");
                anchors.load(null, null);
                try (var in = new java.io.FileInputStream(authority)) {
                    var factory = java.security.cert.CertificateFactory.getInstance("X.509");
                    anchors.setCertificateEntry("ca", factory.generateCertificate(in));
                }
                var trust = javax.net.ssl.TrustManagerFactory.getInstance("PKIX");
                trust.init(anchors);
                var context = javax.net.ssl.SSLContext.getInstance("TLS");
                context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
                return context;
            }
        }
        """
}
