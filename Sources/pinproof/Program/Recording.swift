internal import Authority
internal import Crypto
internal import Engine
internal import Glibc
internal import Report
internal import Transcript

/// What a run is recorded in: the files that were asked for.
struct Recording {
    /// The transcript, if there is one.
    let transcript: TranscriptFile?
    /// What is made of the events for other programs: a key log, a capture.
    private let copies: [(path: String, consumer: any EventConsumer)]
    private let signer: TLSIdentity?
    /// What of connections has to be told beyond their handshakes.
    let capture: Capture

    /// Creates the files; none that is there already is touched.
    ///
    /// - Parameter options: What was asked for.
    /// - Throws: `EngineError` if one cannot be made, `CommandError` and the like if the signer's file cannot be used.
    init(_ options: RecordingOptions) throws {
        // Before any file is made: a password may be wrong.
        signer = try options.signer.map {
            try IdentitySource($0, readingPasswordFrom: options.signerPassword).current().identity
        }
        let rotation = options.size.map { TranscriptRotation(size: $0, kept: options.kept) }
        transcript = try options.transcript.map {
            try TranscriptFile(
                path: $0, capture: options.capture, rotation: rotation, onTrouble: Self.warning(of: $0))
        }
        var copies: [(path: String, consumer: any EventConsumer)] = []
        var capture = options.capture
        if let path = options.keyLog {
            copies.append((path, try KeyLogFile(path: path, onTrouble: Self.warning(of: path))))
            capture = capture.union(Capture(secrets: true))
        }
        if let path = options.pcapng {
            copies.append((path, try PcapngFile(path: path, onTrouble: Self.warning(of: path))))
            capture = capture.union(Capture(wire: true, secrets: true))
        }
        self.copies = copies
        self.capture = capture
    }

    /// Who is to get the events.
    var consumers: [any EventConsumer] { evidence + copies.map(\.consumer) }

    /// Who of them has to have got all of them, for what they show to be believed.
    var evidence: [any EventConsumer] { transcript.map { [$0] } ?? [] }

    /// Says which of the files are not whole.
    ///
    /// - Parameter recorder: Where the events came from, when everything is in the files.
    /// - Throws: `CommandError` if the transcript is not; a copy that is not has no part in any verdict.
    func expectWhole(_ recorder: Recorder) throws {
        for copy in copies {
            let lost = recorder.lost(by: [copy.consumer])
            guard lost > 0 else { continue }
            try StandardStream.error.write(
                "pinproof: warning: \(copy.path.printable): \(lost) events are missing; "
                    + "make room on the disk, or record to a faster one\n")
        }
        guard let transcript else { return }
        let lost = recorder.lost(by: [transcript])
        guard lost > 0 else { return }
        throw CommandError(
            "\(lost) events are missing in the transcript", at: transcript.path,
            mend: "make room on the disk, or record less or to a faster one, and run again", code: .inconclusive)
    }

    private static func warning(of path: String) -> @Sendable (RecordingTrouble) -> Void {
        { try? StandardStream.error.write("pinproof: warning: \(path.printable): \($0.text)\n") }
    }

    /// What stands for the whole transcript; nil without one.
    ///
    /// To be called when everything is in the files.
    ///
    /// - Returns: The seal, with the signature beside the last file if one was asked for.
    /// - Throws: `CommandError` if it cannot be written.
    func seal() throws -> TranscriptSeal? {
        guard let transcript, let digest = transcript.closingDigest else { return nil }
        var seal = TranscriptSeal(path: transcript.path, digest: digest)
        if let signer {
            let path = transcript.currentPath + ".p7s"
            try Files.create(path, try DetachedSignature.sign(file: transcript.currentPath, as: signer).der)
            seal.signature = path
        }
        return seal
    }
}

extension RecordingTrouble {
    /// What is said of it while the run goes on.
    fileprivate var text: String {
        switch self {
        case .refused(let errno):
            "nothing can be recorded (\(String(cString: strerror(errno)))); the proxy goes on, and what is missing is counted"
        case .over(let missing): "events are recorded again; \(missing) are missing"
        case .tooSlow(let missing): "events come faster than they can be written; \(missing) are missing"
        case .cannotGoOn(let path, let reason):
            "the transcript goes on here, beyond its size, and not in \(path.printable): \(reason.printable)"
        }
    }
}
