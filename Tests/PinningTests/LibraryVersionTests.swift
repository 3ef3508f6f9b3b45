import Pinning
import Testing

@Suite struct LibraryVersionTests {
    @Test(
        "A release is one to three decimal numbers",
        arguments: [
            ("2.6.3", LibraryVersion(2, 6, 3)), ("2.6", LibraryVersion(2, 6, 0)), ("4", LibraryVersion(4, 0, 0)),
            ("10.0.12", LibraryVersion(10, 0, 12)), ("2.06.3", LibraryVersion(2, 6, 3)),
        ])
    func reads(text: String, expected: LibraryVersion) {
        #expect(LibraryVersion(text) == expected)
    }

    @Test(
        "Anything else is no release",
        arguments: [
            "", ".", "2.", ".2", "2..3", "1.2.3.4", "v2.6", "-1", "+2", "2.6.3-beta.1", " 2.6", "2,6", "٢.٦",
            "1234567.0", "99999999999999999999",
        ])
    func refuses(text: String) {
        #expect(LibraryVersion(text) == nil)
    }

    @Test func `releases are ordered by their numbers, not by their text`() {
        let inOrder = [
            LibraryVersion(1, 9, 9), LibraryVersion(2, 0), LibraryVersion(2, 0, 1), LibraryVersion(2, 9),
            LibraryVersion(2, 10), LibraryVersion(3, 0),
        ]
        #expect(inOrder.shuffled().sorted() == inOrder)
        #expect(LibraryVersion(2, 6, 0).description == "2.6.0")
    }
}
