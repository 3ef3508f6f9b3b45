internal import Crypto
internal import Interception
internal import Reactor
internal import Transcript
internal import Wire

/// The search for what an origin left out of its chain.
struct IssuerSearch {
    /// The certificate whose issuer is wanted, and where it says that is.
    var wanted: (orphan: Certificate, location: HTTPLocation)?
    /// The certificate whose issuer was wanted last: it is not looked for twice.
    var last: Certificate?
    /// How many were looked for.
    var hops = 0
    /// When the search began, on the recorder's clock.
    var began: UInt64?
    var fetch: IssuerFetch?
    /// Why the last one did not come.
    var fault: String?

    /// How far a chain is followed.
    static let hopLimit = 3
}

// With `--aia` the handshake with the origin waits for intermediates that the origin left out.
extension ProxyConnection {
    /// Has a session ask for missing issuers, if that is configured.
    func searchIssuers(for session: TLSSession) {
        guard worker.configuration.fetchesIssuers else { return }
        session.onMissingIssuer = { [unowned self] in wantsIssuer(of: $0) }
    }

    /// Whether the issuer of a certificate is looked for; called from inside the handshake, so no more than noted.
    private func wantsIssuer(of orphan: Certificate) -> Bool {
        guard issuers.last != orphan, issuers.hops < IssuerSearch.hopLimit,
            let location = orphan.issuerLocations.lazy.compactMap(HTTPLocation.init).first
        else { return false }
        issuers.wanted = (orphan, location)
        return true
    }

    /// Looks for the issuer that the handshake waits for, if it does.
    func fetchWantedIssuer() {
        guard issuers.fetch == nil, let (orphan, location) = issuers.wanted else { return }
        issuers.wanted = nil
        issuers.last = orphan
        issuers.hops += 1
        if let known = worker.shared.issuer(of: orphan, at: location) {
            return took([known], at: location, fromCache: true)
        }
        let now = worker.recorder.elapsed
        let began = issuers.began ?? now
        issuers.began = began
        // Nothing of the origin can be served meanwhile.
        read(.origin, false)
        let fetch = IssuerFetch(location, worker: worker) { [unowned self] in fetched($0, for: orphan, at: location) }
        issuers.fetch = fetch
        fetch.start(limit: worker.configuration.limits.issuers - .nanoseconds(Int64(clamping: now &- began)))
    }

    private func fetched(
        _ result: Result<[UInt8], IssuerFetch.Failed>, for orphan: Certificate, at location: HTTPLocation
    ) {
        // It is in the middle of its last call.
        let fetch = issuers.fetch
        worker.loop.later { withExtendedLifetime(fetch) {} }
        issuers.fetch = nil
        read(.origin, true)
        switch result {
        case .failure(let failure): missed(failure.reason, at: location)
        case .success(let file):
            let certificates = Certificate.issuerFile(file)
            guard let issuer = certificates.first(where: orphan.isIssued) else {
                let reason = certificates.isEmpty ? "no certificate is there" : "what is there did not issue it"
                return missed(reason, at: location)
            }
            worker.shared.remember(issuer, of: orphan, at: location)
            took([issuer], at: location, fromCache: false)
        }
    }

    private func took(_ issuers: [Certificate], at location: HTTPLocation, fromCache: Bool) {
        let event = IssuerFetched(
            url: location.description, digests: issuers.map { Hex.encode($0.sha256) }, fromCache: fromCache, fault: nil)
        record(.issuerFetched(event), naming: issuers)
        origin?.session?.supply(issuers)
        advanceHandshake(.origin)
    }

    private func missed(_ reason: String, at location: HTTPLocation) {
        issuers.fault = reason
        record(
            .issuerFetched(
                IssuerFetched(url: location.description, digests: [], fromCache: false, fault: reason)))
        advanceHandshake(.origin)
    }

    /// What is to be added to a refusal of a chain that has no known end; nil if that is not what is wrong.
    func missingIssuer(_ session: TLSSession) -> MissingIssuer? {
        guard let orphan = session.orphan, !orphan.isSelfIssued else { return nil }
        let location = orphan.issuerLocations.lazy.compactMap(HTTPLocation.init).first
        // A longer chain that leads nowhere more likely leads to a root that is not trusted.
        guard location != nil || session.peerChain.count <= 1 else { return nil }
        return MissingIssuer(
            issuer: orphan.issuer, isFetchable: location != nil && !worker.configuration.fetchesIssuers,
            fault: issuers.fault)
    }
}

/// An issuer that the origin left out of its chain and nobody here knows.
struct MissingIssuer {
    /// Its name.
    let issuer: String
    /// Whether it could be fetched, but is not.
    let isFetchable: Bool
    /// Why it was not fetched, if it was tried.
    let fault: String?

    /// What is missing, to follow what was refused.
    var detail: String {
        "; intermediate missing (issuer \(issuer))" + (fault.map { "; it could not be fetched: \($0)" } ?? "")
    }
}
