import Testing
import Wire

@Suite("WireError")
struct WireErrorTests {
    @Test("Errors are one line that names the field")
    func descriptions() {
        #expect(WireError.truncated(field: "random").description == "truncated in random")
        #expect(WireError.malformed(field: "cipher suites").description == "malformed cipher suites")
        #expect(WireError.unsupported("HTTP/3").description == "unsupported: HTTP/3")
    }
}
