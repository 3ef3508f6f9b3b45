internal import Authority
internal import Crypto
internal import Engine
internal import Experiment
internal import Foundation
internal import Interception
internal import PinClient
internal import Reactor
internal import Report
internal import Transcript
internal import Wire

extension RunCommand {
    /// Runs the command in all phases and prints what they showed.
    static func run(_ options: RunOptions) async throws -> ExitCode {
        // Whoever reads the output may leave; the experiment goes on.
        signal(SIGPIPE, SIG_IGN)
        let expectations = try options.findings.readExpectations()
        try options.findings.expectRoom()
        let authorities = try ExperimentAuthorities(now: Int64(time(nil)))
        guard let loopback = SocketAddress(.loopback, port: 0) else { preconditionFailure("loopback is an address") }
        var configuration = try options.interception.configuration(listen: loopback, authority: authorities.untrusted)
        try options.interception.warn(of: configuration)

        let folder = try TemporaryFolder()
        let inherited = ProcessInfo.processInfo.environment
        let additions = try options.interception.originAuthorities.flatMap(CertificateFile.read)
        let files = try TrustFiles(
            in: folder.url.path, system: SystemRoots.read(named: inherited["SSL_CERT_FILE"]),
            additions: additions, authority: authorities.trusted.certificate)
        let outputs = try options.output.map(OutputFolder.init)
        let recording = try Recording(options.recording)
        configuration.capture = recording.capture
        let watch = ExperimentWatch()
        let recorder = Recorder([watch] + recording.consumers)
        var plan = ExperimentPlan(command: options.command)
        plan.controls = options.controls
        plan.controlHosts = options.controlURLs.map(\.endpoint.host.text)
        plan.repeats = options.repeats
        plan.timeLimit = options.timeLimit
        plan.inherited = inherited
        if options.isBrowser {
            plan.homes = try experimenting {
                try BrowserHomes(
                    in: folder.url.path, additions: additions, authority: authorities.trusted.certificate)
            }
        }
        let experiment = Experiment(
            plan, configuration, rules: options.interception.proxyRules, authorities: authorities, files: files,
            recorder: recorder, watch: watch)

        recorder.record(
            .runStarted(
                RunStarted(
                    tool: Version.number, openssl: OpenSSLVersion.text, listeners: [], authorities: [],
                    label: options.findings.label)),
            connection: nil)
        let interruption = try Interruption()
        let progress = RunProgress(isQuiet: options.quiet, repeats: options.repeats)
        try experimenting {
            try experiment.run(interrupted: { interruption.count > 0 }, starting: progress.starting) { outcome in
                try progress.finished(outcome)
                try outputs?.keep(outcome)
            }
        }
        let evidence = [watch] + recording.evidence
        recorder.record(
            .runEnded(RunEnded(connections: recorder.connectionCount, lost: recorder.lost(by: evidence))),
            connection: nil)
        recorder.flush()
        if interruption.count > 0 { try progress.say("interrupted: what was not run is not reported on") }

        let report = ExperimentReport(
            watch.verdicts, expectations: expectations, only: options.findings.only,
            isInterrupted: interruption.count > 0,
            doubt: ExperimentReport.doubt(lost: recorder.lost(by: evidence)), seal: try recording.seal())
        try report.write(options.findings)
        try recording.expectWhole(recorder)
        return report.exitCode
    }

    /// Does something, and says what is wrong with an experiment in the words of the command line.
    private static func experimenting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ExperimentError {
            throw CommandError(error.message, mend: error.remedy)
        }
    }
}
