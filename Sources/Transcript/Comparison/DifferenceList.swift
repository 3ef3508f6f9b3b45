/// Collects what differs in one part of two connections.
struct DifferenceList {
    private let part: HandshakeDifference.Part
    private(set) var differences: [HandshakeDifference] = []

    init(_ part: HandshakeDifference.Part) { self.part = part }

    /// Compares a value that is there or not.
    mutating func compare(_ what: String, _ first: String?, _ second: String?, isInformation: Bool = false) {
        guard first != second else { return }
        add(what, first.map { [$0] } ?? [], second.map { [$0] } ?? [], isInformation: isInformation)
    }

    /// Compares a list whose order means something.
    ///
    /// If the members are the same, both orders are shown; otherwise the members that only one of them has.
    mutating func compare(list what: String, _ first: [String], _ second: [String]) {
        if compare(set: what, first, second) { return }
        if first != second { add("order of \(what)", first, second) }
    }

    /// Compares a list whose order means nothing.
    ///
    /// - Returns: Whether there was a difference.
    @discardableResult
    mutating func compare(set what: String, _ first: [String], _ second: [String]) -> Bool {
        let (inFirst, inSecond) = (Set(first), Set(second))
        guard inFirst != inSecond else { return false }
        add(what, first.filter { !inSecond.contains($0) }, second.filter { !inFirst.contains($0) })
        return true
    }

    /// Adds what differs.
    mutating func add(_ what: String, _ first: [String], _ second: [String], isInformation: Bool = false) {
        differences.append(HandshakeDifference(part, what, first, second, isInformation: isInformation))
    }
}
