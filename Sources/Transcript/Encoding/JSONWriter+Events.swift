package import Wire

/// The parts that events consist of.
extension JSONWriter {
    /// Writes how a run began.
    mutating func writeMembers(of run: RunStarted) {
        member("formatVersion", RunStarted.formatVersion)
        member("tool", run.tool)
        member("openssl", run.openssl)
        member("listeners", run.listeners)
        member("authorities", run.authorities)
        member("label", run.label)
        member("rotatesPhases", run.rotatesPhases)
    }

    /// Writes why no connections are accepted.
    package mutating func writeMembers(of limit: AcceptingLimit) {
        key("reason")
        switch limit {
        case .connections(let number):
            value(fixed: "connections")
            member("connections", number)
            member("errno", Int?.none)
        case .system(let number):
            value(fixed: "system")
            member("connections", Int?.none)
            member("errno", number)
        }
    }

    /// Writes which command of an experiment starts.
    mutating func writeMembers(of command: CommandStarted) {
        member("phase", command.phase)
        member("authority", command.authority)
        member("run", command.run)
        member("control", command.isControl)
        member("listener", command.listener)
        member("controlHosts", command.controlHosts)
    }

    /// Writes how a command of an experiment ended.
    mutating func writeMembers(of command: CommandEnded) {
        key("how")
        var number: Int32?
        switch command.ending {
        case .exit(let status):
            value(fixed: "exit")
            number = status
        case .signal(let signal):
            value(fixed: "signal")
            number = signal
        case .timeLimit: value(fixed: "timeLimit")
        case .interrupted: value(fixed: "interrupted")
        }
        member("number", number)
        member("nanoseconds", command.nanoseconds)
    }

    /// Writes a target as it was understood.
    package mutating func writeMembers(of endpoint: Endpoint?) {
        member("host", endpoint?.host.text)
        member("port", endpoint?.port)
    }

    /// Writes where bytes were seen.
    mutating func writeMembers(_ side: Side, _ direction: Direction) {
        member("side", side)
        member("direction", direction)
    }

    /// Writes how a peer ended its direction, or null if it never did.
    package mutating func member(_ name: StaticString, _ end: End?) {
        key(name)
        guard let end else { return null() }
        beginObject()
        key("how")
        switch end {
        case .closeNotify: value(fixed: "closeNotify")
        case .fin: value(fixed: "fin")
        case .reset: value(fixed: "reset")
        case .alert(let code):
            value(fixed: "alert")
            member("code", code)
            member("name", TLSNames.alert(code))
        case .timeout: value(fixed: "timeout")
        case .error(let number):
            value(fixed: "error")
            member("errno", number)
        case .proxy: value(fixed: "proxy")
        }
        endObject()
    }

    /// Writes a failure.
    package mutating func writeMembers(of failure: Failure) {
        member("party", failure.party)
        member("code", failure.code)
        member("phase", failure.phase)
        member("detail", failure.detail)
        member("hint", failure.hint)
    }

    /// Writes the end of a connection.
    package mutating func writeMembers(of closed: Closed) {
        member("by", closed.by)
        member("phase", closed.phase)
        member("client", closed.client)
        member("origin", closed.origin)
        member("clientBytes", closed.clientBytes)
        member("originBytes", closed.originBytes)
        member("nanoseconds", closed.nanoseconds)
    }
}
