extension Conclusion {
    /// What kind of conclusion it is; the names are for files.
    public var name: String {
        switch self {
        case .pinned: "pinned"
        case .notPinned: "notPinned"
        case .brokenValidation: "brokenValidation"
        case .inconclusive: "inconclusive"
        case .notExercised: "notExercised"
        }
    }
}

extension InconclusiveReason {
    /// What kind of reason it is; the names are for files.
    public var name: String {
        switch self {
        case .trustNotShown: "trustNotShown"
        case .originRefusesProxy: "originRefusesProxy"
        case .failsWithoutProxy: "failsWithoutProxy"
        case .baselineMissing: "baselineMissing"
        case .mixedConduct: "mixedConduct"
        case .unusedConnections: "unusedConnections"
        case .commandCrashed: "commandCrashed"
        case .tooFewRepeats: "tooFewRepeats"
        case .leftAfterSending: "leftAfterSending"
        case .onlyIdle: "onlyIdle"
        case .untested: "untested"
        }
    }

    /// The phase that leaves it open, if it is a certain one.
    public var phase: ExperimentPhase? {
        switch self {
        case .mixedConduct(let phase), .unusedConnections(let phase), .commandCrashed(let phase),
            .tooFewRepeats(let phase), .leftAfterSending(let phase), .onlyIdle(let phase),
            .untested(let phase):
            phase
        case .trustNotShown, .originRefusesProxy, .failsWithoutProxy, .baselineMissing: nil
        }
    }
}

extension CandidateCause {
    /// The cause in words.
    public var text: String {
        switch self {
        case .untrustedCA: "the client does not trust the CA"
        case .authorityValidity: "the CA is not valid at the client's time"
        case .leafLifetime: "the certificate's lifetime"
        case .missingTransparency: "missing certificate transparency"
        case .protocolOrVersion: "the protocol or TLS version"
        case .namingRule: "the client's rule for names"
        case .originFailure: "a failure of the origin"
        case .resumption: "resumed sessions"
        case .separateTrust: "other trusted CAs at this host alone, or another program on the same TLS library"
        case .otherEnding: "a crash, or a connection that was not needed after all"
        case .lateCheck: "a check after the data was sent (the command failed)"
        }
    }
}
