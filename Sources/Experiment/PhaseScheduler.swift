package import Engine
internal import Reactor
package import Transcript
package import Wire

/// Deals out the phases of an experiment over the connections of a running proxy, by what they have shown so far.
///
/// It is a consumer of what the proxy records, and is asked on the proxy's loops. What it knows may be a few
/// milliseconds old: a client that comes back at once may get a phase that is settled already, which does no harm.
package final class PhaseScheduler: EventConsumer {
    private struct State {
        var verdicts = ExperimentVerdicts()
        var order = PhaseOrder()
    }

    private let state = Guarded(State())

    /// Starts with nothing seen.
    package init() {}

    package func consume(_ events: [Event]) {
        state.withLock { state in
            for event in events { state.verdicts.add(event) }
        }
    }

    /// The phase of the next connection to an endpoint.
    package func assign(_ endpoint: Endpoint) -> PhaseAssignment {
        state.withLock { state in
            state.order.next(at: endpoint.host, state.verdicts.run.progress(at: endpoint.host))
        }
    }

    /// What was seen so far.
    package var verdicts: ExperimentVerdicts { state.withLock { $0.verdicts } }
}
