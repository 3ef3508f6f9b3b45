/// Values for the hosts that patterns name: the one matcher behind every per-host option.
///
/// The most specific pattern that matches decides. Of equally specific ones all count, in the order in which they were
/// given; who can use one value only takes the last, so that the command line overrides a configuration file.
public struct HostTable<Value> {
    private let entries: [(pattern: HostPattern, value: Value)]

    /// Keeps the entries in their order.
    public init(_ entries: [(pattern: HostPattern, value: Value)] = []) {
        self.entries = entries
    }

    /// Whether there is no entry at all.
    public var isEmpty: Bool { entries.isEmpty }

    /// All values, in their order.
    public var values: [Value] { entries.map(\.value) }

    /// The values of the most specific patterns that match an endpoint, in their order.
    public func values(for endpoint: Endpoint) -> [Value] {
        var best = Int.min
        var found: [Value] = []
        for entry in entries where entry.pattern.matches(endpoint) {
            let specificity = entry.pattern.specificity
            if specificity > best { (best, found) = (specificity, []) }
            if specificity == best { found.append(entry.value) }
        }
        return found
    }
}

extension HostTable: Sendable where Value: Sendable {}
