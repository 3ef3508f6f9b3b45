import Testing
import Transcript

@testable import Experiment

/// The variables of docs/CLIENTS.md, written by hand.
@Suite struct ClientEnvironmentTests {
    private var facts = ClientEnvironment(
        phase: .trusted, proxyHost: "127.0.0.1", proxyPort: 40123, bundle: "/run/roots-and-ca.pem",
        javaStore: "/run/roots-and-ca.p12", javaPassword: "changeit", emptyFolder: "/run/none")

    @Test func `everything that points a client at the proxy and at the bundle, and nothing else`() {
        let java =
            "-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=40123 -Dhttp.nonProxyHosts= "
            + "-Djavax.net.ssl.trustStore=/run/roots-and-ca.p12 -Djavax.net.ssl.trustStoreType=PKCS12 "
            + "-Djavax.net.ssl.trustStorePassword=changeit"
        #expect(
            facts.variables(over: [:]) == [
                "HTTPS_PROXY": "http://127.0.0.1:40123", "https_proxy": "http://127.0.0.1:40123",
                "CARGO_HTTP_PROXY": "http://127.0.0.1:40123", "NO_PROXY": "", "no_proxy": "",
                "SSL_CERT_FILE": "/run/roots-and-ca.pem", "SSL_CERT_DIR": "/run/none",
                "CURL_CA_BUNDLE": "/run/roots-and-ca.pem", "REQUESTS_CA_BUNDLE": "/run/roots-and-ca.pem",
                "NODE_EXTRA_CA_CERTS": "/run/roots-and-ca.pem", "NODE_USE_ENV_PROXY": "1",
                "GIT_SSL_CAINFO": "/run/roots-and-ca.pem", "PIP_CERT": "/run/roots-and-ca.pem",
                "CARGO_HTTP_CAINFO": "/run/roots-and-ca.pem", "AWS_CA_BUNDLE": "/run/roots-and-ca.pem",
                "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH": "/run/roots-and-ca.pem", "JAVA_TOOL_OPTIONS": java,
                "PINPROOF_PROXY": "http://127.0.0.1:40123", "PINPROOF_CA": "/run/roots-and-ca.pem",
                "PINPROOF_PHASE": "trusted",
            ])
    }

    @Test func `what the user has stays, but for what would lead around the proxy`() {
        let variables = facts.variables(over: [
            "HOME": "/home/anna", "http_proxy": "http://other:3128", "NO_PROXY": "*", "no_proxy": "api.example.com",
            "HTTPS_PROXY": "http://other:3128", "SSL_CERT_FILE": "/etc/own.pem", "JAVA_TOOL_OPTIONS": "-Xmx64m",
        ])
        #expect(variables["HOME"] == "/home/anna")
        #expect(variables["http_proxy"] == "http://other:3128")
        #expect(variables["NO_PROXY"] == "")
        #expect(variables["no_proxy"] == "")
        #expect(variables["HTTPS_PROXY"] == "http://127.0.0.1:40123")
        #expect(variables["SSL_CERT_FILE"] == "/run/roots-and-ca.pem")
        #expect(variables["JAVA_TOOL_OPTIONS"]?.hasPrefix("-Xmx64m -Dhttps.proxyHost=") == true)
    }

    @Test func `a browser has a home of its own, and no key ring of the user's`() {
        var facts = facts
        facts.home = "/run/home-1"
        let own = facts.variables(over: ["HOME": "/home/anna", "XDG_CONFIG_HOME": "/home/anna/.config"])
        #expect(own["HOME"] == "/run/home-1")
        #expect(own["XDG_CONFIG_HOME"] == "/run/home-1/.config")
        #expect(own["XDG_CACHE_HOME"] == "/run/home-1/.cache")
        #expect(own["XDG_DATA_HOME"] == "/run/home-1/.local/share")
        #expect(own["DBUS_SESSION_BUS_ADDRESS"] == "disabled:")
    }

    @Test(arguments: [
        ("/a b/x.p12", "'-Djavax.net.ssl.trustStore=/a b/x.p12'"),
        ("/a 'b/x.p12", "\"-Djavax.net.ssl.trustStore=/a 'b/x.p12\""),
    ])
    func `a path with blanks is one word for Java`(_ path: String, _ word: String) {
        var facts = facts
        facts.javaStore = path
        #expect(facts.variables(over: [:])["JAVA_TOOL_OPTIONS"]?.contains(" \(word) ") == true)
    }
}
