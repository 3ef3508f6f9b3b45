internal import Authority
internal import Crypto
package import Engine
package import Interception
internal import Reactor
package import Transcript
internal import Wire

/// The one phase scheduler: runs a command behind a proxy again and again, under the conditions of each phase.
///
/// Every run has a proxy of its own, on a free port of loopback, and one recorder has the events of all. When a command
/// does not end by itself, its connections are ended by the proxy before it is: what a dying client does to its sockets
/// looks like a refusal, and is none.
///
/// **Thread:** one at a time; it blocks.
package struct Experiment {
    /// What a run of a command came to.
    package struct Outcome: Sendable {
        /// Which run it was.
        package var started: CommandStarted
        /// How it ended.
        package var ended: CommandEnded
        /// How many connections it made.
        package var connections: UInt64
        /// The end of its standard output.
        package var output: [UInt8]
        /// The end of its standard error.
        package var error: [UInt8]
    }

    private let plan: ExperimentPlan
    private let configuration: ProxyConfiguration
    private let rules: [Rule]
    private let authorities: ExperimentAuthorities
    private let files: TrustFiles
    private let recorder: Recorder
    private let watch: ExperimentWatch

    /// Prepares an experiment.
    ///
    /// - Parameters:
    ///   - plan: What to run.
    ///   - configuration: What the proxies need to know; its rules and CA are replaced in each phase, its port is 0.
    ///   - rules: The rules of the phases in which connections are intercepted.
    ///   - authorities: The CAs.
    ///   - files: What tells the command whom to trust.
    ///   - recorder: Who records; `watch` is one of its consumers.
    ///   - watch: Who follows what is recorded.
    package init(
        _ plan: ExperimentPlan, _ configuration: ProxyConfiguration, rules: [Rule],
        authorities: ExperimentAuthorities, files: TrustFiles, recorder: Recorder, watch: ExperimentWatch
    ) {
        self.plan = plan
        self.configuration = configuration
        self.rules = rules
        self.authorities = authorities
        self.files = files
        self.recorder = recorder
        self.watch = watch
    }

    /// Goes through all phases.
    ///
    /// - Parameters:
    ///   - interrupted: Asked again and again; true ends the experiment.
    ///   - starting: Told before a run starts.
    ///   - finished: Told when it is over.
    /// - Throws: `ExperimentError` if the command cannot be started, what keeps a proxy from starting, or what the
    ///   closures throw.
    package func run(
        interrupted: () -> Bool, starting: (CommandStarted) throws -> Void, finished: (Outcome) throws -> Void
    ) throws {
        for step in plan.steps where !interrupted() {
            try finished(try run(step, interrupted: interrupted, starting: starting))
        }
    }

    private func run(
        _ step: ExperimentPlan.Step, interrupted: () -> Bool, starting: (CommandStarted) throws -> Void
    ) throws -> Outcome {
        let before = recorder.connectionCount
        let proxy = try ProxyServer(configuration(step.phase), recorder: recorder)
        let started = CommandStarted(
            phase: step.phase,
            authority: authorities.authority(step.phase).map { Hex.encode($0.certificate.sha256) }, run: step.run,
            isControl: step.isControl, listener: proxy.address.description, controlHosts: plan.controlHosts)
        recorder.record(.commandStarted(started), connection: nil)
        if let shown = authorities.authority(step.phase)?.certificate {
            recorder.record(.certificate(digest: Hex.encode(shown.sha256), der: shown.der), connection: nil)
        }
        do {
            try starting(started)
            let home = try plan.homes?.make(for: step.phase)
            defer { if let home { plan.homes?.remove(home) } }
            let process = try CommandProcess(
                step.words, variables: environment(step.phase, proxy.address, home).variables(over: plan.inherited))
            var reason = process.wait(limit: plan.timeLimit, interrupted: interrupted)
            if reason == nil {
                watch.waitUntilIdle(recorder, limit: Self.settling, interrupted: interrupted)
                // What was not waited for is missing, and whoever reads the transcript has to know.
                if interrupted() { reason = .interrupted }
            }
            // At once: what a client answers to our end is no evidence either.
            proxy.stop()
            let (ended, output) = process.finish(reason)
            recorder.record(.commandEnded(ended), connection: nil)
            recorder.flush()
            return Outcome(
                started: started, ended: ended, connections: recorder.connectionCount &- before,
                output: output.standard.bytes, error: output.error.bytes)
        } catch {
            proxy.stop()
            throw error
        }
    }

    /// How long the connections of a command that is over may take to end, which those of its children may never do.
    private static let settling = Duration.seconds(2)

    private func configuration(_ phase: ExperimentPhase) -> ProxyConfiguration {
        var configuration = configuration
        if let authority = authorities.authority(phase) { configuration.authority = authority }
        configuration.rules = phase == .baseline ? .baseline(rules) : RuleBook(rules)
        return configuration
    }

    private func environment(
        _ phase: ExperimentPhase, _ proxy: SocketAddress, _ home: String?
    ) -> ClientEnvironment {
        let names = phase == .trusted ? files.trusted : files.ordinary
        return ClientEnvironment(
            phase: phase, proxyHost: proxy.host.text, proxyPort: proxy.port, bundle: names.bundle,
            javaStore: names.javaStore, javaPassword: TrustFiles.password, emptyFolder: files.emptyFolder,
            home: home)
    }
}
