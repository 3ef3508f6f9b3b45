import Testing
import Transcript
import Wire

/// What is still open at a host.
@Suite struct HostProgressTests {
    private let api = "api.example.com:443"
    private var host: HostName { .named("api.example.com") }

    private func open(_ experiment: Experiment) -> Set<ExperimentPhase> {
        experiment.run.progress(at: host).open
    }

    @Test func `of an unknown host everything is open`() {
        #expect(
            Experiment().run.progress(at: host) == HostProgress(open: [.baseline, .untrusted, .trusted], stacks: 0))
    }

    @Test func `a phase is settled by an acceptance, an alert, or two silent ends`() {
        var experiment = Experiment(working: api)
        #expect(open(experiment) == [.untrusted, .trusted])
        experiment.add(.untrusted, .alerting(48))
        #expect(open(experiment) == [.trusted])
        experiment.add(.trusted, .closing())
        #expect(open(experiment) == [.trusted])
        experiment.add(.trusted, .closing())
        #expect(open(experiment).isEmpty)
    }

    @Test func `a client that only idles, or leaves after sending, settles nothing`() {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .idling(), .idling())
        experiment.add(.trusted, .sendingAndLeaving(), .sendingAndLeaving())
        #expect(open(experiment) == [.untrusted, .trusted])
    }

    @Test func `a new client stack opens its phases again`() {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .alerting(48))
        experiment.add(.trusted, .accepting())
        #expect(open(experiment).isEmpty)
        experiment.add(.trusted, .alerting(46, stack: stackB))
        #expect(experiment.run.progress(at: host) == HostProgress(open: [.untrusted], stacks: 2))
    }

    @Test func `what other hosts show is theirs`() {
        var experiment = Experiment(working: "b.example:443")
        experiment.add(.untrusted, .alerting(48, "b.example:443"))
        #expect(experiment.run.progress(at: host).stacks == 0)
        #expect(open(experiment) == [.baseline, .untrusted, .trusted])
    }

    @Test func `open connections count as far as they have come`() {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .secured())
        #expect(open(experiment) == [.untrusted, .trusted])
        experiment.add(.untrusted, .secured() + [.firstData(.client)])
        #expect(open(experiment) == [.trusted])
    }

    @Test func `a baseline that was not answered stays open`() {
        var experiment = Experiment()
        experiment.add(.baseline, .unreachable(api))
        #expect(open(experiment) == [.baseline, .untrusted, .trusted])
    }

    @Test func `connections that never came to a hello keep nothing open`() {
        var experiment = Experiment(working: api)
        experiment.add(.untrusted, .unreachable(api), .alerting(48))
        experiment.add(.trusted, .accepting(), Conversation.tunnel().left(.fin, in: .hello))
        #expect(experiment.run.progress(at: host) == HostProgress(open: [], stacks: 1))
    }
}
