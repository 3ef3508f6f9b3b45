import Foundation
import Testing

/// Clients that others wrote, with a certificate of their own, on their way through a proxy.
enum IdentityClient: String, CaseIterable {
    case curl, python, node, java, go, gnutls

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
        let folder = try TemporaryFolder()
        let words = ["\(port)", host, file, app.pkcs12, app.certificate, app.key, tls]
        switch self {
        case .curl:
            let fetched = try await Curl(through: port, trusting: file).fetch(
                "https://\(host)/", "--tls-max", tls, "--cert", app.certificate, "--key", app.key)
            return Answer(status: fetched.status, body: fetched.text, complaint: fetched.complaint)
        case .python: return try await printed(.python, ["-c", Self.pythonProgram] + words)
        case .node: return try await printed(.node, ["-e", Self.nodeProgram] + words)
        case .java:
            let source = try folder.file("Client.java", Array(Self.javaProgram.utf8)).path
            return try await printed(.java, ["-Djdk.tls.client.protocols=TLSv\(tls)", source] + words)
        case .go:
            let source = try folder.file("client.go", Array(Self.goProgram.utf8)).path
            return try await printed(
                .go, ["run", source] + words,
                ["HOME": folder.path, "GOCACHE": folder.path("cache"), "GO111MODULE": "off", "GOPROXY": "off"])
        case .gnutls:
            let run = try await GnuTLSClient.fetch(
                host, through: port, trusting: file,
                ["--x509certfile", app.certificate, "--x509keyfile", app.key]
                    + ["--priority", "NORMAL:-VERS-ALL:+VERS-TLS\(tls)"])
            let status = run.outputText.firstMatch(of: /HTTP\/1\.[01] ([0-9]{3}) (?!Connection)/).flatMap { Int($0.1) }
            return Answer(status: status, body: run.outputText, complaint: run.errorText)
        }
    }

    /// Runs a program that prints the status, a newline and the body.
    private func printed(
        _ program: RealClient, _ arguments: [String], _ environment: [String: String] = [:]
    ) async throws -> Answer {
        let run = try await program.start(arguments, environment: environment).end(within: .seconds(120))
        let parts = run.outputText.split(separator: "\n", maxSplits: 1)
        return Answer(
            status: parts.first.flatMap { Int($0) }, body: parts.count == 2 ? String(parts[1]) : "",
            complaint: run.errorText)
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

    private static let goProgram = """
        package main

        import (
            "crypto/tls"
            "crypto/x509"
            "fmt"
            "io"
            "log"
            "net/http"
            "net/url"
            "os"
        )

        func main() {
            text, _ := os.ReadFile(os.Args[3])
            anchors := x509.NewCertPool()
            anchors.AppendCertsFromPEM(text)
            own, err := tls.LoadX509KeyPair(os.Args[5], os.Args[6])
            if err != nil {
                log.Fatal(err)
            }
            version := map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}[os.Args[7]]
            // Go gives a certificate only to servers that name its issuer, unless it is asked in this way.
            give := func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &own, nil }
            proxy, _ := url.Parse("http://127.0.0.1:" + os.Args[1])
            client := &http.Client{Transport: &http.Transport{
                Proxy: http.ProxyURL(proxy),
                TLSClientConfig: &tls.Config{RootCAs: anchors, MaxVersion: version, GetClientCertificate: give}}}
            answer, err := client.Get("https://" + os.Args[2] + "/")
            if err != nil {
                log.Fatal(err)
            }
            fmt.Println(answer.StatusCode)
            io.Copy(os.Stdout, answer.Body)
        }
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
