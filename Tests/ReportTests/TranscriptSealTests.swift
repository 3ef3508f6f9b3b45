import Foundation
import Report
import Testing

@Suite struct TranscriptSealTests {
    private let digest = "1f2e3d4c5b6a79880123456789abcdef0123456789abcdef0123456789abcdef"

    @Test func `people read the file and its digest, on lines that fit`() {
        let seal = TranscriptSeal(path: "run.jsonl", digest: digest)
        #expect(seal.text == "Transcript run.jsonl, closing digest\n  \(digest)\n")
        let signed = TranscriptSeal(path: "run\u{1b}.jsonl", digest: digest, signature: "run.jsonl.p7s")
        #expect(
            signed.text == "Transcript run\\x1b.jsonl, closing digest\n  \(digest)\nSigned in run.jsonl.p7s\n")
    }

    /// Also the example in `docs/events.md`.
    @Test func `programs read the same`() throws {
        let seal = TranscriptSeal(path: "run.jsonl", digest: digest, signature: "run.jsonl.p7s")
        let line =
            #"{"record":"transcript","path":"run.jsonl","digest":""# + digest + #"","signature":"run.jsonl.p7s"}"#
        #expect(JSONReport().line(for: seal) == line)
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let document = try String(contentsOf: root.appending(path: "docs/events.md"), encoding: .utf8)
        #expect(document.contains("```json\n\(line)\n```\n"))
    }
}
