internal import Authority
internal import Crypto
internal import Engine
internal import Experiment
internal import Foundation
internal import Interception
internal import Reactor
internal import Report
internal import Transcript
internal import Wire

extension ProxyCommand {
    /// Runs the proxy until it is interrupted.
    static func run(_ options: ProxyOptions) async throws -> ExitCode {
        // Whoever reads the output may leave; the recording goes on.
        signal(SIGPIPE, SIG_IGN)
        let expectations = try options.findings.readExpectations()
        try options.findings.expectRoom()
        let (authority, warnings) = try loadAuthority(options)
        for warning in warnings { try StandardStream.error.write("pinproof: warning: \(warning)\n") }
        var configuration = try configuration(options, authority)
        try options.interception.warn(of: configuration)
        if !configuration.listen.isLoopback {
            try StandardStream.error.write(
                "pinproof: warning: --listen \(options.listen) lets others on the network use this proxy, and reach "
                    + "through it what this machine can reach\n")
        }

        let recording = try Recording(options.recording)
        configuration.capture = recording.capture
        var consumers = recording.consumers
        let live: any ProxyOutput
        if options.rotatesPhases {
            let scheduler = PhaseScheduler()
            configuration.rotation = try rotation(scheduler, options)
            live = PhasesOutput(options, expectations: expectations, scheduler: scheduler)
            consumers = [scheduler, live] + consumers
        } else {
            live = LiveOutput(json: options.json, quiet: options.quiet)
            consumers = [live] + consumers
        }
        let recorder = Recorder(consumers)
        let interruption = try Interruption()
        let authorities = [authority, configuration.rotation?.untrusted].compactMap { $0?.certificate }
        let proxy = try ProxyServer(configuration, recorder: recorder) { address in
            recorder.record(
                .runStarted(
                    RunStarted(
                        tool: Version.number, openssl: OpenSSLVersion.text, listeners: [address.description],
                        authorities: [Hex.encode(authority.certificate.sha256)], label: options.findings.label,
                        rotatesPhases: options.rotatesPhases)),
                connection: nil)
            // With them the end of every chain that clients are shown can be checked from the transcript alone.
            for shown in authorities {
                recorder.record(.certificate(digest: Hex.encode(shown.sha256), der: shown.der), connection: nil)
            }
        }
        try announce(proxy.address, options)

        interruption.wait()
        if !options.json { try StandardStream.error.write("pinproof: finishing; once more to end at once\n") }
        try proxy.drain(interrupted: { interruption.count > 1 })
        let isRead = recorder.flush(within: outputLimit)
        let evidence = [live] + recording.evidence
        recorder.record(
            .runEnded(RunEnded(connections: recorder.connectionCount, lost: recorder.lost(by: evidence))),
            connection: nil)
        guard recorder.flush(within: isRead ? outputLimit : .seconds(1)) else {
            throw CommandError(
                "the output is not read, so the summary is missing",
                at: recording.transcript.map { "\($0.path) is complete" } ?? "stdout",
                mend: "read what is printed, or use --quiet and --transcript", code: .inconclusive)
        }
        let code = try live.finish(lost: recorder.lost(by: evidence), seal: recording.seal())
        try recording.expectWhole(recorder)
        return code
    }

    /// How the phases rotate: the CA that the client was not given is made for the run.
    private static func rotation(_ scheduler: PhaseScheduler, _ options: ProxyOptions) throws -> PhaseRotation {
        let untrusted = try CertificateAuthority.ephemeral(name: "Pinproof untrusted", now: Int64(time(nil)))
        var rotation = PhaseRotation(untrusted: untrusted) { scheduler.assign($0) }
        if let idle = options.interception.idleTimeout { rotation.idle = idle }
        return rotation
    }

    /// How long whoever reads the output may take when the run is over; the transcript is written beside it.
    private static let outputLimit = Duration.seconds(5)

    private static func announce(_ address: SocketAddress, _ options: ProxyOptions) throws {
        if options.json {
            let line =
                ["record": "listening", "address": address.host.text, "port": Int(address.port)] as [String: Any]
            let bytes = try JSONSerialization.data(withJSONObject: line, options: [.sortedKeys])
            return try StandardStream.output.write([UInt8](bytes) + [0x0A])
        }
        try StandardStream.output.write(
            "pinproof proxy on \(address); set it as the client's HTTPS proxy. Ctrl-C ends.\n")
    }

    private static func loadAuthority(_ options: ProxyOptions) throws -> (CertificateAuthority, [String]) {
        let now = Int64(time(nil))
        if let certificate = options.authority, let key = options.authorityKey {
            return try CertificateAuthority.load(certificateFile: certificate, keyFile: key, now: now)
        }
        let folder = try StateFolder(options.state)
        try folder.expectAuthority()
        return try CertificateAuthority.load(certificateFile: folder.certificate, keyFile: folder.key, now: now)
    }

    private static func configuration(
        _ options: ProxyOptions, _ authority: CertificateAuthority
    ) throws -> ProxyConfiguration {
        guard let listen = SocketAddress(options.listen, port: options.port) else {
            throw CommandError("not an address to listen on", at: "--listen \(options.listen)")
        }
        var configuration = try options.interception.configuration(listen: listen, authority: authority)
        configuration.workers = options.workers ?? ProcessInfo.processInfo.activeProcessorCount
        configuration.scenarios = HostTable(options.scenarios.map { ($0.pattern, $0.value) })
        if let file = options.credentials { configuration.credentials = try CredentialsFile.read(file) }
        configuration.limits.drain = options.drainTimeout
        return configuration
    }
}
