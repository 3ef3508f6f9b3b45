internal import Pinning
internal import Synchronization

/// The stores of the anchors that applications gave lately.
///
/// An application gives the same list for each connection, and decoding a platform's 140 roots takes longer than a
/// whole evaluation.
///
/// **Thread:** usable from any thread.
final class AnchorCache: Sendable {
    /// So many lists are kept; a process rarely has more than one or two.
    private static let capacity = 8

    private struct Entry {
        let list: [CertificateFacts]
        let store: TrustStore
    }

    /// The most recently used last.
    private let entries = Mutex<[Entry]>([])

    /// The store that trusts exactly these certificates; what does not decode is left out.
    func store(of list: [CertificateFacts]) -> TrustStore {
        let known = entries.withLock { entries -> TrustStore? in
            guard let index = entries.lastIndex(where: { isSame($0.list, list) }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.store
        }
        if let known { return known }
        // Outside of the lock: two threads may decode the same list, which is harmless.
        let store = TrustStore(exactly: list.compactMap { try? Certificate(der: $0.der) })
        entries.withLock { entries in
            if entries.count >= Self.capacity { entries.removeFirst() }
            entries.append(Entry(list: list, store: store))
        }
        return store
    }

    /// How many lists are kept.
    var count: Int { entries.withLock(\.count) }
}

/// Whether two lists hold the same certificates in the same order.
///
/// A kept list cannot have given its memory to another, so one address means one list.
private func isSame(_ left: [CertificateFacts], _ right: [CertificateFacts]) -> Bool {
    guard left.count == right.count else { return false }
    let isOneArray = left.withUnsafeBufferPointer { left in
        right.withUnsafeBufferPointer { left.baseAddress == $0.baseAddress }
    }
    return isOneArray || left == right
}
