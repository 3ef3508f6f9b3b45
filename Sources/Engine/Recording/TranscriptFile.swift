internal import Crypto
internal import Glibc
internal import Synchronization
package import Transcript
internal import Wire

/// The transcript on disk: JSON Lines, whole lines only, readable by its owner only, each line with the digest of the one
/// before it.
// Sendable: only the recorder's thread for this consumer touches the state that is not guarded.
package final class TranscriptFile: EventConsumer, @unchecked Sendable {
    private let capture: Capture
    private let rotation: TranscriptRotation?
    private let losses: RecordingLosses
    private let encoder = EventEncoder()
    private var file: RecordingFile
    /// The number of the file that is written, from 1.
    private var number = 1
    /// The files that stay, the oldest first.
    private var files: [String]
    private var run: RunStarted?
    private var certificates: CertificateMemory?
    private var lines: [UInt8] = []
    /// The digest of the last line that was written, and while a piece is encoded of the last one that was encoded.
    private var digest: [UInt8]?
    /// The further file that could not be made, which is told once.
    private var refusedFile: String?
    /// What was written last, and where.
    private let closing = Mutex<(digest: String, path: String)?>(nil)

    /// How many events the disk did not take.
    package var lostEvents: UInt64 { losses.total }
    /// The path of the first file.
    package let path: String
    /// The digest of the last line that was written so far, in hexadecimal: it stands for every line of the run.
    package var closingDigest: String? { closing.withLock { $0?.digest } }
    /// The path of the file that is written at the moment.
    package var currentPath: String { closing.withLock { $0?.path } ?? path }

    /// Creates the file, with mode 0600; what is there already, a file or not, is left alone, and so are further files of
    /// a transcript of this name. A file that never gets an event is removed again.
    ///
    /// - Parameters:
    ///   - path: Where it goes.
    ///   - capture: What is kept of what is recorded beyond handshakes.
    ///   - rotation: When it goes on in a further file; nil never.
    ///   - onTrouble: Told when events are lost, and when they are not any more; on the recorder's thread.
    /// - Throws: `EngineError` if one of them is there, or it cannot be made.
    package init(
        path: String, capture: Capture = Capture(), rotation: TranscriptRotation? = nil,
        onTrouble: @escaping @Sendable (RecordingTrouble) -> Void = { _ in }
    ) throws(EngineError) {
        if let further = TranscriptRotation.furtherFiles(of: path).first {
            throw EngineError(
                "cannot write the transcript \(path): \(further.path) is there already, and is part of another one",
                hint: "move the files of that run away together, or choose another name")
        }
        file = try Self.open(path)
        self.path = path
        self.capture = capture
        self.rotation = rotation
        losses = RecordingLosses(onTrouble)
        files = [path]
        certificates = rotation.map { _ in CertificateMemory() }
    }

    package func consume(_ events: [Event]) {
        var rest = events[...]
        file.isBegun = true
        while let next = rest.first {
            rotateIfFull(next)
            let former = digest
            lines.removeAll(keepingCapacity: lines.capacity <= 2 * Self.piece)
            let lost = losses.pending
            if lost > 0 {
                var gap = next
                gap.connection = nil
                gap.kind = .gap(lost: lost)
                append(gap)
            }
            let before = rest.count
            let room = min(Self.piece, rotation.map { $0.size - file.length } ?? .max)
            repeat {
                if let event = rest.popFirst() { encode(event) }
            } while !rest.isEmpty && lines.count < room
            if file.append(lines) {
                losses.recover()
                closing.withLock { $0 = digest.map { (Hex.encode($0), file.path) } }
            } else {
                losses.refuse(UInt64(before - rest.count), errno: errno)
                digest = former
                certificates?.forgetFile()
            }
        }
    }

    private static func open(_ path: String) throws(EngineError) -> RecordingFile {
        try RecordingFile(path: path, what: "the transcript", option: "--transcript")
    }

    private func encode(_ event: Event) {
        guard capture.includes(event.kind) else { return }
        if case .runStarted(let run) = event.kind { self.run = run }
        if case .gap(let missing) = event.kind { losses.tell(.tooSlow(missing: missing)) }
        // The first file has them from the recorder; a further one may name what only the first one holds.
        for certificate in certificates?.missing(for: event.kind) ?? [] {
            append(Event(connection: nil, monotonic: event.monotonic, wall: event.wall, kind: certificate))
        }
        append(event)
    }

    /// Encodes a line, linked to the one before it.
    private func append(_ event: Event) {
        let start = lines.count
        encoder.encode(event, link: digest.map(EventEncoder.Link.after) ?? .first, into: &lines)
        digest = lines.withUnsafeBytes { Digest.sha256(UnsafeRawBufferPointer(rebasing: $0[start...].dropLast())) }
    }

    /// Goes on in a further file if this one is full; where that cannot be made, it goes on here.
    private func rotateIfFull(_ event: Event) {
        guard let rotation, let run, file.length >= rotation.size else { return }
        let path = TranscriptRotation.path(path, number: number + 1)
        let next: RecordingFile
        do throws(EngineError) {
            next = try Self.open(path)
        } catch {
            if refusedFile != path { losses.tell(.cannotGoOn(path: path, reason: error.message)) }
            refusedFile = path
            return
        }
        next.isBegun = true
        let former = digest
        lines.removeAll(keepingCapacity: true)
        let beginning = Event.Kind.runContinued(RunContinued(run: run, file: number + 1))
        certificates?.forgetFile()
        // The first line of a file is its beginning; the certificates that it names follow.
        for kind in [beginning] + (certificates?.missing(for: beginning) ?? []) {
            append(Event(connection: nil, monotonic: event.monotonic, wall: event.wall, kind: kind))
        }
        guard next.append(lines) else {
            digest = former
            unlink(path)
            return
        }
        file = next
        number += 1
        files.append(path)
        while let kept = rotation.kept, files.count > max(kept, 1) { unlink(files.removeFirst()) }
    }

    /// What is encoded before it is written.
    private static let piece = 1 << 20
}
