import Testing

/// The built program, run as its users run it: real processes and real clients, on loopback.
///
/// All suites in it share one `Stage`. Where a client is missing the test is skipped and says so.
@Suite(.stage, .fewAtOnce) enum EndToEnd {
    @TaskLocal fileprivate static var sharedStage: Stage?

    /// What the tests talk to.
    static var stage: Stage {
        get throws { try #require(sharedStage, "only tests of this suite have a stage") }
    }
}

/// Sets the stage for a suite, and clears it away.
struct StageTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let stage = try await Stage()
        try await EndToEnd.$sharedStage.withValue(stage) { try await function() }
        try await stage.end()
    }
}

/// Lets few tests of a suite run at a time: each has processes of its own, and their deadlines should measure Pinproof,
/// not how many of them wait for a processor.
struct FewAtOnceTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.turns.take()
        let result: Result<Void, any Error>
        do { result = .success(try await function()) } catch { result = .failure(error) }
        await Self.turns.giveBack()
        try result.get()
    }

    private static let turns = Turns(4)
}

private actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    func take() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

extension Trait where Self == StageTrait {
    fileprivate static var stage: Self { StageTrait() }
}

extension Trait where Self == FewAtOnceTrait {
    fileprivate static var fewAtOnce: Self { FewAtOnceTrait() }
}
