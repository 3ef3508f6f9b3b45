public import Crypto
internal import Foundation
public import Wire

/// A leaf that the proxy presents in an origin's place.
public struct ForgedLeaf: Sendable {
    /// Chain and key to present.
    public let identity: TLSIdentity
    /// Whether it was minted before.
    public let fromCache: Bool
    /// The origin's faults that it has too.
    public let faults: [CertificateFault]
}

/// Mints leaves on demand and keeps the most recently used ones.
///
/// A host keeps its leaf, and so its key and serial number, for as long as the leaf is cached and does not near its end.
/// **Thread:** usable from any thread. Minting runs on the calling thread without a lock; if two threads mint for the
/// same host at once, both get the leaf of the one that was first.
public final class Forge: Sendable {
    fileprivate struct Entry {
        let identity: TLSIdentity
        let notBefore: Int64
        /// The last second at which it is given out.
        let lastUse: Int64

        func isFresh(at now: Int64) -> Bool { notBefore <= now && now <= lastUse }
    }

    /// Who signs.
    public let authority: CertificateAuthority
    // All workers come here, so that they wait for each other: in a lock that the thread sanitizer knows, unlike `Mutex`.
    private let lock = NSLock()
    // Reached with the lock held only.
    private nonisolated(unsafe) var stranger: CertificateAuthority?
    private nonisolated(unsafe) var cache: LeastRecentlyUsed<LeafRequest, Entry>

    /// Makes a forge.
    ///
    /// - Parameters:
    ///   - authority: Who signs.
    ///   - capacity: How many leaves are kept; at least one.
    public init(authority: CertificateAuthority, capacity: Int = 1024) {
        self.authority = authority
        cache = LeastRecentlyUsed(capacity: capacity)
    }

    /// The leaf for a host, from the cache if there is one that does not near its end.
    ///
    /// - Parameters:
    ///   - host: The name the client asked for.
    ///   - key: The kind of key the leaf has; a new RSA key takes a third of a second.
    ///   - mirror: The origin's faults that it is to have too; nil for a sound leaf.
    ///   - now: The time, in seconds since 1970.
    /// - Returns: The leaf.
    /// - Throws: `AuthorityError`.
    public func leaf(
        for host: HostName, key: KeyKind = .p256, mirroring mirror: FaultMirror? = nil, now: Int64
    ) throws -> ForgedLeaf {
        let request = LeafRequest(host: host, key: key, mirror: mirror)
        if let entry = cached(request, now: now) { return ForgedLeaf(entry.identity, of: request, fromCache: true) }
        let signer = try signer(of: request, now: now)
        let minted = Entry(try signer.issue(request, now: now), of: request, by: signer)
        return lock.withLock {
            if let first = cache.value(for: request), first.isFresh(at: now) {
                return ForgedLeaf(first.identity, of: request, fromCache: true)
            }
            cache.insert(minted, for: request)
            return ForgedLeaf(minted.identity, of: request, fromCache: false)
        }
    }

    private func cached(_ request: LeafRequest, now: Int64) -> Entry? {
        lock.withLock {
            cache.value(for: request).flatMap { $0.isFresh(at: now) ? $0 : nil }
        }
    }

    /// The CA for a leaf; the one that nobody was given is made when it is first needed.
    private func signer(of request: LeafRequest, now: Int64) throws -> CertificateAuthority {
        guard case .stranger = request.mirror?.signer else { return authority }
        return try lock.withLock {
            if let stranger, stranger.certificate.isValid(at: now) { return stranger }
            let made = try CertificateAuthority.stranger(now: now)
            stranger = made
            return made
        }
    }
}

extension ForgedLeaf {
    fileprivate init(_ identity: TLSIdentity, of request: LeafRequest, fromCache: Bool) {
        self.init(identity: identity, fromCache: fromCache, faults: request.mirror?.faults ?? [])
    }
}

extension Forge.Entry {
    fileprivate init(_ identity: TLSIdentity, of request: LeafRequest, by signer: CertificateAuthority) {
        self.identity = identity
        guard request.mirror?.validity == nil else {
            // Its dates are wrong on purpose; only who signed it can run out of time.
            (notBefore, lastUse) = (signer.certificate.notBefore, signer.certificate.notAfter)
            return
        }
        let leaf = identity.chain[0]
        notBefore = leaf.notBefore
        // A day ahead, so that no client sees it expire; but a new leaf cannot outlive the CA either.
        let isBoundByAuthority = leaf.notAfter == signer.certificate.notAfter
        lastUse = isBoundByAuthority ? leaf.notAfter : leaf.notAfter - Lifetime.day
    }
}
