/// Why bytes from a peer could not be decoded.
///
/// The field's name says where decoding stopped; nothing that the peer sent is repeated.
public enum WireError: Error, Sendable, Equatable {
    /// The bytes ended inside this field.
    case truncated(field: String)
    /// This field's value breaks the protocol's rules.
    case malformed(field: String)
    /// The bytes are well formed, but ask for something that is not spoken here.
    case unsupported(String)
}

extension WireError: CustomStringConvertible {
    /// The error in one line.
    public var description: String {
        switch self {
        case .truncated(let field): "truncated in \(field)"
        case .malformed(let field): "malformed \(field)"
        case .unsupported(let what): "unsupported: \(what)"
        }
    }
}
