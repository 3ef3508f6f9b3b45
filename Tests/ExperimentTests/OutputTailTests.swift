import Testing

@testable import Experiment

@Suite struct OutputTailTests {
    @Test func `of a lot the end is kept`() {
        var tail = OutputTail()
        for _ in 0..<5 { tail.append([UInt8](repeating: 1, count: 700_000)) }
        tail.append([2, 3])
        #expect(tail.bytes.count == 1_048_576)
        #expect(tail.bytes.suffix(3) == [1, 2, 3])
    }
}
