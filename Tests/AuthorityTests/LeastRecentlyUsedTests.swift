import Testing

@testable import Authority

@Suite struct LeastRecentlyUsedTests {
    @Test func keepsNoMoreThanItsCapacity() {
        var cache = LeastRecentlyUsed<Int, String>(capacity: 3)
        for key in 0..<10_000 { cache.insert("\(key)", for: key) }
        #expect(cache.count == 3)
        #expect(cache.value(for: 9_996) == nil)
        #expect((9_997..<10_000).map { cache.value(for: $0) } == ["9997", "9998", "9999"])
    }

    @Test func lookingUpCountsAsUse() {
        var cache = LeastRecentlyUsed<String, Int>(capacity: 2)
        cache.insert(1, for: "a")
        cache.insert(2, for: "b")
        #expect(cache.value(for: "a") == 1)
        cache.insert(3, for: "c")
        #expect(cache.value(for: "b") == nil)
        #expect(cache.value(for: "a") == 1)
    }

    @Test func storingAgainReplacesAndCountsAsUse() {
        var cache = LeastRecentlyUsed<String, Int>(capacity: 2)
        cache.insert(1, for: "a")
        cache.insert(2, for: "b")
        cache.insert(10, for: "a")
        cache.insert(3, for: "c")
        #expect(cache.value(for: "a") == 10)
        #expect(cache.value(for: "b") == nil)
        #expect(cache.count == 2)
    }

    @Test func oneEntryIsEnough() {
        var cache = LeastRecentlyUsed<Int, Int>(capacity: 1)
        cache.insert(1, for: 1)
        #expect(cache.value(for: 1) == 1)
        cache.insert(2, for: 2)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.value(for: 2) == 2)
    }

    /// The same operations on a list that is kept in order of use, which is slow and plainly right.
    @Test(arguments: [1, 2, 3, 7]) func behavesLikeAListInOrderOfUse(capacity: Int) {
        var cache = LeastRecentlyUsed<Int, Int>(capacity: capacity)
        var list: [(key: Int, value: Int)] = []
        var state: UInt64 = 88_172_645_463_325_252
        for turn in 0..<20_000 {
            // Marsaglia's xorshift: the same sequence in every run.
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            let key = Int(state % 10)
            let place = list.firstIndex { $0.key == key }
            if state & 1024 == 0 {
                let expected = place.map { list.remove(at: $0) }
                if let expected { list.insert(expected, at: 0) }
                #expect(cache.value(for: key) == expected?.value)
            } else {
                if let place { list.remove(at: place) }
                list.insert((key, turn), at: 0)
                if list.count > capacity { list.removeLast() }
                cache.insert(turn, for: key)
            }
            #expect(cache.count == list.count)
        }
    }
}
