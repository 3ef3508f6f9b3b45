/// A dictionary of bounded size that drops what was not asked for the longest.
///
/// Every operation takes constant time: the entries form a ring, most recently used first, linked by index.
package struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Slot {
        var key: Key
        var value: Value
        var newer: Int
        var older: Int
    }

    private let capacity: Int
    private var places: [Key: Int] = [:]
    private var slots: [Slot] = []
    /// The most recently used slot.
    ///
    /// Its `newer` is the least recently used one. Meaningless while there is none.
    private var newest = 0

    /// Makes an empty one for at most `capacity` entries.
    package init(capacity: Int) {
        precondition(capacity > 0, "a cache holds at least one entry")
        self.capacity = capacity
    }

    var count: Int { slots.count }

    /// Looks a key up, which counts as use.
    package mutating func value(for key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        touch(place)
        return slots[place].value
    }

    /// Stores a value, in place of the key's former one or, when full, of the least recently used one.
    package mutating func insert(_ value: Value, for key: Key) {
        if let place = places[key] {
            slots[place].value = value
            touch(place)
        } else if slots.count == capacity {
            // Turning the ring by one makes the oldest slot the newest.
            newest = slots[newest].newer
            places[slots[newest].key] = nil
            slots[newest].key = key
            slots[newest].value = value
            places[key] = newest
        } else {
            let place = slots.count
            slots.append(Slot(key: key, value: value, newer: place, older: place))
            places[key] = place
            if place > 0 { link(place) }
            newest = place
        }
    }

    private mutating func touch(_ place: Int) {
        guard place != newest else { return }
        let slot = slots[place]
        slots[slot.newer].older = slot.older
        slots[slot.older].newer = slot.newer
        link(place)
        newest = place
    }

    /// Puts a slot between the oldest and the newest.
    private mutating func link(_ place: Int) {
        let oldest = slots[newest].newer
        slots[place].older = newest
        slots[place].newer = oldest
        slots[newest].newer = place
        slots[oldest].older = place
    }
}
