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
    private let others: [any EventConsumer]
    private let signer: TLSIdentity?
    /// The files that were asked for.
    let files: [String]
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
            let path = $0
            return try TranscriptFile(path: path, capture: options.capture, rotation: rotation) { trouble in
                try? StandardStream.error.write("pinproof: warning: \(path.printable): \(trouble.text)\n")
            }
        }
        var others: [any EventConsumer] = []
        var capture = options.capture
        if let path = options.keyLog {
            others.append(try KeyLogFile(path: path))
            capture = capture.union(Capture(secrets: true))
        }
        if let path = options.pcapng {
            others.append(try PcapngFile(path: path))
            capture = capture.union(Capture(wire: true, secrets: true))
        }
        files = [options.transcript, options.keyLog, options.pcapng].compactMap { $0 }
        self.others = others
        self.capture = capture
    }

    /// Who is to get the events.
    var consumers: [any EventConsumer] { (transcript.map { [$0] } ?? []) + others }

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

extension TranscriptTrouble {
    /// What is said of it while the run goes on.
    fileprivate var text: String {
        switch self {
        case .refused(let errno):
            "nothing can be recorded (\(String(cString: strerror(errno)))); the proxy goes on, and what is missing is noted"
        case .over(let missing): "events are recorded again; \(missing) are missing"
        case .tooSlow(let missing): "events come faster than they can be written; \(missing) are missing"
        }
    }
}
