public import Wire

/// App Transport Security: what an app's platform asks of every connection beside its trust evaluation (PS-6.2).
///
/// It is told what the handshake yielded. Whether the path is valid, and that its anchor is the system's or one that a
/// user or administrator installed, is the trust evaluation's part and stays so whatever is allowed here. The list of
/// cipher suites, and what comes first where exceptions meet, are from the documentation and not confirmed.
public struct TransportSecurity: Hashable, Sendable {
    /// What holds for one domain instead: an entry of `NSExceptionDomains`.
    public struct Exception: Hashable, Sendable {
        /// `NSIncludesSubdomains`: one more label is covered.
        public var includesSubdomains: Bool
        /// `NSExceptionAllowsInsecureHTTPLoads`.
        public var allowsInsecureLoads: Bool
        /// `NSExceptionMinimumTLSVersion`, as a protocol number.
        public var leastVersion: UInt16
        /// `NSExceptionRequiresForwardSecrecy`; without it the key's length does not matter either.
        public var requiresForwardSecrecy: Bool

        /// Makes an exception; the defaults are those of an empty entry.
        public init(
            includesSubdomains: Bool = false, allowsInsecureLoads: Bool = false, leastVersion: UInt16 = 0x0303,
            requiresForwardSecrecy: Bool = true
        ) {
            self.includesSubdomains = includesSubdomains
            self.allowsInsecureLoads = allowsInsecureLoads
            self.leastVersion = leastVersion
            self.requiresForwardSecrecy = requiresForwardSecrecy
        }
    }

    /// What was negotiated with a server.
    public struct Connection: Hashable, Sendable {
        /// The TLS version, as a protocol number.
        public var version: UInt16
        /// The cipher suite.
        public var cipherSuite: UInt16
        /// The server's own certificate.
        public var leaf: CertificateFacts

        /// States what was negotiated.
        public init(version: UInt16, cipherSuite: UInt16, leaf: CertificateFacts) {
            self.version = version
            self.cipherSuite = cipherSuite
            self.leaf = leaf
        }
    }

    /// `NSAllowsArbitraryLoads`, which exceptions are exempt from.
    public var allowsArbitraryLoads: Bool
    /// `NSAllowsLocalNetworking`: hosts without a dot, below `.local`, and addresses.
    public var allowsLocalNetworking: Bool
    /// The exceptions by domain, in lower case.
    public var exceptions: [String: Exception]
    /// Whether addresses may have exceptions: iOS 17, macOS 14 and later.
    public var knowsAddresses: Bool

    /// Describes an app; the defaults are those of an Info.plist that says nothing.
    public init(
        allowsArbitraryLoads: Bool = false, allowsLocalNetworking: Bool = false, exceptions: [String: Exception] = [:],
        knowsAddresses: Bool = true
    ) {
        self.allowsArbitraryLoads = allowsArbitraryLoads
        self.allowsLocalNetworking = allowsLocalNetworking
        self.exceptions = exceptions
        self.knowsAddresses = knowsAddresses
    }

    /// Reads the dictionary `NSAppTransportSecurity` of an Info.plist.
    ///
    /// - Parameters:
    ///   - properties: Its entries; other than the expected types count as absent.
    ///   - knowsAddresses: Whether addresses may have exceptions.
    public init(properties: [String: PropertyValue], knowsAddresses: Bool = true) {
        self.init(
            allowsArbitraryLoads: properties["NSAllowsArbitraryLoads"]?.flag ?? false,
            allowsLocalNetworking: properties["NSAllowsLocalNetworking"]?.flag ?? false,
            exceptions: (properties["NSExceptionDomains"]?.entries ?? [:]).compactMapValues {
                $0.entries.map(Exception.init)
            }, knowsAddresses: knowsAddresses)
    }

    /// Says what is against a connection.
    ///
    /// - Parameters:
    ///   - host: Whom the app wants.
    ///   - connection: What was negotiated; nil if there is no TLS.
    /// - Returns: The first thing that is wrong; nil if nothing is, which says nothing of the trust evaluation.
    public func objection(to host: HostName, _ connection: Connection?) -> PolicyReason? {
        finding(on: host, connection).map { PolicyReason(.transportSecurity($0), rule: RuleID("PS-6.2")) }
    }

    private func finding(on host: HostName, _ connection: Connection?) -> TransportSecurityFinding? {
        let exception = exception(for: host)
        if exception == nil, allowsArbitraryLoads || allowsLocalNetworking && host.isLocal { return nil }
        let terms = exception ?? Exception()
        guard let connection else { return terms.allowsInsecureLoads ? nil : .notSecure }
        if connection.version < terms.leastVersion {
            return .versionTooOld(connection.version, least: terms.leastVersion)
        }
        if terms.requiresForwardSecrecy {
            if !Self.hasForwardSecrecy(connection.cipherSuite) {
                return .noForwardSecrecy(cipherSuite: connection.cipherSuite)
            }
            guard let key = connection.leaf.key, key.isLongEnough else { return .weakKey(connection.leaf.key) }
        }
        switch connection.leaf.signatureHash {
        case .sha256?, .sha384?, .sha512?: return nil
        case let hash: return .weakSignature(hash)
        }
    }

    /// The host's own exception, or its parent's if that includes subdomains.
    private func exception(for host: HostName) -> Exception? {
        if host.isAddress { return knowsAddresses ? exceptions[host.text] : nil }
        if let exception = exceptions[host.text] { return exception }
        guard let dot = host.text.firstIndex(of: "."),
            let parent = exceptions[String(host.text[host.text.index(after: dot)...])], parent.includesSubdomains
        else { return nil }
        return parent
    }

    /// TLS 1.3, or ECDHE with AES in an older version.
    private static func hasForwardSecrecy(_ suite: UInt16) -> Bool {
        switch suite {
        case 0x1301...0x1305, 0xc009, 0xc00a, 0xc013, 0xc014, 0xc023, 0xc024, 0xc027, 0xc028, 0xc02b, 0xc02c, 0xc02f,
            0xc030:
            true
        default: false
        }
    }
}

extension TransportSecurity.Exception {
    fileprivate init(_ properties: [String: PropertyValue]) {
        let versions = ["TLSv1.0": 0x0301, "TLSv1.1": 0x0302, "TLSv1.2": 0x0303, "TLSv1.3": 0x0304] as [String: UInt16]
        self.init(
            includesSubdomains: properties["NSIncludesSubdomains"]?.flag ?? false,
            allowsInsecureLoads: properties["NSExceptionAllowsInsecureHTTPLoads"]?.flag ?? false,
            leastVersion: properties["NSExceptionMinimumTLSVersion"]?.text.flatMap { versions[$0] } ?? 0x0303,
            requiresForwardSecrecy: properties["NSExceptionRequiresForwardSecrecy"]?.flag ?? true)
    }
}

extension CertificateFacts.KeyKind {
    fileprivate var isLongEnough: Bool {
        switch self {
        case .rsa(let bits): bits >= 2048
        case .ellipticCurve(_, let bits): bits >= 256
        case .other: false
        }
    }
}

extension HostName {
    fileprivate var isLocal: Bool { isAddress || !text.contains(".") || text.hasSuffix(".local") }
}
