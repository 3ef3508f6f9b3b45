import Testing
import Wire

@Suite("HTTPHeader")
struct HTTPHeaderTests {
    @Test("Names are the same in any case, and only in ASCII")
    func names() {
        let header = HTTPHeader(name: "Content-Length", value: "1")
        #expect(header.isNamed("content-length"))
        #expect(header.isNamed("CONTENT-LENGTH"))
        #expect(!header.isNamed("content-lengt"))
        #expect(!header.isNamed("content-length "))
        // "[" and "{" differ in the bit that tells upper from lower case, but are no letters.
        #expect(!HTTPHeader(name: "a[", value: "").isNamed("a{"))
    }

    @Test("All values of a name come in the order sent")
    func values() {
        let headers = [
            HTTPHeader(name: "Via", value: "1"), HTTPHeader(name: "Host", value: "h"),
            HTTPHeader(name: "via", value: "2"),
        ]
        #expect(headers.values(named: "VIA") == ["1", "2"])
        #expect(headers.values(named: "X") == [])
    }
}
