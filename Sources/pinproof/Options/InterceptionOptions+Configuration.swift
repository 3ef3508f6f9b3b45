internal import Authority
internal import Crypto
internal import Engine
internal import Interception
internal import Reactor
internal import Wire

extension InterceptionOptions {
    /// What a proxy needs to know that serves connections in this way.
    ///
    /// - Parameters:
    ///   - listen: Where it listens.
    ///   - authority: Who signs the leaves.
    /// - Returns: All but what is the command's own.
    /// - Throws: `CommandError` and the like for files that cannot be used.
    func configuration(listen: SocketAddress, authority: CertificateAuthority) throws -> ProxyConfiguration {
        let additions = try originAuthorities.flatMap(CertificateFile.read)
        var configuration = ProxyConfiguration(
            listen: listen, authority: authority, originTrust: try TrustStore.system(adding: additions))
        configuration.rules = RuleBook(proxyRules)
        for override in resolve { configuration.overrides.add(override) }
        configuration.fetchesIssuers = fetchesIssuers
        configuration.legacy = LegacyHosts(clients: legacyClients, origins: legacyOrigins)
        configuration.identity = try identityPolicy()
        configuration.originPins = HostTable(
            try originPins.flatMap { entry in try entry.value.pins().map { (entry.pattern, $0) } })
        try setLimits(of: &configuration)
        return configuration
    }

    /// The rules for hosts, in the order given.
    var proxyRules: [Rule] { rules.map { Rule($0.pattern, $0.decision) } }

    /// Says what is odd about them, on standard error.
    func warn(of configuration: ProxyConfiguration) throws {
        for entry in originPins where entry.value == .pin(.any) {
            try StandardStream.error.write(
                "pinproof: warning: --origin-pin \(entry.pattern)=any takes whoever answers for these hosts; what they say "
                    + "proves nothing\n")
        }
        for source in configuration.identity.identities.values {
            let loaded = try source.current()
            for warning in loaded.warnings {
                try StandardStream.error.write("pinproof: warning: \(loaded.source.printable): \(warning)\n")
            }
        }
    }

    private func identityPolicy() throws -> IdentityPolicy {
        var policy = IdentityPolicy()
        policy.identities = HostTable(
            try identities.map { entry in
                var location = entry.value
                location.allowsWeak = allowsWeakIdentities
                let passwords = identityPasswords.filter { $0.pattern == entry.pattern }
                return (entry.pattern, try IdentitySource(location, readingPasswordFrom: passwords.last?.value))
            })
        for password in identityPasswords
        where !identities.contains(where: { $0.pattern == password.pattern }) {
            throw CommandError(
                "--identity-password for hosts without --identity", at: "\(password.pattern)",
                mend: "write the same PATTERN for both")
        }
        policy.appRequests = HostTable(
            requestsFrom.map { ($0, .always) } + requiresFrom.map { ($0, .required) })
        let anchors = try clientAuthorities.flatMap(CertificateFile.read)
        if !anchors.isEmpty { policy.appTrust = try ClientTrust(anchors: anchors) }
        return policy
    }
}

extension IdentitySource {
    /// Reads an identity whose password is there, or is asked for on the terminal.
    convenience init(_ location: Location, readingPasswordFrom source: PasswordSource?) throws {
        try self.init(location) { try source?.read() ?? PasswordPrompt.ask(for: location.file) }
    }
}

extension ResolveOverrides {
    /// Adds what `--resolve` said.
    mutating func add(_ override: ResolveOverride) {
        guard let address = SocketAddress(override.address, port: override.addressPort ?? 0) else { return }
        add(host: override.host, port: override.port, address: address)
    }
}
