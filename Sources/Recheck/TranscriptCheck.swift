public import Crypto
internal import Transcript
public import TranscriptFiles
internal import Wire

/// Re-checks recorded handshakes from the files alone.
///
/// Connections are judged when they close. What is kept of open ones is bounded: `SessionRecord.limit` for one session and
/// `openLimit` for all of them; what goes beyond is reported as not proven.
public struct TranscriptCheck {
    private let onConnection: (ConnectionCheck) -> Void
    private let expectedDigest: [UInt8]?
    private let givenAuthorities: [String: Certificate]
    private var summary = CheckSummary()
    private var chain = LineChain()
    private var open: [UInt64: ConnectionRecord] = [:]
    private var openSize = 0
    /// The digests of certificates that were read and have just these digests.
    private var known: Set<String> = []
    private var run: RunStarted?
    private var command: CommandStarted?
    private var authorities: [String: Certificate] = [:]
    private var opened: UInt64 = 0
    private var lost: UInt64 = 0
    private var ended: RunEnded?
    private var beginsLate = false
    private var file = ""
    private var lastPlace: String?
    private var breaks = 0

    /// How many octets of open connections are kept at most, about.
    public static let openLimit = 256 << 20
    /// More certificates than this are not remembered.
    private static let certificateLimit = 1 << 18
    private static let authorityLimit = 64
    /// A chain that breaks at every line says nothing more by it.
    private static let breakLimit = 100

    /// Starts with nothing read.
    ///
    /// - Parameters:
    ///   - expectedDigest: The closing digest that was kept elsewhere; nil if there is none.
    ///   - authorities: Certificates of CAs; those that the run names by their digests prove the ends of chains.
    ///   - onConnection: Told what came of each connection, when it closes.
    public init(
        expectedDigest: [UInt8]? = nil, authorities: [Certificate] = [],
        onConnection: @escaping (ConnectionCheck) -> Void
    ) {
        self.expectedDigest = expectedDigest
        let named = authorities.map { (Hex.encode($0.sha256), $0) }
        givenAuthorities = Dictionary(named) { first, _ in first }
        self.onConnection = onConnection
    }

    /// Reads the next file of the run to its end.
    ///
    /// - Parameters:
    ///   - reader: The file.
    ///   - name: What it is called, for people.
    /// - Throws: `TranscriptError` if it is no transcript, or broken before its end.
    public mutating func read(_ reader: TranscriptReader, name: String) throws(TranscriptError) {
        file = name
        while let line = try reader.nextLine() { add(line) }
        if let length = reader.truncatedLength {
            summary.warnings.append("\(name): the last line is broken: \(length) octets are left out")
        }
        if reader.unknownEvents > 0 {
            summary.warnings.append("\(name): \(reader.unknownEvents) events of kinds that are not known here")
        }
    }

    /// Adds what is known of the transcript besides its lines, such as a signature over it.
    public mutating func add(_ claim: Claim) { summary.add(claim, file: file) }

    /// Ends the check.
    ///
    /// - Returns: What came of it.
    public mutating func finish() -> CheckSummary {
        for number in open.keys.sorted() { judge(number, gap: .unfinished) }
        closeLines()
        closeRun()
        return summary
    }

    // MARK: Lines

    private mutating func add(_ line: TranscriptLine) {
        let place = "\(file): line \(line.number)"
        if let fault = chain.add(line, place: place, after: lastPlace), breaks < Self.breakLimit {
            breaks += 1
            summary.add(Claim(.lines, nil, .failed(fault), line: line.number), file: file)
        }
        lastPlace = place
        summary.lines += 1
        guard let event = line.event else { return }
        if let connection = event.connection {
            add(event.kind, connection, line: line.number)
        } else {
            add(event.kind, line: line.number)
        }
    }

    private mutating func add(_ kind: Event.Kind, line: Int) {
        switch kind {
        case .runStarted(let run): self.run = run
        case .runContinued(let continued):
            if run == nil {
                beginsLate = true
                run = continued.run
            } else if run != continued.run {
                summary.add(Claim(.lines, nil, .failed("the file belongs to another run"), line: line), file: file)
            }
        case .commandStarted(let command): self.command = command
        case .commandEnded: command = nil
        case .gap(let count):
            lost = lost.addingReportingOverflow(count).overflow ? .max : lost + count
            for number in open.keys { open[number]?.gap = .lost("events are missing before line \(line)") }
        case .runEnded(let run): ended = run
        case .certificate(let digest, let der): add(certificate: der, digest: digest, line: line)
        default: break
        }
    }

