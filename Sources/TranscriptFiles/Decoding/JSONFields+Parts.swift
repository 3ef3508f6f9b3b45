internal import Transcript
internal import Wire

/// The parts that events consist of: the counterpart of what `JSONWriter` writes of them.
extension JSONFields {
    /// Reads how a run began.
    func runStarted() throws(LineFault) -> RunStarted {
        let version: Int = try number("formatVersion")
        guard version == RunStarted.formatVersion else {
            throw LineFault(
                kind: .version, path: nil,
                reason: "version \(version) of the format is not known here, only \(RunStarted.formatVersion)")
        }
        return RunStarted(
            tool: try text("tool"), openssl: try text("openssl"), listeners: try texts("listeners"),
            authorities: try texts("authorities"),
            // Younger than the format: transcripts that were recorded before have neither.
            label: has("label") ? try optionalText("label") : nil,
            rotatesPhases: has("rotatesPhases") ? try truth("rotatesPhases") : false)
    }

    /// Reads why no connections are accepted.
    func acceptingLimit() throws(LineFault) -> AcceptingLimit {
        switch try text("reason") {
        case "connections": .connections(try number("connections"))
        case "system": .system(errno: try number("errno"))
        default: throw unknown("reason")
        }
    }

    /// Reads which command of an experiment starts.
    func commandStarted() throws(LineFault) -> CommandStarted {
        CommandStarted(
            phase: try term("phase"), authority: try optionalText("authority"), run: try number("run"),
            isControl: try truth("control"), listener: try text("listener"), controlHosts: try texts("controlHosts"))
    }

    /// Reads how a command of an experiment ended.
    func commandEnded() throws(LineFault) -> CommandEnded {
        let ending: CommandEnded.Ending =
            switch try text("how") {
            case "exit": .exit(try number("number"))
            case "signal": .signal(try number("number"))
            case "timeLimit": .timeLimit
            case "interrupted": .interrupted
            default: throw unknown("how")
            }
        return CommandEnded(ending: ending, nanoseconds: try number("nanoseconds"))
    }

    /// Reads a target as it was understood; both of its members are null if it was not.
    func endpoint() throws(LineFault) -> Endpoint? {
        guard let name = try optionalText("host") else {
            guard try isNull("port") else { throw fault("port", "a port without a host") }
            return nil
        }
        guard let host = HostName(name) else { throw fault("host", "a host name is expected") }
        let port: UInt16 = try number("port")
        guard port != 0 else { throw fault("port", "a port is not zero") }
        return Endpoint(host: host, port: port)
    }

    /// Reads how a peer ended its direction.
    func end(_ name: String) throws(LineFault) -> End {
        let fields = try object(name)
        return switch try fields.text("how") {
        case "closeNotify": .closeNotify
        case "fin": .fin
        case "reset": .reset
        case "alert": .alert(try fields.number("code"))
        case "timeout": .timeout
        case "error": .error(try fields.number("errno"))
        case "proxy": .proxy
        default: throw fields.unknown("how")
        }
    }

    /// Reads how a peer ended its direction, or null if it never did.
    func optionalEnd(_ name: String) throws(LineFault) -> End? {
        try isNull(name) ? nil : try end(name)
    }

    /// Reads a failure.
    func failure() throws(LineFault) -> Failure {
        Failure(
            party: try term("party"), code: try term("code"), phase: try term("phase"), detail: try text("detail"),
            hint: try optionalText("hint"))
    }

    /// Reads the end of a connection.
    func closed() throws(LineFault) -> Closed {
        Closed(
            by: try term("by"), phase: try term("phase"), client: try optionalEnd("client"),
            origin: try optionalEnd("origin"), clientBytes: try number("clientBytes"),
            originBytes: try number("originBytes"), nanoseconds: try number("nanoseconds"))
    }
}
