import Testing
import Wire

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("", "", 0), ("listen", "listen", 0), ("", "abc", 3), ("abc", "", 3),
        ("lisen", "listen", 1), ("llisten", "listen", 1), ("lissen", "listen", 1), ("lsiten", "listen", 1),
        ("kitten", "sitting", 3),
        // Swapped neighbours are not edited again: the optimal string alignment distance, where Damerau's would be 2.
        ("ca", "abc", 3),
    ])
    func distance(left: String, right: String, expected: Int) {
        #expect(NearestName.editDistance(left, right) == expected)
        #expect(NearestName.editDistance(right, left) == expected)
    }

    @Test(arguments: [
        ("lisen", "listen"), ("prot", "port"), ("conect-timeout", "connect-timeout"), ("idel-timeout", "idle-timeout"),
        ("x", nil), ("xyz", nil), ("timeout", nil), ("", nil),
    ])
    func nearest(word: String, expected: String?) {
        let names = ["listen", "port", "connect-timeout", "idle-timeout"]
        #expect(NearestName.of(word, among: names) == expected)
    }

    @Test func `of several that are equally near the first is named`() {
        #expect(NearestName.of("cat", among: ["car", "cap"]) == "car")
    }

    @Test func `a word of a megabyte is no work`() {
        #expect(NearestName.of(String(repeating: "x", count: 1 << 20), among: ["listen"]) == nil)
    }
}
