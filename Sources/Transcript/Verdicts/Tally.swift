import Wire

/// The connections of an experiment, counted by host, client stack and phase.
struct Tally: Sendable {
    /// What is known of a host, whatever the client stack.
    struct Host: Sendable {
        var baseline = PhaseEvidence()
        /// Whether a rule has the proxy answer in its place.
        var isAnsweredByRule = false
        /// The most that a client sent in a tunnel in which it was answered.
        var longestExchange: UInt64?
        /// The least.
        var shortestExchange: UInt64?
        /// In how many tunnels nothing more was seen because they are open, or the proxy ended them.
        var unseenTunnels: UInt64 = 0
        /// The longest hello.
        var longestHello: UInt64?
        /// The longest handshake that a client came to the end of.
        var longestHandshake: UInt64?
        var ports: Set<UInt16> = []
        /// How many connections were accepted, of whichever client stack.
        var accepted: [ExperimentPhase: UInt64] = [:]
        /// The first of those in the trusted phase, for each client stack.
        var firstTrusted: [String?: UInt64] = [:]
    }

    /// What a client stack did at a host.
    struct Unit: Sendable {
        var untrusted = PhaseEvidence()
        var trusted = PhaseEvidence()
        /// The first connection that was accepted in the trusted phase.
        var firstTrusted: UInt64?
    }

    /// What a control command's connections to a host showed.
    struct Control: Sendable {
        var acceptedUntrusted = false
        /// The first connection that was accepted in the trusted phase, for each client stack.
        var firstTrusted: [String?: UInt64] = [:]
    }

    private(set) var hosts: [HostName: Host] = [:]
    private(set) var units: [Finding.Unit: Unit] = [:]
    private(set) var controls: [HostName: Control] = [:]
    /// The hosts and the units in the order in which they were first seen.
    private(set) var hostOrder: [HostName] = []
    private(set) var unitOrder: [Finding.Unit] = []
    private(set) var uncounted: UInt64 = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    mutating func add(_ connection: ConnectionVerdict, isControl: Bool) {
        guard let endpoint = connection.endpoint, makeRoom(for: endpoint.host, isControl) else {
            uncounted &+= 1
            return
        }
        if isControl { return addControl(connection, endpoint.host) }
        hosts[endpoint.host]?.add(connection, port: endpoint.port)
        guard connection.phase != .baseline else { return }
        let unit = Finding.Unit(host: endpoint.host, stack: connection.stack)
        if units[unit] == nil {
            guard units.count < limit else {
                uncounted &+= 1
                return
            }
            unitOrder.append(unit)
        }
        units[unit, default: Unit()].add(connection)
    }

    /// What was counted at one host alone.
    func part(_ host: HostName) -> Tally {
        var part = Tally(limit: limit)
        guard let counted = hosts[host] else { return part }
        part.hosts[host] = counted
        part.hostOrder = [host]
        part.unitOrder = unitOrder.filter { $0.host == host }
        for unit in part.unitOrder { part.units[unit] = units[unit] }
        return part
    }

    /// Whether a host is counted, if need be from now on.
    private mutating func makeRoom(for host: HostName, _ isControl: Bool) -> Bool {
        if isControl { return controls[host] != nil || controls.count < limit }
        if hosts[host] != nil { return true }
        guard hosts.count < limit else { return false }
        hosts[host] = Host()
        hostOrder.append(host)
        return true
    }

    private mutating func addControl(_ connection: ConnectionVerdict, _ host: HostName) {
        guard connection.verdict.isAccepted else { return }
        switch connection.phase {
        case .baseline: break
        case .untrusted: controls[host, default: Control()].acceptedUntrusted = true
        case .trusted:
            controls[host, default: Control()].firstTrusted.noteFirst(connection)
        }
    }
}

extension Tally.Host {
    /// How many ports are remembered.
    private static let portLimit = 16

