internal import Synchronization

/// How many connections are open on all loops together, and whether somebody waits for one to end.
final class ConnectionCount: Sendable {
    private let limit: Int
    private let open = Atomic<Int>(0)
    private let isAwaited = Atomic<Bool>(false)
    private let onRoom: @Sendable () -> Void

    /// Counts from none.
    ///
    /// - Parameters:
    ///   - limit: How many may be open.
    ///   - onRoom: Called on any loop, once for each wait, when there is room again.
    init(limit: Int, onRoom: @escaping @Sendable () -> Void) {
        self.limit = max(limit, 1)
        self.onRoom = onRoom
    }

    /// Counts one more.
    func opened() {
        open.add(1, ordering: .sequentiallyConsistent)
    }

    /// Counts one less.
    func ended() {
        open.subtract(1, ordering: .sequentiallyConsistent)
        tellIfRoom()
    }

    /// Whether as many are open as may be.
    var isFull: Bool { open.load(ordering: .sequentiallyConsistent) >= limit }

    /// Asks for `onRoom` when there is room: a tenth, so that not every end lets just one in.
    func awaitRoom() {
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        // Those that ended before could not know.
        tellIfRoom()
    }

    private func tellIfRoom() {
        guard open.load(ordering: .sequentiallyConsistent) <= limit - max(limit / 10, 1),
            isAwaited.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        onRoom()
    }
}
