/// What a fold keeps of each open connection, bounded in number.
///
/// A lost event may leave a connection open for ever; so when the limit is reached, the older half is forgotten.
struct OpenConnections<State: Sendable>: Sendable {
    private let limit: Int
    private var states: [UInt64: State] = [:]

    /// Starts with no connection open; at most `limit` are kept.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// How many connections are open, as far as is known.
    var count: Int { states.count }

    /// What is kept of each, in the order in which they were opened.
    var all: [(connection: UInt64, state: State)] {
        states.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// What is kept of a connection, if it is open.
    subscript(connection: UInt64) -> State? { states[connection] }

    /// Notes that a connection is open.
    mutating func insert(_ state: State, for connection: UInt64) {
        if states.count >= limit { forgetOlderHalf() }
        states[connection] = state
    }

    /// Changes what is kept of a connection, if it is open.
    mutating func update(_ connection: UInt64, _ change: (inout State) -> Void) {
        guard let index = states.index(forKey: connection) else { return }
        change(&states.values[index])
    }

    /// Removes and returns what is kept of a connection.
    mutating func remove(_ connection: UInt64) -> State? {
        states.removeValue(forKey: connection)
    }

    /// Forgets the older half; connections are numbered in the order in which they were opened.
    private mutating func forgetOlderHalf() {
        let numbers = states.keys.sorted()
        let oldestKept = numbers[numbers.count / 2]
        states = states.filter { $0.key > oldestKept }
    }
}
