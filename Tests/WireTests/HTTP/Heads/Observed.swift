import TestSupport
import Wire

extension HTTPHeadWatch {
    /// Shows bytes in pieces of a size.
    func observe(_ sender: Sender, _ bytes: [UInt8], pieces size: Int = .max) -> [Observation] {
        var found: [Observation] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            found += rest.prefix(size).withUnsafeBytes { observe(sender, $0) }
            rest = rest.dropFirst(size)
        }
        return found
    }

    /// Shows a text.
    func observe(_ sender: Sender, text: String) -> [Observation] { observe(sender, Array(text.utf8)) }
}

extension HTTPHeadWatch.Observation {
    /// A head of HTTP/2, with fields as pairs.
    static func http2(
        _ sender: HTTPSender, _ stream: UInt64, method: String? = nil, scheme: String? = nil, authority: String? = nil,
        target: String? = nil, status: Int? = nil, _ fields: [(String, String)] = [], length: UInt64
    ) -> Self {
        .head(
            ObservedHead(
                sender: sender, exchange: stream, version: "h2", method: method, scheme: scheme, authority: authority,
                target: target, status: status, fields: fields.map { HTTPHeader(name: $0.0, value: $0.1) },
                length: length))
    }

    /// A request's head of HTTP/1, with fields as pairs.
    static func request(
        _ exchange: UInt64, _ method: String, _ target: String, version: String = "http/1.1",
        authority: String? = nil, _ fields: [(String, String)] = [], length: UInt64
    ) -> Self {
        .head(
            ObservedHead(
                sender: .client, exchange: exchange, version: version, method: method, authority: authority,
                target: target, fields: fields.map { HTTPHeader(name: $0.0, value: $0.1) }, length: length))
    }

    /// A response's head of HTTP/1, with fields as pairs.
    static func response(
        _ exchange: UInt64, _ status: Int, version: String = "http/1.1", _ fields: [(String, String)] = [],
        length: UInt64
    ) -> Self {
        .head(
            ObservedHead(
                sender: .origin, exchange: exchange, version: version, status: status,
                fields: fields.map { HTTPHeader(name: $0.0, value: $0.1) }, length: length))
    }
}
