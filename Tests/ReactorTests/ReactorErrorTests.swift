import Reactor
import Testing

@Suite struct ReactorErrorTests {
    @Test func descriptionsAreOneLineWithTheSystemsWords() {
        let refused = ReactorError(operation: "connect to 127.0.0.1:1", code: .system(111))
        #expect(refused.description == "connect to 127.0.0.1:1: Connection refused (errno 111)")
        let unknown = ReactorError(operation: "resolve nosuch.example", code: .resolution(-2))
        #expect(unknown.description == "resolve nosuch.example: Name or service not known")
    }

    @Test func theErrorNumberIsKept() {
        #expect(ReactorError(operation: "listen", code: .system(98)).errno == 98)
        #expect(ReactorError(operation: "resolve", code: .resolution(-2)).errno == nil)
    }
}