    private mutating func add(certificate der: [UInt8], digest: String, line: Int) {
        let isRight = Hex.encode(Digest.sha256(der)) == digest
        let result: Claim.Result = isRight ? .proven : .failed("the certificate has another digest")
        summary.add(Claim(.certificates, nil, result, line: line), file: file)
        guard isRight else { return }
        if known.count < Self.certificateLimit { known.insert(digest) }
        guard authorities.count < Self.authorityLimit, let certificate = try? Certificate(der: der) else { return }
        // One of several phases is only named later, by the connections.
        if expectedAuthorities.contains(digest) || certificate.isSelfIssued { authorities[digest] = certificate }
    }

    /// The CAs of the run, or of the command that runs now.
    private var expectedAuthorities: Set<String> {
        Set((run?.authorities ?? []) + [command?.authority].compactMap { $0 })
    }

    // MARK: Connections

    private mutating func add(_ kind: Event.Kind, _ number: UInt64, line: Int) {
        if case .certificate(let digest, let der) = kind { add(certificate: der, digest: digest, line: line) }
        if case .opened = kind {
            opened += 1
            if open[number] != nil { judge(number, gap: .lost("it is opened again in line \(line)")) }
            open[number] = ConnectionRecord(number: number)
            openSize += open[number]?.size ?? 0
        }
        guard var record = open.removeValue(forKey: number) else {
            return begin(number, kind, line: line)
        }
        let before = record.size
        if openSize < Self.openLimit {
            record.add(kind, line: line)
        } else {
            record.gap = .lost("more connections are open than are kept while they are checked")
        }
        openSize += record.size - before
        open[number] = record
        if case .closed = kind { judge(number, gap: nil) }
    }

    /// A connection whose beginning is not here.
    private mutating func begin(_ number: UInt64, _ kind: Event.Kind, line: Int) {
        guard openSize < Self.openLimit else { return }
        var record = ConnectionRecord(number: number)
        record.gap = .lost("its first events are not in the file")
        openSize += record.size
        open[number] = record
        add(kind, number, line: line)
    }

    private mutating func judge(_ number: UInt64, gap: ConnectionRecord.Gap?) {
        guard var record = open.removeValue(forKey: number) else { return }
        openSize -= record.size
        record.gap = record.gap ?? gap
        let authorities = record.authority.map { [$0] } ?? expectedAuthorities
        let known = known
        let expectations = Chains.Expectations(
            authorities: authorities,
            authorityCertificates: self.authorities.merging(givenAuthorities) { own, _ in own },
            forged: record.forged,
            mirrored: record.mirrored, isKnown: { known.contains($0) })
        let check = ConnectionCheck(record, expectations: expectations)
        summary.add(check, file: file)
        onConnection(check)
    }

    // MARK: The end

    private mutating func closeLines() {
        summary.closingDigest = chain.closing ?? []
        summary.add(proven: chain.links, of: .lines)
        if chain.loose > 0 {
            let reason = "the lines are not chained: an older version wrote them"
            summary.add(Claim(.lines, nil, .notProven(reason)), file: file)
        }
        if let predecessor = chain.predecessor {
            let reason = "the file before the first one is not here; its closing digest is \(Hex.encode(predecessor))"
            summary.add(Claim(.lines, nil, .notProven(reason)), file: file)
        }
        let result: Claim.Result =
            if let expectedDigest {
                expectedDigest == chain.closing
                    ? .proven : .failed("the last line has the digest \(Hex.encode(chain.closing ?? []))")
            } else {
                .notProven(
                    "nothing outside the file vouches for the whole: compare the closing digest with what was printed when it was recorded (--digest)"
                )
            }
        summary.add(Claim(.closingDigest, nil, result), file: file)
    }

    private mutating func closeRun() {
        let result: Claim.Result
        if let ended {
            if lost > 0 || ended.lost > 0 {
                result = .notProven("\(max(lost, ended.lost)) events could not be recorded")
            } else if beginsLate {
                result = .notProven("the run's first file is not here")
            } else if ended.connections != opened {
                result = .failed("the run had \(ended.connections) connections, and \(opened) are here")
            } else {
                result = .proven
            }
        } else {
            result = .notProven("the run was not over when the file ends")
        }
        summary.add(Claim(.completeness, nil, result), file: file)
    }
}
