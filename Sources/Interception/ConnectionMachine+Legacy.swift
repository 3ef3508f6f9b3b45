internal import Transcript
internal import Wire

// Clients and origins that speak nothing but versions which RFC 8996 has put out of use.
extension ConnectionMachine {
    /// What keeps a client out whose newest version is below TLS 1.2; nil if it is not so old, or its host is open to it.
    func outdated(_ hello: ClientHello, for endpoint: Endpoint) -> Failure? {
        let newest = hello.newestVersion
        guard newest < 0x0303, !legacy.isOpen(.client, for: endpoint) else { return nil }
        let offer = newest == 0x0302 ? "nothing above TLS 1.1" : "\(TLSNames.version(newest)) only"
        return Failure(
            party: .client, code: .clientOutdated, phase: .hello,
            detail: "not tested: the client offers \(offer)",
            // OpenSSL has nothing below TLS 1.0 to open.
            hint: newest < 0x0301 ? nil : "open old versions to it with --legacy-client HOST")
    }

    /// Tells an outdated client in its own version that it is, with protocol_version (RFC 5246 section 7.2.2).
    mutating func refuseOutdated(
        _ failure: Failure, _ hello: ClientHello, _ received: [UInt8], _ actions: inout [ConnectionAction]
    ) -> State {
        actions.append(.recordHello(hello))
        recordUnused(received, &actions)
        fail(failure, &actions)
        alert(70, version: hello.legacyVersion, &actions)
        return finishBoth(.proxy, phase: .hello, &actions)
    }

    /// The failure of an origin that ended its handshake.
    func failure(of handshaking: Handshaking, ended end: End) -> Failure {
        let detail = "the origin ended the handshake: \(end.explained)"
        // protocol_version: TLS 1.2 and 1.3 were offered, so it is an older one that it wants.
        if end == .alert(70), !legacy.isOpen(.origin, for: handshaking.endpoint) {
            return Failure(
                party: .origin, code: .originOutdated, phase: .originHandshake, detail: detail,
                hint: "if it is an old one, open old versions to it with --legacy-origin HOST")
        }
        return Failure(
            party: .origin, code: .originHandshake, phase: .originHandshake, detail: detail, hint: Self.tryDirectly)
    }
}

extension ClientHello {
    /// The newest version that it offers (RFC 8446 section 4.2.1).
    fileprivate var newestVersion: UInt16 {
        supportedVersions.filter { !Self.isGREASE($0) }.max() ?? legacyVersion
    }
}
