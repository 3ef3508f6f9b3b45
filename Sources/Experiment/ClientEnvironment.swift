package import Transcript

/// What a command must know to go through the proxy of its phase, and to trust what it is meant to trust there.
package struct ClientEnvironment: Sendable, Equatable {
    /// The phase.
    package var phase: ExperimentPhase
    /// The proxy, as address and port.
    package var proxyHost: String
    /// The proxy's port.
    package var proxyPort: UInt16
    /// The file with all that the command is to trust in this phase, in PEM.
    package var bundle: String
    /// The same as a trust store for Java.
    package var javaStore: String
    /// The password of that store.
    package var javaPassword: String
    /// A folder without certificates, so that nothing but the bundle counts.
    package var emptyFolder: String
    /// A home folder for this run alone, with a browser's database of what is trusted; nil for the user's own.
    package var home: String?

    /// Joins the facts of a phase.
    package init(
        phase: ExperimentPhase, proxyHost: String, proxyPort: UInt16, bundle: String, javaStore: String,
        javaPassword: String, emptyFolder: String, home: String? = nil
    ) {
        self.phase = phase
        self.proxyHost = proxyHost
        self.proxyPort = proxyPort
        self.bundle = bundle
        self.javaStore = javaStore
        self.javaPassword = javaPassword
        self.emptyFolder = emptyFolder
        self.home = home
    }

    /// The variables of the command: the user's own, with those that point clients at the proxy and at the bundle.
    ///
    /// Which client obeys which: `docs/CLIENTS.md`. `http_proxy` is left alone: what is not TLS is not tested.
    ///
    /// - Parameter inherited: The variables that Pinproof itself was given.
    /// - Returns: The command's.
    package func variables(over inherited: [String: String]) -> [String: String] {
        var variables = inherited
        // Rules of the user's by which some hosts would go around the proxy are no part of the experiment.
        for name in ["NO_PROXY", "no_proxy"] { variables[name] = "" }
        for name in ["HTTPS_PROXY", "https_proxy", "CARGO_HTTP_PROXY", "PINPROOF_PROXY"] { variables[name] = proxyURL }
        for name in Self.bundleNames { variables[name] = bundle }
        variables["SSL_CERT_DIR"] = emptyFolder
        variables["NODE_USE_ENV_PROXY"] = "1"
        variables["JAVA_TOOL_OPTIONS"] =
            ([inherited["JAVA_TOOL_OPTIONS"]].compactMap { $0 }.filter { !$0.isEmpty } + javaOptions)
            .joined(separator: " ")
        variables["PINPROOF_PHASE"] = phase.rawValue
        if let home {
            variables["HOME"] = home
            variables["XDG_CONFIG_HOME"] = home + "/.config"
            variables["XDG_CACHE_HOME"] = home + "/.cache"
            variables["XDG_DATA_HOME"] = home + "/.local/share"
            // The user's key ring is reached over it, and Chromium writes to that.
            variables["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"
        }
        return variables
    }

    /// The variables that name a file with all that is trusted; Node adds it to its own roots.
    private static let bundleNames = [
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO", "PIP_CERT",
        "CARGO_HTTP_CAINFO", "AWS_CA_BUNDLE", "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "PINPROOF_CA",
    ]

    private var proxyURL: String { "http://\(proxyHost):\(proxyPort)" }

    /// Java leaves names of loopback out unless `http.nonProxyHosts` is empty; of two equal properties the last counts.
    private var javaOptions: [String] {
        [
            "-Dhttps.proxyHost=\(proxyHost)", "-Dhttps.proxyPort=\(proxyPort)", "-Dhttp.nonProxyHosts=",
            "-Djavax.net.ssl.trustStore=\(javaStore)".javaWord, "-Djavax.net.ssl.trustStoreType=PKCS12",
            "-Djavax.net.ssl.trustStorePassword=\(javaPassword)",
        ]
    }
}

extension String {
    /// The text as one word of `JAVA_TOOL_OPTIONS`, which is split at blanks and knows quotes but no escapes.
    fileprivate var javaWord: String {
        guard contains(where: \.isWhitespace) else { return self }
        return contains("'") ? "\"\(self)\"" : "'\(self)'"
    }
}
