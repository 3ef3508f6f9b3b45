import Testing
import Wire

@Suite("ByteQueue")
struct ByteQueueTests {
    @Test("Bytes leave in the order in which they came")
    func order() {
        let queue = ByteQueue()
        #expect(queue.isEmpty)
        queue.append([1, 2, 3])
        queue.append([])
        queue.append([4, 5])
        #expect(queue.count == 5)
        queue.consume(2)
        #expect(queue.withBytes { [UInt8]($0) } == [3, 4, 5])
        #expect(queue.takeAll() == [3, 4, 5])
        #expect(queue.isEmpty)
        #expect(queue.takeAll() == [])
    }

    @Test("Room is lent, and only what was written counts")
    func room() {
        let queue = ByteQueue()
        queue.append([9])
        let written = queue.withRoom(100) { room in
            #expect(room.count >= 100)
            room.storeBytes(of: 7, as: UInt8.self)
            return 1
        }
        #expect(written == 1)
        #expect(queue.withRoom(1) { _ in 0 } == 0)
        #expect(queue.withRoom(1) { _ in -1 } == -1)
        #expect(queue.takeAll() == [9, 7])
    }

    @Test("Memory that was given back is taken again")
    func release() {
        let queue = ByteQueue()
        queue.releaseIfEmpty()
        queue.append([1])
        queue.releaseIfEmpty()
        #expect(queue.takeAll() == [1])
        queue.releaseIfEmpty()
        queue.append([2, 3])
        #expect(queue.takeAll() == [2, 3])
    }

    @Test("It holds what an array would hold, whatever the order of calls")
    func model() {
        var generator = SeededGenerator(seed: 4)
        let queue = ByteQueue()
        var model: [UInt8] = []
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                let bytes = generator.noise(below: 300)
                queue.append(bytes)
                model += bytes
            case 1:
                let bytes = generator.noise(below: 40)
                queue.withRoom(bytes.count + 1) { room in
                    room.copyBytes(from: bytes)
                    return bytes.count
                }
                model += bytes
            case 2:
                let amount = Int.random(in: 0...min(model.count, 500), using: &generator)
                queue.consume(amount)
                model.removeFirst(amount)
            default:
                queue.releaseIfEmpty()
            }
            #expect(queue.count == model.count)
        }
        #expect(queue.takeAll() == model)
    }

    @Test("Consuming more than is there is the caller's mistake")
    func overconsumption() async {
        await #expect(processExitsWith: .failure) {
            let queue = ByteQueue()
            queue.append([1])
            queue.consume(2)
        }
    }
}
