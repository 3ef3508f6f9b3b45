/// Joins the keys and certificates that were found to identities.
struct IdentityAssembly {
    private let found: Unlocking
    private let time: Int64
    private var warnings: [IdentityWarning]
    /// Why parts are of no use.
    private var problems: [IdentityError]
    /// The certificates that some identity has a use for.
    private var used: Set<Certificate> = []

    /// How many certificates a chain may have: more than any peer accepts.
    private static let longestChain = 16

    /// Begins with what was found.
    init(_ found: Unlocking, at time: Int64) {
        self.found = found
        self.time = time
        warnings = found.warnings
        problems = found.problems
    }

    /// Joins.
    ///
    /// - Parameter allowsWeakKeys: Whether an identity is taken that TLS refuses for weakness.
    /// - Returns: At least one identity, with all warnings.
    /// - Throws: `IdentityError` that says why there is none.
    consuming func contents(allowsWeakKeys: Bool) throws -> IdentityContents {
        var candidates: [IdentityCandidate] = []
        var alternatives: [IdentityCandidate] = []
        var unused: [String] = []
        let strength = try IdentityStrength()
        for key in found.keys {
            let leaves = leaves(of: key.key)
            if leaves.isEmpty { unused.append(key.key.description) }
            let usable = leaves.compactMap { candidate($0, key, strength) }
            candidates += usable.prefix(1)
            for other in usable.dropFirst() {
                alternatives.append(other)
                warnings.append(.otherCertificate(other.description))
            }
        }
        guard !candidates.isEmpty else { throw reason() }
        if !allowsWeakKeys, let weakness = candidates[0].weakness, candidates.allSatisfy({ $0.weakness != nil }) {
            throw IdentityError.weakKey(weakness)
        }
        for candidate in candidates { warn(of: candidate, allowsWeakKeys) }
        warnOfRemains(unused)
        return IdentityContents(
            candidates: candidates, warnings: warnings, alternatives: alternatives, allowsWeakKeys: allowsWeakKeys)
    }

    /// The certificates of a key, the best one first: valid now, then the newest.
    private func leaves(of key: PrivateKey) -> [FoundCertificate] {
        let own = found.certificates.filter { key.belongs(to: $0.certificate) }
        func rank(_ certificate: Certificate) -> (Int, Int64, Int64) {
            (certificate.isValid(at: time) ? 1 : 0, certificate.notBefore, certificate.notAfter)
        }
        return own.enumerated().sorted { left, right in
            let (leftRank, rightRank) = (rank(left.element.certificate), rank(right.element.certificate))
            return leftRank == rightRank ? left.offset < right.offset : leftRank > rightRank
        }.map(\.element)
    }

    private mutating func candidate(
        _ leaf: FoundCertificate, _ key: FoundKey, _ strength: IdentityStrength
    ) -> IdentityCandidate? {
        let identity = TLSIdentity(chain: chain(from: leaf.certificate), key: key.key)
        do {
            let weakness = try strength.weakness(of: identity)
            return IdentityCandidate(identity: identity, friendlyName: leaf.name ?? key.name, weakness: weakness)
        } catch {
            problems.append(error)
            return nil
        }
    }

    /// The leaf and its issuers as far as they are there.
    ///
    /// The root is left out (RFC 8446, 4.4.2 allows that): a peer that does not have it would not trust it.
    private mutating func chain(from leaf: Certificate) -> [Certificate] {
        var chain = [leaf]
        used.insert(leaf)
        while !chain[chain.count - 1].isSelfSigned, chain.count < Self.longestChain {
            let last = chain[chain.count - 1]
            let issuers = found.certificates.map(\.certificate).filter { !chain.contains($0) && last.isIssued(by: $0) }
            // Of several (cross-signed or renewed) the root makes the shortest chain, and one must be valid.
            let issuer =
                issuers.first { $0.isSelfSigned && $0.isValid(at: time) } ?? issuers.first { $0.isValid(at: time) }
                ?? issuers.first
            guard let issuer else { break }
            used.formUnion(issuers)
            if issuer.isSelfSigned { break }
            chain.append(issuer)
        }
        return chain
    }

    /// Why there is no identity at all.
    private func reason() -> IdentityError {
        if found.isLocked { return .wrongPassword }
        if let problem = problems.first { return problem }
        if found.keys.isEmpty { return .noKey }
        if found.certificates.isEmpty { return .noCertificate }
        return .keyDoesNotMatch(
            keys: found.keys.map(\.key.description), certificates: found.certificates.map(\.certificate.subject))
    }

    private mutating func warn(of candidate: IdentityCandidate, _ allowsWeakKeys: Bool) {
        let leaf = candidate.identity.chain[0]
        if leaf.notAfter < time {
            warnings.append(.expired(leaf.subject))
        } else if leaf.notBefore > time {
            warnings.append(.notYetValid(leaf.subject))
        }
        if let weakness = candidate.weakness, allowsWeakKeys { warnings.append(.weak(weakness)) }
    }

    private mutating func warnOfRemains(_ unusedKeys: [String]) {
        let rest = found.certificates.map(\.certificate).filter { !used.contains($0) }
        if !rest.isEmpty { warnings.append(.unusedCertificates(rest.map(\.subject))) }
        if !unusedKeys.isEmpty { warnings.append(.unusedKeys(unusedKeys)) }
        let locked = found.lockedParts + found.deniedFiles
        if locked > 0 { warnings.append(.locked(locked)) }
        for problem in problems { warnings.append(.unreadablePart(problem.message)) }
    }
}
