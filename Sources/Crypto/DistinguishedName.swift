internal import COpenSSL

/// The name of a subject: attributes in the order of the encoding, which is the reverse of how RFC 4514 writes them.
public struct DistinguishedName: Hashable, Sendable {
    /// One attribute, such as the common name.
    public struct Attribute: Hashable, Sendable {
        /// What it is, as OpenSSL calls it ("CN"), or as an object identifier.
        public var type: String
        /// Its text.
        public var value: String
        /// Whether it belongs to the same relative name as the attribute before it ("CN=a+UID=b").
        public var joinsPrevious: Bool

        /// Joins the three.
        public init(type: String, value: String, joinsPrevious: Bool = false) {
            self.type = type
            self.value = value
            self.joinsPrevious = joinsPrevious
        }
    }

    /// The attributes, in the order of the encoding.
    public private(set) var attributes: [Attribute] = []

    /// Makes a name of these attributes, in the order of the encoding.
    public init(_ attributes: [Attribute]) { self.attributes = attributes }

    /// Makes a name that is this common name, or the empty one.
    public init(commonName: String?) {
        attributes = commonName.map { [Attribute(type: "CN", value: $0)] } ?? []
    }

    /// Whether there is no attribute at all.
    public var isEmpty: Bool { attributes.isEmpty }

    /// The first common name.
    public var commonName: String? { attributes.first { $0.type == "CN" }?.value }

    /// The same name with a common name as its most specific part.
    public func adding(commonName: String) -> DistinguishedName {
        DistinguishedName(attributes + [Attribute(type: "CN", value: commonName)])
    }

    /// Appends the attributes to an `X509_NAME`.
    ///
    /// - Throws: `OpenSSLError` if one is unknown, or not what its type allows.
    func append(to name: OpaquePointer?) throws {
        for attribute in attributes { try attribute.append(to: name) }
    }
}

extension DistinguishedName.Attribute {
    fileprivate func append(to name: OpaquePointer?) throws {
        let bytes = Array(value.utf8)
        try require(
            X509_NAME_add_entry_by_txt(
                name, type, MBSTRING_UTF8, bytes, Int32(clamping: bytes.count), -1, joinsPrevious ? -1 : 0),
            "X509_NAME_add_entry_by_txt")
    }

    /// Says whether OpenSSL encodes it: countries have two letters, common names at most 64 characters.
    var isEncodable: Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        var lone = self
        lone.joinsPrevious = false
        let name = ScratchName()
        return (try? name.withPointer { try lone.append(to: $0) }) != nil
    }

    /// Whether OpenSSL knows the type, or it is an object identifier.
    var isKnown: Bool {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return OBJ_txt2nid(type) != NID_undef || type.wholeMatch(of: /[0-9]+(\.[0-9]+)+/) != nil
    }
}

extension DistinguishedName: ExpressibleByArrayLiteral {
    /// Makes a name of types and values, in the order of the encoding.
    public init(arrayLiteral elements: (String, String)...) {
        attributes = elements.map { Attribute(type: $0.0, value: $0.1) }
    }
}

/// The one owner of an `X509_NAME` that is in no certificate.
struct ScratchName: ~Copyable {
    private let raw: OpaquePointer

    /// Takes over a decoded name.
    init(owning raw: OpaquePointer) { self.raw = raw }

    /// Makes an empty one.
    init() {
        guard let raw = X509_NAME_new() else { preconditionFailure("no memory for a name") }
        self.raw = raw
    }

    deinit { X509_NAME_free(raw) }

    /// Lends the pointer; it is valid only inside `body`.
    borrowing func withPointer<R>(_ body: (OpaquePointer) throws -> R) rethrows -> R { try body(raw) }
}
