public import Transcript

/// One thing that a transcript says, and whether the transcript itself proves it.
public struct Claim: Sendable, Equatable {
    /// What is claimed; the names are part of the format of `--json`.
    public enum Kind: String, Sendable, CaseIterable {
        /// The certificates of the handshake are those of the events.
        case chain
        /// Each certificate of a chain is signed by the next one.
        case chainSignatures
        /// The chain that a client was shown ends in the run's own CA.
        case authority
        /// The server holds the key of its certificate.
        case serverSignature
        /// The client holds the key of its certificate.
        case clientSignature
        /// The client certificate of the handshake is that of the events.
        case identity
        /// The server's Finished follows from the secret and the messages.
        case serverFinished
        /// The client's Finished does.
        case clientFinished
        /// The hellos of the events are those of the handshake.
        case hello
        /// The fingerprints of the hellos are right.
        case fingerprints
        /// What was agreed on is what the messages say.
        case parameters
        /// The messages are those in the records that are not encrypted.
        case plainRecords
        /// The messages are those in the records that are.
        case sealedRecords
        /// The alerts are those in the records.
        case alerts
        /// The data that came is in the records.
        case data
        /// What happened agrees with the messages and alerts.
        case course
        /// The verdict follows from the events.
        case verdict
        /// Certificates have the digests that they are named by.
        case certificates
        /// Lines say of what they hold what the tool that wrote them says of it.
        case text
        /// Every line names the digest of the line before it.
        case lines
        /// The last line is the one that was vouched for elsewhere.
        case closingDigest
        /// Somebody signed the last file.
        case signature
        /// As many connections are there as the end of the run says, and it counted no event as lost.
        case completeness
    }

    /// Whether it holds.
    public enum Result: Sendable, Equatable {
        /// It does.
        case proven
        /// The transcript cannot show it, for this reason.
        case notProven(String)
        /// It is false, in this way.
        case failed(String)
    }

    /// What is claimed.
    public var kind: Kind
    /// The side of the session; nil where there is none.
    public var side: Side?
    /// Whether it holds.
    public var result: Result
    /// The line that says it, counted from 1 in its file; nil if no single one does.
    public var line: Int?

    /// Joins a claim with what came of it.
    public init(_ kind: Kind, _ side: Side? = nil, _ result: Result, line: Int? = nil) {
        self.kind = kind
        self.side = side
        self.result = result
        self.line = line
    }
}

extension Claim.Result {
    /// Why it is not proven, or how it is false; nil if it is proven.
    public var reason: String? {
        switch self {
        case .proven: nil
        case .notProven(let reason), .failed(let reason): reason
        }
    }

    /// Whether it is false.
    public var isFailure: Bool { if case .failed = self { true } else { false } }
}

extension Claim.Kind {
    /// Whether it is about the run as a whole, and not about a connection.
    var isAboutRun: Bool {
        switch self {
        case .certificates, .text, .lines, .closingDigest, .signature, .completeness: true
        case .chain, .chainSignatures, .authority, .serverSignature, .clientSignature, .identity, .serverFinished,
            .clientFinished, .hello, .fingerprints, .parameters, .plainRecords, .sealedRecords, .alerts, .data, .course,
            .verdict:
            false
        }
    }

    /// What is claimed, in a few words.
    public var title: String {
        switch self {
        case .chain: "certificates shown are those recorded"
        case .chainSignatures: "certificates are signed by the next"
        case .authority: "the client's chain ends in the run's CA"
        case .serverSignature: "server holds its certificate's key"
        case .clientSignature: "client holds its certificate's key"
        case .identity: "client certificates are those recorded"
        case .serverFinished: "server's Finished"
        case .clientFinished: "client's Finished"
        case .hello: "hellos are those recorded"
        case .fingerprints: "fingerprints (JA3, JA4, JA3S, JA4S)"
        case .parameters: "agreed parameters"
        case .plainRecords: "messages in plain records"
        case .sealedRecords: "messages in encrypted records"
        case .alerts: "alerts are in the records"
        case .data: "application data is in the records"
        case .course: "events agree with the messages"
        case .verdict: "verdicts follow from the events"
        case .certificates: "certificates have their digests"
        case .text: "lines say what they hold"
        case .lines: "lines follow each other"
        case .closingDigest: "closing digest"
        case .signature: "signature over the last file"
        case .completeness: "as many connections as were counted"
        }
    }
}
