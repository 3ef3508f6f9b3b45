internal import Transcript
internal import Wire

/// What the records of one direction of a session hold, as far as they can be read.
struct OpenedDirection {
    /// The handshake messages in records that are not encrypted.
    private(set) var plain: [UInt8] = []
    /// Those in records that are, and were opened.
    private(set) var sealed: [UInt8] = []
    /// The alerts: level and code.
    private(set) var alerts: [(level: UInt8, code: UInt8)] = []
    /// How many records with alerts were not opened: TLS 1.2 does not hide what a record is for.
    private(set) var sealedAlerts = 0
    /// Why some records were not opened; nil if all were.
    private(set) var closedReason: String?
    /// Whether one of these did not open though its key is recorded.
    private(set) var hasBrokenRecord = false
    /// How many octets of application data were in them.
    private(set) var applicationOctets: UInt64 = 0

    private let isModern: Bool
    /// The key of TLS 1.2 once it is in use, and why there is none if there is none.
    private var classicKey: TrafficKey12?
    private let classicReason: String
    private var key: TrafficKey13?
    private var laterKey: TrafficKey13?
    private let laterLabel: String
    /// The secret that is needed now.
    private var label: String
    private var reader = RecordReader()
    /// Half an alert.
    private var alertOctets: [UInt8] = []
    /// Whether records may be here that the other end cannot open and passes over: data that a client sent early, and that
    /// was not accepted (RFC 8446 section 4.2.10).
    private var mayBeEarly: Bool
    private var isEncrypted = false
    /// Whether Finished was in it: application keys come after the first one.
    private var hasFinished = false
    /// How far the opened messages were searched for those that change keys.
    private var searched = 0

    /// Reads the handshake's records of a direction.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - direction: The direction.
    ///   - handshake: The session's first handshake, by which keys are found.
    init(_ session: SessionRecord, _ direction: Direction, handshake: Handshake?) {
        isModern = (handshake?.version ?? 0) >= 0x0304
        let isFromClient = session.isFromClient(direction)
        let party = isFromClient ? "CLIENT" : "SERVER"
        label = "\(party)_HANDSHAKE_TRAFFIC_SECRET"
        laterLabel = "\(party)_TRAFFIC_SECRET_0"
        mayBeEarly = isFromClient && (handshake?.clientHellos.first?.extensions.contains { $0.type == 42 } ?? false)
        var classicReason = "records of this cipher suite are not opened"
        if let handshake, let random = handshake.clientRandom, let hello = handshake.serverHello,
            let suite = CipherSuite(hello.cipherSuite)
        {
            if let master = session.secret("CLIENT_RANDOM", random) {
                classicKey = TrafficKey12(
                    suite, master: master, clientRandom: random, serverRandom: hello.random, isFromClient: isFromClient)
            } else {
                classicReason = Handshake12.missingSecret
            }
            key = session.secret(label, random).flatMap { TrafficKey13(suite, secret: $0) }
            laterKey = session.secret(laterLabel, random).flatMap { TrafficKey13(suite, secret: $0) }
        }
        self.classicReason = classicReason
        read(session.wire(direction))
    }

    /// Reads the octets that follow.
    mutating func read(_ bytes: [UInt8]) {
        reader.append(bytes)
        while let record = reader.next() {
            take(record)
            guard sealed.count + alerts.count <= Self.limit else {
                closedReason = closedReason ?? "there is more of this session than is kept while it is checked"
                sealed.removeAll()
                return
            }
        }
    }

    /// How much of what is not application data is kept: far more than comes after a handshake.
    private static let limit = 1 << 20

    private mutating func take(_ record: Record) {
        switch record.type {
        case Record.ContentType.changeCipherSpec where !isEncrypted:
            // TLS 1.3 sends it for old middleboxes only (RFC 8446 appendix D.4).
            if !isModern { isEncrypted = true }
        case _ where isEncrypted: openClassic(record)
        case Record.ContentType.handshake: plain += record.fragment
        case Record.ContentType.alert: take(alert: record.fragment)
        case Record.ContentType.applicationData where isModern: open(record)
        default: break
        }
    }

    /// Opens a record of TLS 1.2, whose type is not hidden.
    private mutating func openClassic(_ record: Record) {
        guard closedReason == nil, classicKey != nil else {
            closedReason = closedReason ?? classicReason
            if record.type == Record.ContentType.alert { sealedAlerts += 1 }
            return
        }
        guard let content = classicKey?.open(record) else {
            breakOff()
            return openClassic(record)
        }
        switch record.type {
        case Record.ContentType.handshake: sealed += content
        case Record.ContentType.alert: take(alert: content[...])
        case Record.ContentType.applicationData: applicationOctets += UInt64(content.count)
        // Another handshake within this one has agreed on other keys.
        case Record.ContentType.changeCipherSpec: closedReason = "the keys of a further handshake are not followed"
        default: break
        }
    }

    private mutating func open(_ record: Record) {
        guard closedReason == nil else { return }
        guard key != nil else {
            closedReason = "no \(label) is recorded for this session"
            return
        }
        guard let content = key?.open(record) else {
            if !mayBeEarly { breakOff() }
            return
        }
        mayBeEarly = false
        switch content.type {
        case Record.ContentType.handshake:
            sealed += content.content
            followKeys()
        case Record.ContentType.alert: take(alert: content.content[...])
        case Record.ContentType.applicationData: applicationOctets += UInt64(content.content.count)
        default: break
        }
    }

    private mutating func breakOff() {
        closedReason = "a record does not open with the recorded secret"
        hasBrokenRecord = true
    }

    /// Changes the key where a whole message has done so (RFC 8446 sections 4.4.4 and 4.6.3).
    private mutating func followKeys() {
        while searched + 4 <= sealed.count {
            let length = Int(sealed[searched + 1]) << 16 | Int(sealed[searched + 2]) << 8 | Int(sealed[searched + 3])
            guard searched + 4 + length <= sealed.count else { return }
            switch sealed[searched] {
            case HandshakeType.finished where !hasFinished:
                hasFinished = true
                key = laterKey
                label = laterLabel
            case HandshakeType.keyUpdate: key = key?.next
            default: break
            }
            searched += 4 + length
        }
    }

    private mutating func take(alert octets: ArraySlice<UInt8>) {
        for octet in octets {
            alertOctets.append(octet)
            guard alertOctets.count == 2 else { continue }
            alerts.append((alertOctets[0], alertOctets[1]))
            alertOctets.removeAll(keepingCapacity: true)
        }
    }
}
