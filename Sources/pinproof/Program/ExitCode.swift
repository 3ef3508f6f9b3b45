/// What the process tells its caller, the same for every command.
enum ExitCode: Int32, Sendable, CaseIterable {
    /// Everything was as expected.
    case asExpected = 0
    /// Something differs from what was expected.
    case finding = 1
    /// The command line, a file it names or the environment is wrong.
    case usage = 2
    /// Nothing was shown either way: inconclusive, or never exercised.
    case inconclusive = 3
    /// Pinproof itself failed.
    case internalError = 70
}
