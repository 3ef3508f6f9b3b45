/// What differs between two handshakes of the same client, as between two builds of an app.
///
/// What is random by nature makes no difference: randoms, session identifiers, the bytes of key shares, GREASE
/// (RFC 8701), tickets, the lengths of paddings, ports and times.
public struct HandshakeComparison: Sendable {
    /// Everything that differs, part by part.
    public let differences: [HandshakeDifference]

    /// Whether only information differs, or nothing.
    public var isEqual: Bool { differences.allSatisfy(\.isInformation) }

    /// Compares two connections.
    ///
    /// - Parameters:
    ///   - first: One.
    ///   - second: The other.
    ///   - certificates: What is known of the certificates of both, by digest.
    public init(_ first: HandshakeRecord, _ second: HandshakeRecord, certificates: [String: CertificateOutline] = [:]) {
        var hello = DifferenceList(.clientHello)
        hello.compareHellos(first.client.hello, second.client.hello)
        var ownHello = DifferenceList(.originHello)
        ownHello.compareHellos(first.origin.hello, second.origin.hello)

        var client = DifferenceList(.clientSession)
        client.compareSessions(first.client, second.client)
        // The leaf is made anew in each run: its digest and its time say nothing.
        let shown = [first, second].map { $0.client.chain.first.flatMap { certificates[$0] } }
        client.compare("key of the forged leaf", first.forgedKey, second.forgedKey)
        client.compare(set: "names in the forged leaf", shown[0]?.names ?? [], shown[1]?.names ?? [])
        client.compare(set: "mirrored faults", first.mirrors.map(\.rawValue), second.mirrors.map(\.rawValue))
        client.compareIdentities(first.client.identity, second.client.identity, certificates)

        var origin = DifferenceList(.originSession)
        origin.compareSessions(first.origin, second.origin)
        origin.compare("accepted by", first.origin.agreed?.proof?.rawValue, second.origin.agreed?.proof?.rawValue)
        origin.compare("HTTP/2 withheld", first.withheldHTTP2.word, second.withheldHTTP2.word)
        origin.compareChains(first.origin.chain, second.origin.chain, certificates)
        origin.compareIdentities(first.origin.identity, second.origin.identity, certificates)

        var outcome = DifferenceList(.outcome)
        outcome.compareOutcomes(first, second)
        differences = [hello, ownHello, client, origin, outcome].flatMap(\.differences)
    }
}

extension Bool {
    /// The truth in a word of a table.
    var word: String { self ? "yes" : "no" }
}
