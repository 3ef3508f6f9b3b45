/// Runs an OpenSSL `i2d_` function: once for the length, once for the bytes.
///
/// - Parameter encode: The call, with the place where the function keeps its cursor.
/// - Returns: The encoding, or nil if the function failed.
func encoded(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
    let length = encode(nil)
    guard length > 0 else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
        var cursor = buffer.baseAddress
        count = max(0, Int(encode(&cursor)))
    }
    return bytes.isEmpty ? nil : bytes
}
