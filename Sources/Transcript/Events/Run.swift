/// The first event of a run.
public struct RunStarted: Sendable, Equatable {
    /// The version of the file format.
    public static let formatVersion = 1

    /// The version of Pinproof.
    public var tool: String
    /// The version of OpenSSL.
    public var openssl: String
    /// The addresses that are listened on.
    public var listeners: [String]
    /// The digests of the CAs that sign the leaves, one for each listener.
    public var authorities: [String]
    /// The name that the user gave the run.
    public var label: String?
    /// Whether every connection has its own phase of an experiment.
    public var rotatesPhases: Bool

    /// Joins what describes a run.
    public init(
        tool: String, openssl: String, listeners: [String], authorities: [String], label: String? = nil,
        rotatesPhases: Bool = false
    ) {
        self.tool = tool
        self.openssl = openssl
        self.listeners = listeners
        self.authorities = authorities
        self.label = label
        self.rotatesPhases = rotatesPhases
    }
}

/// The first event of a further file of a run.
public struct RunContinued: Sendable, Equatable {
    /// How the run began, as its first file has it.
    public var run: RunStarted
    /// Which file of the run it is: 2 for the second.
    public var file: Int

    /// Joins a run and the number of a file.
    public init(run: RunStarted, file: Int) {
        self.run = run
        self.file = file
    }
}

/// The last event of a run.
public struct RunEnded: Sendable, Equatable {
    /// How many connections were accepted.
    public var connections: UInt64
    /// How many events were lost to a full queue or disk.
    public var lost: UInt64

    /// Joins what closes a run.
    public init(connections: UInt64, lost: UInt64) {
        self.connections = connections
        self.lost = lost
    }
}
