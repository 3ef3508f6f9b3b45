import Wire

/// What was agreed on, shown and asked for in two sessions.
extension DifferenceList {
    /// Compares what was agreed on.
    mutating func compareSessions(_ first: SessionRecord, _ second: SessionRecord) {
        compare(
            "handshake", first.agreed == nil ? "not finished" : "finished",
            second.agreed == nil ? "not finished" : "finished")
        compare("version agreed", first.version, second.version)
        compare("cipher suite", first.suite, second.suite)
        if first.knowsGroup, second.knowsGroup { compare("group", first.group, second.group) }
        if let one = first.agreed, let other = second.agreed {
            compare("ALPN agreed", one.alpn?.clipped, other.alpn?.clipped)
            compare("resumed", one.resumed.word, other.resumed.word)
        }
        compare("HelloRetryRequest", first.hadRetryRequest.word, second.hadRetryRequest.word)
        compare("JA4S", first.serverHello?.ja4s.clipped, second.serverHello?.ja4s.clipped)
        compare("JA3S", first.serverHello?.ja3s.clipped, second.serverHello?.ja3s.clipped)
        if let one = first.handshakeTime, let other = second.handshakeTime, isNotable(one, other) {
            add("handshake took", [milliseconds(one)], [milliseconds(other)], isInformation: true)
        }
    }

    /// Compares the chains that origins showed.
    mutating func compareChains(
        _ first: [String], _ second: [String], _ certificates: [String: CertificateOutline]
    ) {
        compare("certificates shown", String(first.count), String(second.count))
        for index in 0..<min(first.count, second.count) where first[index] != second[index] {
            let place = index == 0 ? "leaf" : "certificate \(index + 1)"
            compare("\(place), SHA-256", first[index].clipped, second[index].clipped)
            guard let one = certificates[first[index]], let other = certificates[second[index]] else { continue }
            compare("\(place), subject", one.subject, other.subject)
            compare("\(place), issuer", one.issuer, other.issuer)
            compare("\(place), key", one.key, other.key)
            compare("\(place), valid", one.validity, other.validity)
            compare(set: "\(place), names", one.names, other.names)
        }
    }

    /// Compares what came of requests for a client certificate.
    mutating func compareIdentities(
        _ first: IdentityExchange?, _ second: IdentityExchange?, _ certificates: [String: CertificateOutline]
    ) {
        compare("client certificate asked for", (first != nil).word, (second != nil).word)
        guard first != nil || second != nil else { return }
        func leaf(_ exchange: IdentityExchange?) -> String? {
            exchange?.chain.first.map { certificates[$0]?.subject ?? $0.clipped }
        }
        compare(set: "CAs asked for", first?.authorities ?? [], second?.authorities ?? [])
        compare("client certificate given", leaf(first), leaf(second))
        if leaf(first) == leaf(second) {
            compare("its SHA-256", first?.chain.first?.clipped, second?.chain.first?.clipped)
        }
        compare("its fault", first?.fault?.clipped, second?.fault?.clipped)
    }

    /// Compares what two connections came to.
    mutating func compareOutcomes(_ first: HandshakeRecord, _ second: HandshakeRecord) {
        compare("decision", first.decision?.rawValue, second.decision?.rawValue)
        compare("phase", first.phase?.rawValue, second.phase?.rawValue)
        // What is not known is no difference.
        let isDecided = first.isDecided && second.isDecided
        let (one, other) = (first.comparableVerdict, second.comparableVerdict)
        compare("verdict", one, other, isInformation: !isDecided)
        compare("events", first.whole, second.whole, isInformation: true)
        compare("client's alerts", first.client.peerAlerts.named, second.client.peerAlerts.named)
        compare("our alerts to the client", first.client.ownAlerts.named, second.client.ownAlerts.named)
        compare("origin's alerts", first.origin.peerAlerts.named, second.origin.peerAlerts.named)
        // How TCP ends depends on who is faster, where it does not make the verdict another one.
        let isSame = one == other || !isDecided
        compare("client ended with", first.client.end?.word, second.client.end?.word, isInformation: isSame)
        compare("origin ended with", first.origin.end?.word, second.origin.end?.word, isInformation: isSame)
        compare("answered by the proxy", first.answered.map(String.init), second.answered.map(String.init))
        compare(
            list: "failures", first.failures.map { "\($0.party.rawValue): \($0.code.rawValue)" },
            second.failures.map { "\($0.party.rawValue): \($0.code.rawValue)" })
    }

