internal import CNghttp2

/// The owner of an `nghttp2_hd_inflater`: the dynamic table of one direction of an HTTP/2 connection (RFC 7541).
///
/// After an error the table is not known any more, and the inflater must not be used again.
///
/// **Ownership:** owns the handle. **Thread:** confined to one thread.
final class HPACKInflater {
    /// The most that the dynamic table may take, whatever the peers agree on.
    static let tableLimit: UInt32 = 65_536

    private let raw: OpaquePointer
    /// Whether an encoder that keeps to what it is allowed may go beyond `tableLimit`.
    private var isTableLimited = false

    /// Makes an inflater with a table of 4,096 octets, as every connection begins (RFC 9113 section 6.5.2).
    init() {
        var inflater: OpaquePointer?
        // Only lack of memory makes this fail.
        precondition(nghttp2_hd_inflate_new(&inflater) == 0, "nghttp2_hd_inflate_new")
        guard let inflater else { preconditionFailure("nghttp2_hd_inflate_new made no inflater") }
        raw = inflater
    }

    deinit { nghttp2_hd_inflate_del(raw) }

    /// Takes what the decoder's side allows for the table, by `nghttp2_hd_inflate_change_table_size`.
    ///
    /// An encoder that goes beyond `tableLimit` breaks the next block that it does so in.
    func allowTable(_ size: UInt32) {
        isTableLimited = size > Self.tableLimit
        // Fails for want of memory, and inside a block, where nobody is between two calls.
        _ = nghttp2_hd_inflate_change_table_size(raw, Int(min(size, Self.tableLimit)))
    }

    /// Expands a complete field block by `nghttp2_hd_inflate_hd2`.
    ///
    /// One octet can stand for a field of the whole table's size, so the block's size bounds nothing: the expanded fields
    /// are measured too. Octets that are not UTF-8 are replaced in the texts.
    func fields(of block: [UInt8]) throws(HTTPHeadStop) -> [HTTPHeader] {
        var fields: [HTTPHeader] = []
        var size = 0
        var position = 0
        while true {
            var field = nghttp2_nv()
            var flags: CInt = 0
            let taken = block.withUnsafeBufferPointer { octets in
                let rest = octets[position...]
                let start = octets.baseAddress.map { $0 + position }
                let count = nghttp2_hd_inflate_hd2(raw, &field, &flags, start, rest.count, 1)
                if count >= 0, flags & CInt(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
                    size += field.namelen + field.valuelen + 32
                    // The texts may lie in the block, or in the table: they are copied before either changes.
                    if size <= HTTPHeadBounds.octets { fields.append(HTTPHeader(field)) }
                }
                return count
            }
            guard taken >= 0 else { throw isTableLimited ? .tableTooLarge : .malformed }
            guard size <= HTTPHeadBounds.octets else { throw .headTooLarge }
            position += taken
            if flags & CInt(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { break }
            // A block ends with the end of its octets, or is refused: nothing goes on without progress.
            guard taken > 0 || flags & CInt(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 else {
                throw .malformed
            }
        }
        nghttp2_hd_inflate_end_headers(raw)
        return fields
    }
}

extension HTTPHeader {
    /// Copies a field; nghttp2 ends both texts with a zero that their lengths leave out.
    fileprivate init(_ field: nghttp2_nv) {
        self.init(
            name: String(decoding: UnsafeBufferPointer(start: field.name, count: field.namelen), as: UTF8.self),
            value: String(decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen), as: UTF8.self))
    }
}
