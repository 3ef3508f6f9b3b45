import Foundation
import Glibc

/// Clients that others wrote, each with a verifier of its own, as they judge the certificate of a host.
enum VerifyingClient: String, CaseIterable {
    case curl, wget, python, strictPython, node, java, go, gnutls, opensslVerify, chromium

    /// What it says, among other things, of a certificate whose issuer it does not know.
    var complaint: String {
        switch self {
        case .curl: "SSL certificate problem: unable to get local issuer certificate"
        case .wget: "have a known issuer"
        case .python, .strictPython: "CERTIFICATE_VERIFY_FAILED"
        case .node: "code: 'UNABLE_TO_"
        case .java: "PKIX path building failed"
        case .go: "x509: certificate signed by unknown authority"
        case .gnutls: "The certificate issuer is unknown"
        case .opensslVerify: "unable to get local issuer certificate"
        case .chromium: "ERR_CERT_AUTHORITY_INVALID"
        }
    }

    /// Fetches the front page of a host as its users would, and returns everything it printed.
    func fetch(_ host: String, through port: Int, trusting file: String) async throws -> String {
        let folder = try TemporaryFolder()
        let words = ["\(port)", host, file]
        let proxy = "http://127.0.0.1:\(port)"
        switch self {
        case .curl:
            let fetched = try await Curl(through: port, trusting: file).fetch("https://\(host)/")
            return fetched.text + fetched.complaint
        case .wget:
            return try await printed(
                .wget,
                [
                    "--no-config", "--no-hsts", "--tries=1", "--timeout=50", "--output-document=-",
                    "--ca-certificate=\(file)", "-e", "https_proxy=\(proxy)", "https://\(host)/",
                ])
        case .python: return try await printed(.python, ["-c", Self.pythonProgram] + words)
        case .strictPython: return try await printed(.python, ["-c", Self.pythonProgram] + words + ["strict"])
        case .node: return try await printed(.node, ["-e", Self.nodeProgram] + words)
        case .java:
            let source = try folder.file("Client.java", Array(Self.javaProgram.utf8)).path
            return try await printed(.java, [source] + words)
        case .go:
            let source = try folder.file("client.go", Array(Self.goProgram.utf8)).path
            return try await printed(
                .go, ["run", source] + words,
                ["HOME": folder.path, "GOCACHE": folder.path("cache"), "GO111MODULE": "off", "GOPROXY": "off"])
        case .gnutls:
            let run = try await GnuTLSClient.fetch(host, through: port, trusting: file)
            return run.outputText + run.errorText
        case .opensslVerify: return try await verify(host, port, file, folder)
        case .chromium: return try await chromium(host, proxy, file, folder)
        }
    }

    private func printed(
        _ program: RealClient, _ arguments: [String], _ environment: [String: String] = [:]
    ) async throws -> String {
        let run = try await program.start(arguments, environment: environment).end(within: .seconds(120))
        return run.outputText + run.errorText
    }

    /// Captures the chain, then has `openssl verify` judge it; prints the page only if the verdict is good.
    private func verify(_ host: String, _ port: Int, _ file: String, _ folder: TemporaryFolder) async throws -> String {
        let shown = try await RealClient.openssl.run(
            "s_client", "-proxy", "127.0.0.1:\(port)", "-connect", "\(host):443", "-servername", host, "-showcerts")
        let chain = try folder.file("chain.pem", shown.output).path
        return try await printed(
            .openssl,
            [
                "verify", "-x509_strict", "-purpose", "sslserver", "-verify_hostname", host, "-CAfile", file,
                "-no-CApath",
                "-untrusted", chain, chain,
            ])
    }

    /// Chromium takes CAs from the home folder, which is one of the test's own.
    private func chromium(
        _ host: String, _ proxy: String, _ file: String, _ folder: TemporaryFolder
    ) async throws -> String {
        let database = folder.path(".pki/nssdb")
        try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: true)
        for arguments in [["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "ca", "-i", file]] {
            _ = try await printed(.certutil, ["-d", "sql:\(database)"] + arguments)
        }
        return try await printed(
            .chromium,
            [
                "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking",
                "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
                "--user-data-dir=\(folder.path("profile"))", "--proxy-server=\(proxy)",
                // Nothing but the proxy is ever asked for an address.
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--dump-dom",
            ] + (geteuid() == 0 ? ["--no-sandbox"] : []) + ["https://\(host)/"], ["HOME": folder.path])
    }

    /// By a proxy in the way that Python's own library offers, with the flag that Python 3.13 sets by default.
    private static let pythonProgram = """
        import http.client, ssl, sys
        port, host, ca = sys.argv[1:4]
        context = ssl.create_default_context(cafile=ca)
        if "strict" in sys.argv: context.verify_flags |= ssl.VERIFY_X509_STRICT
        connection = http.client.HTTPSConnection("127.0.0.1", int(port), context=context, timeout=50)
        connection.set_tunnel(host, 443)
        connection.request("GET", "/")
        print(connection.getresponse().read().decode())
        """

    private static let nodeProgram = """
        const fs = require('fs'), http = require('http'), https = require('https'), tls = require('tls')
        const [port, host, ca] = process.argv.slice(1)
        http.request({ host: '127.0.0.1', port, method: 'CONNECT', path: host + ':443' }).on('connect', (_, socket) => {
            const createConnection = () => tls.connect({ socket, servername: host, ca: fs.readFileSync(ca) })
            https.get({ host, createConnection }, answer => answer.pipe(process.stdout))
                .on('error', error => console.error(error))
        }).end()
        """

    private static let javaProgram = """
        import java.io.*;
        import java.net.*;
        import java.security.KeyStore;
        import java.security.cert.CertificateFactory;
        import javax.net.ssl.*;

        class Client {
            public static void main(String[] words) throws Exception {
                var anchors = KeyStore.getInstance("PKCS12");
                anchors.load(null, null);
                try (var in = new FileInputStream(words[2])) {
                    var factory = CertificateFactory.getInstance("X.509");
                    anchors.setCertificateEntry("ca", factory.generateCertificate(in));
                }
                var trust = TrustManagerFactory.getInstance("PKIX");
                trust.init(anchors);
                var context = SSLContext.getInstance("TLS");
                context.init(null, trust.getTrustManagers(), null);
                var proxy = new Proxy(
                    Proxy.Type.HTTP, new InetSocketAddress("127.0.0.1", Integer.parseInt(words[0])));
                var connection = (HttpsURLConnection)
                    URI.create("https://" + words[1] + "/").toURL().openConnection(proxy);
                connection.setSSLSocketFactory(context.getSocketFactory());
                connection.getInputStream().transferTo(System.out);
                System.out.flush();
            }
        }
        """

    private static let goProgram = """
        package main

        import (
            "crypto/tls"
            "crypto/x509"
            "fmt"
            "io"
            "net/http"
            "net/url"
            "os"
        )

        func main() {
            text, _ := os.ReadFile(os.Args[3])
            anchors := x509.NewCertPool()
            anchors.AppendCertsFromPEM(text)
            proxy, _ := url.Parse("http://127.0.0.1:" + os.Args[1])
            client := &http.Client{Transport: &http.Transport{
                Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: anchors}}}
            answer, err := client.Get("https://" + os.Args[2] + "/")
            if err != nil {
                fmt.Fprintln(os.Stderr, err)
                os.Exit(1)
            }
            io.Copy(os.Stdout, answer.Body)
        }
        """
}
