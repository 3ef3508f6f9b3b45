internal import Transcript

extension JSONFields {
    /// Reads an event of the run; nil if the name is none's.
    func runEvent(_ name: String) throws(LineFault) -> Event.Kind? {
        switch name {
        case "runStarted": .runStarted(try runStarted())
        case "runEnded": .runEnded(RunEnded(connections: try number("connections"), lost: try number("lost")))
        case "runContinued": .runContinued(RunContinued(run: try runStarted(), file: try number("file")))
        case "gap": .gap(lost: try number("lost"))
        case "acceptingPaused": .acceptingPaused(try acceptingLimit())
        case "acceptingResumed": .acceptingResumed(nanoseconds: try number("nanoseconds"))
        case "commandStarted": .commandStarted(try commandStarted())
        case "commandEnded": .commandEnded(try commandEnded())
        default: nil
        }
    }
}
