extension ByteQueue {
    /// Moves the first bytes, at most `limit`, to the end of `other`.
    func move(to other: ByteQueue, upTo limit: Int) {
        let count = min(count, max(limit, 0))
        withBytes { other.append(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        consume(count)
        releaseIfEmpty()
    }
}