    fileprivate mutating func add(_ connection: ConnectionVerdict, port: UInt16) {
        if ports.count < Self.portLimit { ports.insert(port) }
        if let length = connection.helloLength { longestHello = max(longestHello ?? 0, length) }
        if let length = connection.wholeHandshakeLength { longestHandshake = max(longestHandshake ?? 0, length) }
        if connection.phase == .baseline { baseline.add(connection) }
        if connection.isAnsweredByRule { isAnsweredByRule = true }
        if connection.phase == .baseline { add(connection.tunnel, isOver: connection.isOver) }
        guard connection.verdict.isAccepted else { return }
        accepted[connection.phase, default: 0] &+= 1
        if connection.phase == .trusted { firstTrusted.noteFirst(connection) }
    }

    private mutating func add(_ tunnel: TunnelTraffic?, isOver: Bool) {
        if !isOver || tunnel?.isCut == true { unseenTunnels &+= 1 }
        guard let tunnel, tunnel.isAnswered else { return }
        longestExchange = max(longestExchange ?? 0, tunnel.clientBytes)
        if !tunnel.isCut { shortestExchange = min(shortestExchange ?? .max, tunnel.clientBytes) }
    }

    /// Whether the client works at this host without us; nil if that was not tried.
    ///
    /// A tunnel's bytes are not looked at, so its sizes are all the evidence. It must have been answered: client bytes
    /// first, origin bytes after them. That alone would count a client that refuses the real origin too, such as one with
    /// an outdated pin, whose alert nobody sees; so the client must have sent more than a hello as long as the longest one
    /// of the other phases, and what can follow it where nothing is asked for. A TLS 1.3 client that turns away after its
    /// Finished sends a change_cipher_spec (6), the Finished (58 or 74) and two alerts (24 each) at most. What this cannot
    /// tell apart: a client that turns away after it gave a client certificate, or after the longer key exchange of TLS
    /// 1.2; whoever knows the client's own opinion, such as a command's status, should say so.
    var worksWithoutProxy: Bool? {
        guard baseline.connections > 0, !lacksOrigin else { return nil }
        if let longestExchange, isMoreThanHandshake(longestExchange) { return true }
        // What was cut short, or goes on, may yet have come to something.
        return unseenTunnels > 0 ? nil : false
    }

    /// Whether clients leave connections to this host unused without interception too: tunnels that came to a handshake
    /// and no more.
    var leavesUnused: Bool { shortestExchange.map { !isMoreThanHandshake($0) } ?? false }

    /// Whether a client that sent so much asked for something.
    private func isMoreThanHandshake(_ length: UInt64) -> Bool {
        guard let longestHello else { return true }
        return length > max(longestHello &+ Self.handshakeRest, (longestHandshake ?? 0) &+ Self.farewell)
    }

    /// Whether the proxy answers in the place of an origin that is not there, so that nothing works without the proxy.
    var lacksOrigin: Bool {
        isAnsweredByRule && baseline.connections > 0
            && baseline.untested(\.isOriginFailure) == baseline.connections
    }

    private static let handshakeRest: UInt64 = 5 + 6 + 74 + farewell
    private static let farewell: UInt64 = 2 * 24
}

extension Tally.Unit {
    fileprivate mutating func add(_ connection: ConnectionVerdict) {
        switch connection.phase {
        case .baseline: break
        case .untrusted: untrusted.add(connection)
        case .trusted:
            trusted.add(connection)
            if connection.verdict.isAccepted { firstTrusted = firstTrusted ?? connection.connection }
        }
    }
}

extension [String?: UInt64] {
    /// Keeps a connection if it is the first of its client stack, up to a number of stacks.
    fileprivate mutating func noteFirst(_ connection: ConnectionVerdict) {
        guard self[connection.stack] == nil, count < Self.stackLimit else { return }
        self[connection.stack] = connection.connection
    }

    private static var stackLimit: Int { 16 }
}
