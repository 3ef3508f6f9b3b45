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
    private let version: String
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
    /// How many octets are in no line: blank ones, and a broken end.
    private var strayOctets: UInt64 = 0
    /// Whether connections were left out, since too many were open.
    private var isOverloaded = false
    /// The randoms of servers, with the connection that had them.
    private var serverRandoms: [[UInt8]: UInt64] = [:]
    private var textFaults = 0
    /// How many gaps there were, and the line of the last.
    private var gaps = 0
    private var lastGap = 0
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
    ///   - version: The version of this tool: what it wrote itself it knows in every detail.
    ///   - expectedDigest: The closing digest that was kept elsewhere; nil if there is none.
    ///   - authorities: Certificates of CAs; those that the run names by their digests prove the ends of chains.
    ///   - onConnection: Told what came of each connection, when it closes.
    public init(
        version: String, expectedDigest: [UInt8]? = nil, authorities: [Certificate] = [],
        onConnection: @escaping (ConnectionCheck) -> Void
    ) {
        self.version = version
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
        strayOctets += reader.blankLines
        if reader.blankLines > 0 { summary.warnings.append("\(name): \(reader.blankLines) blank lines") }
        if let length = reader.truncatedLength {
            strayOctets += UInt64(length)
            summary.warnings.append("\(name): the last line is broken: \(length) octets are left out")
        }
        if reader.unknownEvents > 0 {
            summary.warnings.append("\(name): \(reader.unknownEvents) events of kinds that are not known here")
        }
    }

    /// Adds what is known of the transcript besides its lines, such as a signature over it.
    public mutating func add(_ claim: Claim) { summary.add(claim, file: file) }

    /// Whether the end of the run was read.
    public var hasEnded: Bool { ended != nil }

    /// Ends the check.
    ///
    /// - Returns: What came of it.
    public mutating func finish() -> CheckSummary {
        for number in open.keys.sorted() {
            if ended?.lost == 0, isUnbroken {
                addFault("the run is over, and the connection is not", line: nil, connection: number)
            }
            judge(number, gap: .unfinished)
        }
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
        if ended != nil { addFault("the line comes after the end of the run", line: line.number) }
        if !isWritten(line, event), textFaults < Self.breakLimit {
            textFaults += 1
            let words = "the names and numbers of the line are not those of what it holds"
            summary.add(
                Claim(.text, nil, .failed(words), line: line.number), connection: event.connection, file: file)
        }
        if let connection = event.connection {
            add(event.kind, connection, at: event.monotonic, line: line.number)
        } else {
            add(event.kind, line: line.number)
        }
    }

    /// Whether the line is written as this version writes it, if that is known: `decoded` and names are there for people and
    /// programs, and are read here from the octets.
    private func isWritten(_ line: TranscriptLine, _ event: Event) -> Bool {
        guard isOfThisVersion || run == nil else { return true }
        if case .runStarted(let run) = event.kind, run.tool != version { return true }
        if case .runContinued(let continued) = event.kind, continued.run.tool != version { return true }
        let link: EventEncoder.Link =
            switch line.previous {
            case .absent, .malformed: .none
            case .none: .first
            case .digest(let digest): .after(digest)
            }
        var written: [UInt8] = []
        EventEncoder().encode(event, link: link, into: &written)
        return line.previous == .malformed || written.dropLast() == line.bytes[...]
    }

    /// Whether the run was recorded as this version does it.
    private var isOfThisVersion: Bool { run?.tool == version }

    /// Whether nothing may be missing but at the end: then what does not fit was changed.
    private var isUnbroken: Bool { !beginsLate && lost == 0 && !isOverloaded }

    private mutating func addFault(_ words: String, line: Int?, connection: UInt64? = nil) {
        summary.add(Claim(.lines, nil, .failed(words), line: line), connection: connection, file: file)
    }

    private mutating func add(_ kind: Event.Kind, line: Int) {
        switch kind {
        case .gap(0): addFault("a gap in which nothing is missing", line: line)
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
            gaps += 1
            lastGap = line
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
        let isNamed = expectedAuthorities.contains(digest)
        guard isNamed || authorities.count < Self.authorityLimit, let certificate = try? Certificate(der: der) else {
            return
        }
        // One of several phases is only named later, by the connections.
        if isNamed || certificate.isSelfIssued { authorities[digest] = certificate }
    }

    /// The CAs of the run, or of the command that runs now.
    private var expectedAuthorities: Set<String> {
        Set((run?.authorities ?? []) + [command?.authority].compactMap { $0 })
    }

    // MARK: Connections

    private mutating func add(_ kind: Event.Kind, _ number: UInt64, at time: UInt64, line: Int) {
        if case .certificate(let digest, let der) = kind { add(certificate: der, digest: digest, line: line) }
        if case .opened = kind {
            opened += 1
            if open[number] != nil {
                addFault("a connection is opened that is open", line: line, connection: number)
                judge(number, gap: .lost("it is opened again in line \(line)"))
            }
            guard openSize < Self.openLimit else {
                isOverloaded = true
                return
            }
            open[number] = ConnectionRecord(number: number, gapsBefore: gaps)
            openSize += open[number]?.size ?? 0
        }
        guard var record = open.removeValue(forKey: number) else {
            return begin(number, kind, at: time, line: line)
        }
        let before = record.size
        if openSize < Self.openLimit {
            record.add(kind, at: time, line: line)
        } else {
            record.gap = .lost("more connections are open than are kept while they are checked")
        }
        openSize += record.size - before
        open[number] = record
        if case .closed = kind { judge(number, gap: nil) }
    }

    /// A connection whose beginning is not here.
    private mutating func begin(_ number: UInt64, _ kind: Event.Kind, at time: UInt64, line: Int) {
        guard openSize < Self.openLimit else { return }
        if isUnbroken { addFault("the connection is not open here", line: line, connection: number) }
        var record = ConnectionRecord(number: number, gapsBefore: gaps)
        record.gap = .lost("its first events are not in the file")
        openSize += record.size
        open[number] = record
        add(kind, number, at: time, line: line)
    }

    private mutating func judge(_ number: UInt64, gap: ConnectionRecord.Gap?) {
        guard var record = open.removeValue(forKey: number) else { return }
        openSize -= record.size
        // A gap is one of whatever was open; which it was, nobody knows.
        if record.gapsBefore != gaps {
            record.gap = record.gap ?? .lost("events are missing before line \(lastGap)")
        }
        record.gap = record.gap ?? gap
        let authorities = record.authority.map { [$0] } ?? expectedAuthorities
        let known = known
        let expectations = Chains.Expectations(
            authorities: authorities,
            authorityCertificates: self.authorities.merging(givenAuthorities) { own, _ in own },
            forged: record.forged,
            mirrored: record.mirrored, isKnown: { known.contains($0) })
        for session in record.sessions { noteRandoms(of: session, number) }
        let check = ConnectionCheck(record, expectations: expectations, isOfThisVersion: isOfThisVersion)
        summary.add(check, file: file)
        onConnection(check)
    }

    /// Two handshakes with one random are one that was copied.
    private mutating func noteRandoms(of session: SessionRecord, _ number: UInt64) {
        for random in session.serverRandoms {
            if let other = serverRandoms[random] {
                addFault("the handshake is that of connection \(other)", line: nil, connection: number)
            } else if serverRandoms.count < Self.certificateLimit {
                serverRandoms[random] = number
            }
        }
    }

    // MARK: The end

    private mutating func closeLines() {
        summary.closingDigest = chain.closing ?? []
        summary.add(proven: chain.links, of: .lines)
        if chain.loose > 0 {
            let words = "\(chain.loose) lines name no line before them"
            let isOlder = run?.tool != version
            summary.add(
                Claim(.lines, nil, isOlder ? .notProven("\(words): an older version wrote them") : .failed(words)),
                file: file)
        }
        if isOfThisVersion {
            if textFaults == 0 { summary.add(proven: summary.lines, of: .text) }
        } else {
            let reason = "what version \(run?.tool ?? "") writes is not known here"
            summary.add(Claim(.text, nil, .notProven(reason)), file: file)
        }
        if isOverloaded {
            let reason = "more connections are open than are kept while they are checked"
            summary.add(Claim(.completeness, nil, .notProven(reason)), file: file)
        }
        if let predecessor = chain.predecessor {
            let reason = "the file before the first one is not here; its closing digest is \(Hex.encode(predecessor))"
            summary.add(Claim(.lines, nil, .notProven(reason)), file: file)
        }
        let result: Claim.Result =
            if let expectedDigest {
                if expectedDigest != chain.closing {
                    .failed("the last line has the digest \(Hex.encode(chain.closing ?? []))")
                } else if strayOctets > 0 {
                    .failed("\(strayOctets) octets are in no line, and were not there when the digest was made")
                } else {
                    .proven
                }
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
