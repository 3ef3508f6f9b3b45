internal import Interception
internal import Transcript
internal import Wire

/// The options of `pinproof proxy`.
struct ProxyOptions: InterceptingValues, FindingsValues, RecordingValues, Equatable {
    /// The address to listen on.
    var listen = HostName.loopback
    /// The port to listen on; 0 for any free one.
    var port: UInt16 = 8080
    /// The number of event loops; nil for one per processor.
    var workers: Int?
    /// The file with the CA's certificate; nil for the one in the state folder.
    var authority: String?
    /// The file with the CA's key; given exactly if `authority` is.
    var authorityKey: String?
    /// The folder with the CA; nil for the usual one.
    var state: String?
    /// What clients of these hosts are shown, in the order given.
    var scenarios: [HostValue<Scenario>] = []
    /// The file with the names and passwords of those who may use the proxy; nil if anybody may.
    var credentials: String?
    /// Whether the phases of an experiment rotate over the connections.
    var rotatesPhases = false
    /// What becomes of what they show.
    var findings = FindingsOptions()
    /// What is recorded.
    var recording = RecordingOptions()
    /// Whether to print events as JSON Lines instead of the live view.
    var json = false
    /// Whether to leave the live view out.
    var quiet = false
    /// How long open connections may go on after the first signal to end.
    var drainTimeout = Duration.seconds(5)
    /// How connections are served.
    var interception = InterceptionOptions()
}

extension HostName {
    /// 127.0.0.1, where everything listens unless it is told otherwise.
    static var loopback: HostName {
        guard let address = HostName("127.0.0.1") else { preconditionFailure("127.0.0.1 is an address") }
        return address
    }
}
