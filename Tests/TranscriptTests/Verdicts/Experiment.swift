import Transcript
import Wire

/// An experiment made by hand: conversations in phases, and what comes of them.
struct Experiment {
    private(set) var run = RunVerdicts()
    private var connections: UInt64 = 0

    /// A client that works without us, at each of these hosts.
    init(working targets: String...) {
        for target in targets { add(.baseline, .working(target)) }
    }

    /// Adds conversations, one connection each.
    mutating func add(_ phase: ExperimentPhase, _ conversations: Conversation..., isControl: Bool = false) {
        for conversation in conversations {
            connections += 1
            for kind in conversation.kinds {
                run.add(
                    Event(connection: connections, monotonic: 0, wall: 0, kind: kind), phase: phase,
                    isControl: isControl)
            }
        }
    }

    /// The findings.
    func findings(controlHosts: [String] = [], baselineFailed: Bool = false) -> [Finding] {
        run.findings(controlHosts: Set(controlHosts.compactMap(HostName.init)), baselineFailed: baselineFailed)
    }

    /// The finding of a client stack at a host; nil for a stack stands for connections without a hello.
    func finding(_ host: String, _ stack: String? = stackA, controlHosts: [String] = []) -> Finding? {
        findings(controlHosts: controlHosts).first { $0.unit.host == HostName(host) && $0.unit.stack == stack }
    }

    /// What that finding says.
    func conclusion(
        _ host: String = "api.example.com", _ stack: String? = stackA, controlHosts: [String] = []
    ) -> Conclusion? {
        finding(host, stack, controlHosts: controlHosts)?.conclusion
    }
}

extension Conversation {
    /// A tunnel through which a client got what it wanted: a hello of 500 octets, Finished, a request, close_notify.
    static func working(_ target: String) -> Conversation {
        tunnel(target, .tunnel).exchanged(client: 760, origin: 5200)
    }

    /// A client whose alert says this.
    static func alerting(_ code: UInt8, _ target: String = "api.example.com:443", stack: String = stackA)
        -> Conversation
    {
        shown(target, stack: stack).alert(code)
    }

    /// A client that closes after the handshake.
    static func closing(_ target: String = "api.example.com:443", stack: String = stackA) -> Conversation {
        secured(target, stack: stack).left(.closeNotify, in: .relay)
    }

    /// A client that asks and is answered.
    static func accepting(_ target: String = "api.example.com:443", stack: String = stackA) -> Conversation {
        secured(target, stack: stack).exchanged()
    }

    /// A client that sends data and is gone before any answer.
    static func sendingAndLeaving(_ target: String = "api.example.com:443") -> Conversation {
        (secured(target) + [.firstData(.client)]).left(.closeNotify, in: .relay, bytes: (300, 0))
    }

    /// A client that does nothing.
    static func idling(_ target: String = "api.example.com:443") -> Conversation { secured(target) }

    /// A client that could not be served, since there is no origin.
    static func unreachable(_ target: String = "api.example.com:443") -> Conversation {
        asking(target) + [
            .failed(Failure(party: .origin, code: .connectionFailed, phase: .connecting, detail: "")),
            .answered(status: 502, reason: "connectionFailed"), .ended(.client, .fin, .closing),
            .closed(.by(.origin, .connecting, client: .fin)),
        ]
    }
}

extension HostName {
    /// A host that a test wrote down.
    static func named(_ text: String) -> HostName {
        guard let host = HostName(text) else { preconditionFailure("\(text) is no host") }
        return host
    }
}
