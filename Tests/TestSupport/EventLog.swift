internal import Engine
package import Transcript
internal import Wire

/// Keeps what is recorded, for a test to wait for and look at.
package final class EventLog: EventConsumer {
    private let events = Watched<[Event]>([])
    private let ends = Watched(0)

    /// Starts empty.
    package init() {}

    package func consume(_ batch: [Event]) {
        events.update { $0 += batch }
        let closed = batch.count { if case .closed = $0.kind { true } else { false } }
        ends.update { $0 += closed }
    }

    /// Waits until so many connections are over, those that were forgotten included.
    package func closed(_ count: Int) async throws { try await ends.wait("\(count) ends") { $0 >= count } }

    /// Forgets all events so far.
    package func forget() { events.update { $0 = [] } }

    /// All events so far.
    package var all: [Event] { events.current }

    /// What has happened to a connection so far.
    package func soFar(of connection: UInt64 = 1) -> [Event.Kind] {
        events.current.filter { $0.connection == connection }.map(\.kind)
    }

    /// Waits until so many events were recorded.
    package func count(_ count: Int) async throws { try await events.wait("\(count) events") { $0.count >= count } }

    /// Waits for an event.
    @discardableResult
    package func first<Result: Sendable>(
        _ what: String, of connection: UInt64? = 1, _ pick: @escaping @Sendable (Event.Kind) -> Result?
    ) async throws -> Result {
        try await events.first(what) { events in
            events.lazy.filter { $0.connection == connection }.compactMap { pick($0.kind) }.first
        }
    }

    /// Waits until a connection is over, and says everything that happened to it.
    package func story(of connection: UInt64 = 1) async throws -> Story {
        try await events.first("the end of connection \(connection)") { events in
            let kinds = events.filter { $0.connection == connection }.map(\.kind)
            guard case .closed? = kinds.last else { return nil }
            return Story(kinds: kinds)
        }
    }
}

/// Everything that happened to one connection.
package struct Story: Sendable {
    /// The events in order.
    package let kinds: [Event.Kind]

    /// How it ended.
    package var closed: Closed {
        guard case .closed(let closed)? = kinds.last else { preconditionFailure("a story ends") }
        return closed
    }

    /// The kinds of the failures.
    package var failures: [Failure.Code] {
        kinds.compactMap { if case .failed(let failure) = $0 { failure.code } else { nil } }
    }

    /// The ends of a side's peer, with their phases.
    package func ends(_ side: Side) -> [String] {
        kinds.compactMap {
            if case .ended(side, let end, let phase) = $0 { "\(end) in \(phase)" } else { nil }
        }
    }

    /// The events as short lines, in order.
    package var lines: [String] { kinds.map(\.line) }
}

extension Event.Kind {
    /// The event in a few words: what a test can expect without knowing lengths and digests.
    package var line: String {
        switch self {
        case .runStarted: "run started"
        case .runEnded: "run ended"
        case .runContinued(let run): "run continued \(run.file)"
        case .originHello: "origin hello"
        case .serverHello(let side, let record): "server hello \(side)\(record.hello.isRetryRequest ? " again" : "")"
        case .traffic(let side, let direction, let offset, let bytes):
            "traffic \(side) \(direction) \(offset) \(bytes.count)"
        case .secret(let side, let secret): "secret \(side) \(secret.label)"
        case .head(let head):
            "head \(head.sender) \(head.exchange) \(head.method ?? head.status.map(String.init) ?? "-")"
        case .contentEnded(let side, let exchange, let bytes): "content ended \(side) \(exchange) \(bytes)"
        case .headsStopped(let side, let reason): "heads stopped \(side) \(reason)"
        case .data(let side, let offset, let bytes): "data \(side) \(offset) \(bytes.count)"
        case .verdict(let verdict): "verdict \(verdict.name)"
        case .gap(let lost): "gap \(lost)"
        case .acceptingPaused(let limit): "accepting paused \(limit)"
        case .acceptingResumed: "accepting resumed"
        case .commandStarted(let command): "command started \(command.phase) \(command.run)"
        case .commandEnded(let command): "command ended \(command.ending)"
        case .opened: "opened"
        case .requested(let method, let target, _): "requested \(method) \(target)"
        case .phase(let phase, _): "phase \(phase)"
        case .decided(let decision, let rule): "decided \(decision) by \(rule ?? "default")"
        case .connected: "connected"
        case .withheldHTTP2(let end, let offered):
            "withheld HTTP/2 after \(end.map { "\($0)" } ?? "-") offered \(offered.joined(separator: ","))"
        case .notTLS(let content): "not TLS \(content)"
        case .hello: "hello"
        case .wire(let side, let direction, _): "wire \(side) \(direction)"
        case .message(let side, let direction, let bytes, _): "message \(side) \(direction) \(bytes.first ?? 255)"
        case .alert(let side, let direction, let level, let code): "alert \(side) \(direction) \(level) \(code)"
        case .certificate: "certificate"
        case .chain(let side, let digests): "chain \(side) \(digests.count)"
        case .issuerFetched(let fetched):
            "issuers \(fetched.digests.count)\(fetched.fromCache ? " again" : "") \(fetched.fault ?? "")"
        case .identity(let exchange):
            "identity \(exchange.side) \(exchange.chain.count) of \(exchange.authorities.count)"
                + (exchange.fault == nil ? "" : " faulty")
        case .forged(let host, _, let key, let fromCache, let mirrors):
            "forged \(host) \(key)\(fromCache ? " again" : "")" + mirrors.map { " \($0)" }.joined()
        case .secured(let side, let parameters): "secured \(side) \(parameters.alpn ?? "-")"
        case .framing(let side, let oddity): "framing \(side) \(oddity)"
        case .firstData(let side): "first data \(side)"
        case .firstRequest: "first request"
        case .answered(let status, let reason): "answered \(status) \(reason)"
        case .ended(let side, let end, let phase): "ended \(side) \(end) \(phase)"
        case .failed(let failure): "failed \(failure.code) by \(failure.party) in \(failure.phase)"
        case .closed(let closed):
            "closed by \(closed.by) in \(closed.phase) client \(closed.client.map { "\($0)" } ?? "-") "
                + "origin \(closed.origin.map { "\($0)" } ?? "-") bytes \(closed.clientBytes) \(closed.originBytes)"
        }
    }
}