    /// Whether two times differ by more than five times; below two milliseconds they are noise.
    private func isNotable(_ one: UInt64, _ other: UInt64) -> Bool {
        let (short, long) = (min(one, other), max(one, other))
        return long > 2_000_000 && short < long / 5
    }

    private func milliseconds(_ nanoseconds: UInt64) -> String { "\(nanoseconds / 1_000_000) ms" }
}

extension SessionRecord {
    fileprivate var version: String? {
        (agreed?.version ?? serverHello?.hello.version).map(TLSNames.version)
    }

    fileprivate var suite: String? {
        (agreed?.cipherSuite ?? serverHello?.hello.cipherSuite).map(TLSNames.cipherSuite)
    }

    /// The hello has it even where the handshake was not finished, and before TLS 1.3 only what was agreed on has it: there
    /// OpenSSL names it, which has names of its own.
    fileprivate var group: String? {
        guard let named = agreed?.group else { return serverHello?.hello.keyShareGroup.map(TLSNames.group) }
        return (serverHello?.hello.keyShareGroup ?? TLSNames.group(named: named)).map(TLSNames.group) ?? named.clipped
    }

    /// Whether it is known which group was agreed on, or that none was.
    fileprivate var knowsGroup: Bool { agreed != nil || serverHello.map { $0.hello.version >= tls13 } ?? true }
}

extension HandshakeRecord {
    /// Whether its events decide what it showed.
    fileprivate var isDecided: Bool { closed != nil && !lacksEvents }

    /// The verdict as far as it can be compared.
    fileprivate var comparableVerdict: String {
        if isDecided { return verdict.comparable }
        return judgement.map { $0.name == verdictOfData ? $0.name : $0.text } ?? "not over"
    }

    /// Whether all its events are there.
    fileprivate var whole: String { lacksEvents ? "some missing" : closed == nil ? "no end" : "all there" }
}

extension [UInt8] {
    /// Alerts by name and number; nil without any.
    fileprivate var named: String? {
        isEmpty ? nil : map { "\(TLSNames.alert($0)) (\($0))" }.joined(separator: ", ")
    }
}

extension Verdict {
    /// The verdict without the number of bytes, which is that of the request.
    fileprivate var comparable: String {
        switch self {
        case .accepted: "accepted"
        case .leaked(let leak):
            switch leak.refusal {
            case .alert(let code, let stage): "leaked, then \(Verdict.rejected(alert: code, stage).text)"
            case .silence(let end, .beforeFinished): "leaked, then \(Verdict.rejectedSilently(end).text)"
            case .silence(let end, .afterFinished): "leaked, then \(Verdict.abandoned(end).text)"
            }
        case .rejected, .rejectedSilently, .abandoned, .notTested, .idle: text
        }
    }
}

extension End {
    /// How a peer ended, in the words of a table.
    fileprivate var word: String {
        switch self {
        case .closeNotify: "close_notify"
        case .fin: "FIN"
        case .reset: "RST"
        case .alert(let code): "alert \(TLSNames.alert(code)) (\(code))"
        case .timeout: "time limit"
        case .error(let errno): "error \(errno)"
        case .proxy: "ended by the proxy"
        }
    }
}

/// The verdict whose words hold the number of bytes.
private let verdictOfData = Verdict.accepted(bytes: 0).name
private let tls13: UInt16 = 0x0304
