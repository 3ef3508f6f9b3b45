internal import Crypto
internal import Transcript
internal import Wire

/// What came of checking one connection.
public struct ConnectionCheck: Sendable, Equatable {
    /// The number of the connection within the run.
    public let number: UInt64
    /// Why its events are not all there; nil if they are.
    public let incompleteness: String?
    /// Everything that it claims.
    public let claims: [Claim]

    /// Judges a connection.
    ///
    /// - Parameters:
    ///   - record: What the transcript has of it.
    ///   - expectations: What its chains are measured by.
    ///   - isOfThisVersion: Whether it was recorded as this version does it.
    init(_ record: ConnectionRecord, expectations: Chains.Expectations, isOfThisVersion: Bool) {
        number = record.number
        incompleteness =
            switch record.gap {
            case .lost(let reason): reason
            case .unfinished: "the file ends before the connection does"
            case nil: nil
            }
        var claims = record.sessions.flatMap { Self.claims(of: $0, in: record, expectations) }
        claims.append(Self.verdict(of: record, isOfThisVersion: isOfThisVersion))
        self.claims = claims.map { Self.limited($0, by: record.gap) }
    }

    private static func claims(
        of session: SessionRecord, in record: ConnectionRecord, _ expectations: Chains.Expectations
    ) -> [Claim] {
        let handshakes = Handshake.all(of: session)
        return Chains(session: session, handshakes: handshakes, expectations: expectations).claims
            + handshakes.flatMap { claims(of: $0, session) }
            + Hellos.claims(session, handshakes: handshakes)
            + Records(session, handshakes: handshakes).claims
            + [Course.claim(record, session, handshakes)].compactMap { $0 }
    }

    /// What a handshake proves of itself.
    private static func claims(of handshake: Handshake, _ session: SessionRecord) -> [Claim] {
        func open(_ reason: String) -> [Claim] {
            [.serverSignature, .serverFinished, .clientFinished].map { Claim($0, session.side, .notProven(reason)) }
        }
        guard handshake.isWhole else { return open("the handshake's first messages are not recorded") }
        guard let hello = handshake.serverHello else { return open("the handshake ended before the server's hello") }
        guard hello.version == 0x0303 || hello.version == 0x0304 else {
            return open("\(TLSNames.version(hello.version)) is not checked")
        }
        guard let suite = CipherSuite(hello.cipherSuite), (suite.exchange == .keyShare) == (hello.version == 0x0304)
        else {
            return open("the cipher suite is none that is checked")
        }
        guard !session.isCut else { return open("there is more of this session than is kept while it is checked") }
        return hello.version == 0x0304
            ? Handshake13.claims(handshake, suite: suite, session: session)
            : Handshake12.claims(handshake, suite: suite, session: session)
    }

    private static func verdict(of record: ConnectionRecord, isOfThisVersion: Bool) -> Claim {
        guard let said = record.verdict else {
            guard isOfThisVersion else {
                return Claim(.verdict, nil, .notProven("no verdict is recorded: older versions record none"))
            }
            return Claim(.verdict, nil, .failed("no verdict is recorded"))
        }
        let own = RecordedVerdict(record.fold.verdict)
        let result: Claim.Result =
            if own != said.value {
                .failed("the events come to: \(own.text)")
            } else if record.sessions.contains(where: \.isCut) {
                .notProven("there is more of the connection than is kept while it is checked")
            } else {
                .proven
            }
        return Claim(.verdict, nil, result, line: said.line)
    }

    /// What may look false because events are missing is not called so.
    private static func limited(_ claim: Claim, by gap: ConnectionRecord.Gap?) -> Claim {
        guard claim.result.isFailure else { return claim }
        var claim = claim
        switch (gap, claim.kind) {
        case (nil, _): break
        case (.lost(let reason), _): claim.result = .notProven("not comparable: \(reason)")
        case (.unfinished, .verdict), (.unfinished, .plainRecords), (.unfinished, .sealedRecords),
            (.unfinished, .alerts), (.unfinished, .data), (.unfinished, .course):
            claim.result = .notProven("not comparable: the file ends before the connection does")
        case (.unfinished, _): break
        }
        return claim
    }
}
