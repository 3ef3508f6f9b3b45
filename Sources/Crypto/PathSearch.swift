internal import Pinning

/// A search for further paths, where the one that OpenSSL built fails (PS-0.4-3).
///
/// OpenSSL chooses one issuer for each certificate, by name and key identifier, and stays with it. Where authorities
/// certify each other, or several have one name, another choice may lead to an anchor.
///
/// A server chooses what is searched, so the work is bounded: by the length of a path, by how many are begun, and by how
/// many signatures are checked in all. Of several issuers those are tried first that are fewer steps away from an anchor
/// by name, so that what leads nowhere does not use up the work.
struct PathSearch {
    /// Longer paths are not looked for.
    static let maximumLength = 10
    /// So many signatures are checked in all: some milliseconds with common keys.
    static let maximumSignatureChecks = 40
    /// So many paths are begun: a handful of authorities that all certify each other make thousands.
    static let maximumPaths = 128

    /// How many signatures were checked so far, those of found paths that are verified as a whole included.
    private(set) var signatureChecks = 0
    /// How many paths were begun so far, to an anchor or not.
    private(set) var paths = 0
    /// The longest path whose every certificate is signed with the key of the next (PS-0.3-2).
    private(set) var longest: [Certificate]

    /// What a search that was given up did not look at; nil if it looked at everything.
    private(set) var abandoned: UncheckedRule?

    private let leaf: Certificate
    private let issuers: [Certificate]
    private let store: TrustStore
    private let agreement: AlgorithmAgreement
    /// What is known of the links that more than one path has.
    private var links: [Link: Bool] = [:]
    /// The anchors that may have issued a certificate; to ask a store may mean to look into a folder.
    private var anchors: [Certificate: [Certificate]] = [:]

    /// What was sent and leads to an anchor by name: over so many certificates more.
    private var steps: [Certificate: Int] = [:]

    private struct Link: Hashable {
        let subject: Certificate
        let issuer: Certificate
    }

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - leaf: Where paths start.
    ///   - issuers: What they may lead through, in the order of preference.
    ///   - store: Where they may end; an anchor is preferred to what was sent.
    ///   - agreement: When a signature counts.
    init(
        from leaf: Certificate, through issuers: [Certificate], to store: TrustStore, agreement: AlgorithmAgreement
    ) {
        self.leaf = leaf
        self.issuers = issuers
        self.store = store
        self.agreement = agreement
        longest = [leaf]
    }

    /// Shows each path that ends in an anchor, until one is good enough or the work is done.
    ///
    /// - Parameter isFound: Verifies a path, leaf first, and says whether the search is over.
    mutating func run(_ isFound: ([Certificate]) -> Bool) {
        countSteps()
        _ = extend([leaf], isFound)
    }

    /// Counts, by names and without a signature, how far what was sent is away from an anchor.
    private mutating func countSteps() {
        var rest = Array(Set(issuers))
        for distance in 0..<Self.maximumLength {
            let nearer = steps.filter { $0.value == distance - 1 }.keys
            let found = rest.filter { certificate in
                distance == 0
                    ? !possibleAnchors(above: certificate).isEmpty
                    : nearer.contains { $0.mayHaveIssued(certificate) }
            }
            guard !found.isEmpty else { return }
            for certificate in found { steps[certificate] = distance }
            rest.removeAll { steps[$0] != nil }
        }
    }

    /// What was sent and may have issued a certificate, the nearest to an anchor first, else as it was sent.
    private func possibleIssuers(of certificate: Certificate) -> [Certificate] {
        let possible = issuers.filter { $0.mayHaveIssued(certificate) }
        let order = possible.indices.sorted { left, right in
            (steps[possible[left]] ?? .max, left) < (steps[possible[right]] ?? .max, right)
        }
        return order.map { possible[$0] }
    }

    /// Ends the search before it looked at everything.
    private mutating func giveUp(after work: String) -> Bool {
        abandoned = UncheckedRule(
            rule: RuleID("PS-0.4-3"), summary: "further paths: the search was given up after \(work)")
        return true
    }

    /// Follows a path further, and says whether the search is over.
    private mutating func extend(_ path: [Certificate], _ isFound: ([Certificate]) -> Bool) -> Bool {
        if path.count > longest.count { longest = path }
        guard paths < Self.maximumPaths else { return giveUp(after: "\(paths) paths") }
        paths += 1
        guard path.count < Self.maximumLength, let last = path.last else { return false }
        for anchor in possibleAnchors(above: last) where !path.contains(anchor) {
            guard let isIssuer = isIssuer(anchor, of: last) else {
                return giveUp(after: "\(signatureChecks) signatures")
            }
            guard isIssuer else { continue }
            // Who verifies a path checks its signatures once more.
            guard spend(path.count) else { return giveUp(after: "\(signatureChecks) signatures") }
            if isFound(path + [anchor]) { return true }
        }
        for issuer in possibleIssuers(of: last) where !path.contains(issuer) {
            guard let isIssuer = isIssuer(issuer, of: last) else {
                return giveUp(after: "\(signatureChecks) signatures")
            }
            if isIssuer, extend(path + [issuer], isFound) { return true }
        }
        return false
    }

    private mutating func possibleAnchors(above certificate: Certificate) -> [Certificate] {
        if let known = anchors[certificate] { return known }
        let possible = store.possibleIssuers(of: certificate).filter { $0.mayHaveIssued(certificate) }
        anchors[certificate] = possible
        return possible
    }

    /// Whether a certificate's key signed another; nil if no more signatures may be checked.
    private mutating func isIssuer(_ issuer: Certificate, of subject: Certificate) -> Bool? {
        let link = Link(subject: subject, issuer: issuer)
        if let known = links[link] { return known }
        guard spend(1) else { return nil }
        let isIssuer = issuer.hasSigned(subject, agreement: agreement)
        links[link] = isIssuer
        return isIssuer
    }

    private mutating func spend(_ checks: Int) -> Bool {
        guard signatureChecks + checks <= Self.maximumSignatureChecks else { return false }
        signatureChecks += checks
        return true
    }
}
