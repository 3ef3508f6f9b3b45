internal import Transcript
internal import Wire

// From the answer to CONNECT to the whole ClientHello, or to what turns out not to be TLS.
extension ConnectionMachine {
    mutating func awaitHello(
        _ wait: HelloWait, _ event: ConnectionEvent, _ actions: inout [ConnectionAction]
    ) -> State {
        var wait = wait
        switch event {
        case .bytes(let bytes):
            return receive(bytes, wait, &actions)
        case .originSpoke(let bytes):
            return relayUntouched(wait, .originFirst, ofOrigin: bytes, &actions)
        case .ended(.origin, let end):
            note(.origin, end, .hello, &actions)
            // The client is owed a reason, which it can only be told inside TLS.
            wait.originEnd = wait.originEnd ?? end
            return .hello(wait)
        case .ended(.client, let end):
            recordUnused(wait.received, &actions)
            note(.client, end, .hello, &actions)
            if !wait.received.isEmpty {
                let detail = "the client ended in the middle of its ClientHello (\(wait.received.count) octets)"
                fail(Failure(party: .client, code: .peerVanished, phase: .hello, detail: detail), &actions)
            }
            return finishBoth(.proxy, phase: .hello, &actions)
        case .timedOut:
            return timedOut(wait, &actions)
        default:
            return .hello(wait)
        }
    }

    private mutating func receive(
        _ bytes: [UInt8], _ wait: HelloWait, _ actions: inout [ConnectionAction]
    ) -> State {
        guard !bytes.isEmpty else { return .hello(wait) }
        var wait = wait
        let isFirst = wait.received.isEmpty
        switch wait.assembler.receive(bytes) {
        case .incomplete:
            if isFirst { actions.append(.arm(.hello)) }
            return .hello(wait)
        case .hello(let hello, _):
            return begin(hello, wait, &actions)
        case .notTLS:
            return relayUntouched(wait, .otherProtocol, &actions)
        case .malformed(let error):
            return refuseHello(wait, .helloMalformed, "the ClientHello does not decode: \(error)", &actions)
        case .tooLarge:
            return refuseHello(wait, .helloTooLarge, "the ClientHello is larger than \(limits.hello) octets", &actions)
        }
    }

    private mutating func begin(
        _ hello: ClientHello, _ wait: HelloWait, _ actions: inout [ConnectionAction]
    ) -> State {
        var handshaking = Handshaking(hello, route: wait.route, received: wait.received)
        if let failure = outdated(hello, for: handshaking.endpoint) {
            return refuseOutdated(failure, hello, wait.received, &actions)
        }
        // Reading the client goes on: one that gives up meanwhile was never shown a certificate.
        actions += [.recordHello(hello), .arm(.handshake), .read(.origin, false)]
        if wait.route.decision == .answer { return answer(handshaking, &actions) }
        if let end = wait.originEnd {
            let failure = Failure(
                party: .origin, code: .originHandshake, phase: .originHandshake,
                detail: "the origin ended before TLS began: \(end.explained)", hint: Self.tryDirectly)
            return explain(failure, handshaking, &actions)
        }
        if wait.route.refusesHTTP2 { withholdHTTP2(after: nil, &handshaking, &actions) }
        actions.append(.secureOrigin(handshaking.endpoint, alpn: handshaking.forOrigin))
        return .originHandshake(handshaking)
    }

    /// Shows the client a leaf, and a page of ours in the place of the origin, which is not asked.
    private func answer(_ handshaking: Handshaking, _ actions: inout [ConnectionAction]) -> State {
        actions.append(.forge(handshaking.endpoint, key: handshaking.key))
        let page = Page(inPlaceOf: handshaking.name.description)
        return .forging(handshaking, alpn: handshaking.pageProtocol, page)
    }

    /// Relays what is no TLS as it comes, an end that came before it included; without an origin it only ends.
    private mutating func relayUntouched(
        _ wait: HelloWait, _ content: TunnelContent, ofOrigin bytes: [UInt8] = [], _ actions: inout [ConnectionAction]
    ) -> State {
        actions.append(.record(.notTLS(content)))
        if wait.route.decision == .answer { return endAll(by: .proxy, phase: .hello, &actions) }
        let relay = startRelay(secured: false, received: wait.received, ofOrigin: bytes, &actions)
        guard let end = wait.originEnd else { return .relaying(relay) }
        return carry(relay, .ended(.origin, end), &actions)
    }

    private mutating func timedOut(_ wait: HelloWait, _ actions: inout [ConnectionAction]) -> State {
        guard wait.received.isEmpty else {
            recordUnused(wait.received, &actions)
            let detail = "the ClientHello stayed incomplete (\(wait.received.count) octets)"
            let failure = Failure(
                party: .client, code: .timeout, phase: .hello, detail: detail,
                hint: "raise --hello-timeout for a client that is slow")
            fail(failure, &actions)
            return finishBoth(.proxy, phase: .hello, &actions)
        }
        // With the origin gone nobody will speak first any more.
        guard wait.originEnd == nil else { return relayUntouched(wait, .silence, &actions) }
        // Nobody is at fault: it is listed.
        guard !wait.isListedAsSilent else { return endAll(by: .proxy, phase: .hello, &actions) }
        var wait = wait
        wait.isListedAsSilent = true
        actions += [.record(.notTLS(.silence)), .arm(.idle)]
        return .hello(wait)
    }

    /// A hello that cannot be understood gets the alert that RFC 8446 section 6.2 asks for: decode_error.
    mutating func refuseHello(
        _ wait: HelloWait, _ code: Failure.Code, _ detail: String, _ actions: inout [ConnectionAction]
    ) -> State {
        recordUnused(wait.received, &actions)
        fail(Failure(party: .client, code: code, phase: .hello, detail: detail), &actions)
        alert(50, &actions)
        return finishBoth(.proxy, phase: .hello, &actions)
    }

    /// Tells the client with a fatal alert why there will be no session; none has begun, so it is sent in the clear.
    func alert(_ code: UInt8, version: UInt16 = 0x0303, _ actions: inout [ConnectionAction]) {
        let record = [0x15, UInt8(version >> 8), UInt8(version & 0xFF), 0x00, 0x02, 0x02, code]
        actions += [
            .reply(record), .record(.alert(.client, .sent, level: 2, code: code)),
            .record(.wire(.client, .sent, record)),
        ]
    }

    /// Records bytes of the client's handshake that no TLS session will see, and so none will report.
    func recordUnused(_ bytes: [UInt8], _ actions: inout [ConnectionAction]) {
        if !bytes.isEmpty { actions.append(.record(.wire(.client, .received, bytes))) }
    }
}
