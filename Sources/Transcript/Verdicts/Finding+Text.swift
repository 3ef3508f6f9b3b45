import Wire

extension Finding {
    /// The finding in one sentence for a report, with its numbers.
    public var sentence: String {
        var text = "\(subject) \(statement)"
        if let leaked { text += "; \(leaked)" }
        if stacksDiffer { text += "; another client stack at this host came to another finding" }
        return text + "."
    }

    private var subject: String {
        unit.stack.map { "\(unit.host) (client \($0))" } ?? unit.host.description
    }

    private var statement: String {
        switch conclusion {
        case .pinned(let trust):
            "is pinned: the client works without interception, \(conduct(.untrusted)) and \(conduct(.trusted)), "
                + "though it trusts this CA: \(trust.text)"
        case .notPinned:
            "is not pinned: the client \(conduct(.untrusted)), and \(conduct(.trusted)), so it validates in the ordinary way "
                + "and no more"
        case .brokenValidation(let rejectsTrusted):
            "has broken validation: the client \(conduct(.untrusted))"
                + (rejectsTrusted ? ", while it \(conduct(.trusted))" : "")
        case .inconclusive(let reason): "is inconclusive: \(explanation(reason))"
        case .notExercised(let reason): "was not exercised: \(reason.text)"
        }
    }

    private func explanation(_ reason: InconclusiveReason) -> String {
        switch reason {
        case .trustNotShown:
            "the client \(conduct(.untrusted)) and \(conduct(.trusted)), and nothing shows that it trusts the latter"
        case .originRefusesProxy:
            "the origin fails or refuses the proxy (in \(untrusted.originFailures &+ trusted.originFailures) of "
                + "\(counted(untrusted.connections &+ trusted.connections, "connection"))), though the client works without it"
        case .failsWithoutProxy:
            "the client does not work without interception either (\(counted(baseline.connections, "tunnel")) seen)"
        case .baselineMissing:
            "the client \(conduct(.untrusted)) and \(conduct(.trusted)), but it was not seen to work without interception"
        case .mixedConduct(let phase):
            "under \(phase.authority) some connections to the host were accepted and some were not: the client "
                + conduct(phase)
        case .unusedConnections(let phase):
            "the client \(conduct(phase)), and it leaves connections to this host unused without interception too"
        case .commandCrashed(let phase):
            "the client \(conduct(phase)), and in that phase the command was ended by a signal"
        case .tooFewRepeats(let phase):
            "under \(phase.authority) the client went silently once in "
                + "\(counted(evidence(phase).connections, "connection")), which may be anything"
        case .leftAfterSending(let phase):
            "under \(phase.authority) the client sent data and left before any answer in \(share(evidence(phase).leftAfterSending, phase)), "
                + "which is a refusal that leaked, or all that it wanted to say"
        case .onlyIdle(let phase):
            "under \(phase.authority) the client finished the handshake and did nothing in "
                + share(evidence(phase).idle, phase)
        case .untested(let phase):
            "nothing was shown of how the client takes \(phase.authority) "
                + "(\(counted(evidence(phase).connections, "connection")))"
        }
    }

    /// What the client did in a phase, with numbers.
    private func conduct(_ phase: ExperimentPhase) -> String {
        let evidence = evidence(phase)
        var parts: [String] = []
        if evidence.accepted > 0 {
            parts.append(
                "sent \(counted(evidence.acceptedBytes, "byte")) of data under \(phase.authority) in "
                    + share(evidence.accepted, phase))
        }
        let refused = evidence.firm &+ evidence.silent
        if refused > 0 {
            parts.append("turned away from \(phase.authority) in \(share(refused, phase)) (\(evidence.refusals))")
        }
        return parts.isEmpty ? "showed nothing under \(phase.authority)" : parts.joined(separator: " and ")
    }

    private func share(_ count: UInt64, _ phase: ExperimentPhase) -> String {
        "\(count) of \(counted(evidence(phase).connections, "connection"))"
    }

    /// What the client gave away before it turned away, in both phases.
    private var leaked: String? {
        let phases = [untrusted.leaks, trusted.leaks]
        let sum = { (part: KeyPath<PhaseEvidence.LeakTotal, UInt64>) in
            phases.reduce(UInt64(0)) { $0 &+ $1[keyPath: part] }
        }
        guard sum(\.connections) > 0 else { return nil }
        var parts: [String] = []
        if sum(\.bytes) > 0 { parts.append("\(counted(sum(\.bytes), "byte")) of data") }
        if sum(\.early) > 0 { parts.append("early data in \(counted(sum(\.early), "connection"))") }
        if sum(\.identities) > 0 { parts.append("its certificate in \(counted(sum(\.identities), "connection"))") }
        return "before it turned away it gave away \(parts.joined(separator: " and "))"
    }
}

extension InconclusiveReason {
    /// How to get the evidence that is missing, in one line; nil where that is not in the tester's hands.
    public var hint: String? {
        switch self {
        case .trustNotShown:
            "show that the client trusts the CA: have it fetch an unpinned URL too (run --control-url URL), or run "
                + "--control COMMAND in the same environment; if that fails as well, give the client the CA first"
        case .originRefusesProxy:
            "see what the origin fails with; --identity, --origin-ca or --origin-pin may mend it, and --answer does without "
                + "the origin"
        case .failsWithoutProxy: "mend the client or its origin first: without interception it must work"
        case .baselineMissing: "run the baseline phase too, in which connections are relayed untouched"
        case .mixedConduct: "tell the clients apart: run each on its own"
        case .tooFewRepeats: "repeat it (run --repeat 3)"
        case .unusedConnections: "have the client do nothing but make its requests to this host"
        case .commandCrashed: "find out why it crashes, or repeat it"
        case .leftAfterSending: "have the client ask for something that it waits for"
        case .onlyIdle, .untested: "have the client make a request to the host in every phase"
        }
    }
}

extension NotExercisedReason {
    /// The reason in words.
    public var text: String {
        switch self {
        case .neverConnected: "the client never connected to it while it was to be intercepted"
        case .tunnelled: "a rule relays it untouched"
        case .refused: "a rule refuses it"
        case .certificateNeverShown: "no connection came to where a certificate is shown"
        }
    }
}

extension ExperimentPhase {
    /// The CA of the phase in words.
    fileprivate var authority: String {
        switch self {
        case .baseline: "the origin's own CA"
        case .untrusted: "a CA that it was not given"
        case .trusted: "the CA that it was given"
        }
    }
}

extension TrustEvidence {
    /// What shows it, in words.
    public var text: String {
        switch self {
        case .otherHost(let host, let connection): "it accepted it at \(host) (connection \(connection))"
        case .control(let host, let connection, true): "a control accepted it at \(host) (connection \(connection))"
        case .control(let host, let connection, false):
            "a control on another client stack accepted it at \(host) (connection \(connection))"
        case .otherRefusal: "it refuses the two in different ways"
        }
    }
}

extension PhaseEvidence {
    /// How the client turned away, with counts.
    fileprivate var refusals: String {
        var parts = alerts.sorted { $0.key < $1.key }.map { code, count in
            "alert \(TLSNames.alert(code)) (\(code)) in \(count)"
        }
        if silentBeforeFinished > 0 { parts.append("ended silently during the handshake in \(silentBeforeFinished)") }
        if silentAfterFinished > 0 {
            parts.append("ended after the handshake without any data in \(silentAfterFinished)")
        }
        return parts.joined(separator: ", ")
    }
}

private func counted(_ count: UInt64, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
