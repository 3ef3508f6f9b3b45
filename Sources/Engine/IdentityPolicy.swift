public import Authority
public import Crypto
public import Wire

/// What a proxy does about client certificates, host by host.
public struct IdentityPolicy: Sendable {
    /// Whether the app is asked for a certificate of its own.
    public enum AppRequest: Sendable, Equatable {
        /// If the origin asks.
        case whenOriginAsks
        /// Always.
        case always
        /// Always, and an app that gives none, or one that is not trusted, is refused.
        case required
    }

    /// What to present to origins that ask.
    public var identities = HostTable<IdentitySource>()
    /// Whom to ask, other than when the origin asks.
    public var appRequests = HostTable<AppRequest>()
    /// What an app's chain must lead to; nil: any is taken, and nobody looks.
    public var appTrust: ClientTrust?

    /// Asks apps when the origin asks, and has nothing to present.
    public init() {}

    /// Whether and how an app is asked on its way to an endpoint.
    func appRequest(for endpoint: Endpoint) -> AppRequest {
        appRequests.values(for: endpoint).last ?? .whenOriginAsks
    }
}

/// The authorities, or single certificates, that an app's own certificate must lead to.
public struct ClientTrust: Sendable {
    /// The anchors.
    public let store: TrustStore
    /// Their names, as an app is told them.
    public let names: [AuthorityName]

    /// Trusts these certificates.
    ///
    /// - Parameter anchors: Authorities or leaves.
    /// - Throws: `OpenSSLError` if one cannot be trusted, `EngineError` if their names do not fit into a request.
    public init(anchors: [Certificate]) throws {
        store = try TrustStore(anchors: anchors)
        names = anchors.compactMap(AuthorityName.init(subjectOf:))
        // The list has two octets for its length, each name in it two for its own (RFC 8446 section 4.2.4).
        guard names.reduce(0, { $0 + 2 + $1.der.count }) < 65_000 else {
            throw EngineError(
                "the names of \(anchors.count) authorities are too long for one request",
                hint: "give fewer with --client-ca")
        }
    }
}

/// What an origin's certificate must be, in place of what any verifier says of it.
public enum OriginPin: Sendable, Equatable {
    /// The certificate with this SHA-256 digest.
    case certificate([UInt8])
    /// The key whose SubjectPublicKeyInfo has this SHA-256 digest (RFC 7469 section 2.4).
    case publicKey([UInt8])
    /// Anything at all.
    case any

    /// Whether a leaf is the one that is meant.
    func matches(_ leaf: Certificate) -> Bool {
        switch self {
        case .certificate(let digest): leaf.sha256 == digest
        case .publicKey(let digest): leaf.spkiSHA256 == digest
        case .any: true
        }
    }
}
