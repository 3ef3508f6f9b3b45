import Testing
import Wire

@Suite("HostPattern")
struct HostPatternTests {
    @Test(
        "A pattern matches the endpoints that it names",
        arguments: [
            ("*", "example.test:443", true),
            ("*", "[::1]:8443", true),
            ("*:443", "example.test:443", true),
            ("*:443", "example.test:8443", false),
            ("*.example.test", "api.example.test:443", true),
            ("*.example.test", "a.b.example.test:443", true),
            ("*.example.test", "example.test:443", false),
            ("*.example.test", "notexample.test:443", false),
            ("*.Example.TEST.", "api.example.test:443", true),
            ("*.example.test:443", "api.example.test:443", true),
            ("*.example.test:443", "api.example.test:444", false),
            ("*.1", "127.0.0.1:443", false),
            ("example.test", "example.test:1", true),
            ("EXAMPLE.test.", "example.test:1", true),
            ("example.test", "api.example.test:1", false),
            ("example.test:443", "example.test:443", true),
            ("example.test:443", "example.test:80", false),
            ("127.0.0.1", "127.0.0.1:443", true),
            ("127.0.0.1", "[::ffff:127.0.0.1]:443", true),
            ("::1", "[::1]:443", true),
            ("[::1]", "[::1]:443", true),
            ("[::1]:443", "[::1]:443", true),
            ("[::1]:443", "[::1]:444", false),
            ("::1:443", "[::1]:443", false),
            ("::1:443", "[::1:443]:443", true),
        ])
    func matches(pattern: String, endpoint: String, expected: Bool) throws {
        let endpoint = try #require(Endpoint(endpoint))
        // "*.1" is no pattern at all: the name below would be an address.
        #expect((HostPattern(pattern)?.matches(endpoint) ?? false) == expected)
    }

    @Test(
        "What is no pattern is refused",
        arguments: [
            "", "*.", "**", "*.*", "*.*.test", "a.*.test", "api*.test", "*example.test", "*.127.0.0.1", "*.[::1]",
            "example.test:", "example.test:0", "example.test:70000", "*:", ":443", "[::1]:", "[::1", "a b", "*.1",
        ])
    func refused(pattern: String) {
        #expect(HostPattern(pattern) == nil)
    }

    @Test("The narrower of two patterns has the larger specificity")
    func specificity() throws {
        let deepest = "*." + Array(repeating: "a", count: 127).joined(separator: ".")
        let widestFirst = [
            "*", "*:443", "*.test", "*.test:443", "*.example.test", "*.api.example.test", deepest + ":443",
            "example.test", "example.test:443",
        ]
        let numbers = try widestFirst.map { try #require(HostPattern($0), "\($0)").specificity }
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers).count == numbers.count)
        #expect(HostPattern("127.0.0.1")?.specificity == HostPattern("example.test")?.specificity)
    }

    @Test(
        "A description is the canonical pattern",
        arguments: [
            ("*", "*"), ("*:443", "*:443"), ("*.EXAMPLE.test.", "*.example.test"),
            ("*.example.test:8443", "*.example.test:8443"), ("Example.TEST:1", "example.test:1"),
            ("0::1", "[::1]"), ("[0::1]:443", "[::1]:443"), ("127.0.0.1", "127.0.0.1"),
        ])
    func descriptions(pattern: String, description: String) throws {
        let read = try #require(HostPattern(pattern))
        #expect(read.description == description)
        #expect(HostPattern(description) == read)
    }
}
