/// One of the three conditions under which a client is watched, so that its conduct can be compared.
public enum ExperimentPhase: String, Sendable, Equatable, CaseIterable {
    /// Its bytes are relayed untouched: does it work at all?
    case baseline
    /// It is shown leaves of a CA that it was not given.
    case untrusted
    /// It is shown leaves of the CA that it was given.
    case trusted
}
