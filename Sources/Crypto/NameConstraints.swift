internal import COpenSSL
public import Wire

/// The names that a CA may issue for (RFC 5280, 4.2.1.10).
///
/// A kind of name that is not mentioned is not constrained.
public struct NameConstraints: Hashable, Sendable {
    /// A range of names.
    public enum Subtree: Hashable, Sendable {
        /// A DNS name and all below it; the empty one is every name.
        case dns(String)
        /// The addresses that agree with `octets` where `mask` has ones; both are of 4 or of 16 octets.
        case address(octets: [UInt8], mask: [UInt8])
    }

    /// What names of these kinds have to be in.
    public var permitted: [Subtree]
    /// What no name may be in.
    public var excluded: [Subtree]

    /// Joins the two.
    public init(permitted: [Subtree], excluded: [Subtree] = []) {
        self.permitted = permitted
        self.excluded = excluded
    }
}

extension NameConstraints {
    /// The least that permits these hosts and nothing else: with a name all below it, and no kind that none of them has.
    ///
    /// - Parameter hosts: The names and addresses; not empty.
    public init(permitting hosts: [HostName]) {
        self.init(permitted: hosts.flatMap(Subtree.exactly))
        // A kind of which nothing is permitted is excluded as a whole. Addresses are of one kind, but some verifiers look
        // at those of the same length only.
        for every in [Self.Subtree.dns(""), .every(4), .every(16)]
        where !permitted.contains(where: { $0.isOfKind(of: every) }) {
            excluded.append(every)
        }
    }
}

extension NameConstraints.Subtree {
    /// What permits one host.
    ///
    /// An IPv4 address as an IPv4-mapped IPv6 address too, because leaves name it in both ways; and as a DNS name, because
    /// it is their common name, which OpenSSL takes for one.
    fileprivate static func exactly(_ host: HostName) -> [NameConstraints.Subtree] {
        switch host.kind {
        case .dns(let name): [.dns(name)]
        case .ipv6(let octets): [.only(octets)]
        case .ipv4(let octets):
            [.dns(host.text), .only(octets), .only([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + octets)]
        }
    }

    /// Whether both are names, or addresses of the same length.
    fileprivate func isOfKind(of other: NameConstraints.Subtree) -> Bool {
        switch (self, other) {
        case (.dns, .dns): true
        case (.address(let mine, _), .address(let others, _)): mine.count == others.count
        case (.dns, .address), (.address, .dns): false
        }
    }

    private static func only(_ octets: [UInt8]) -> NameConstraints.Subtree {
        .address(octets: octets, mask: octets.map { _ in 0xFF })
    }

    fileprivate static func every(_ length: Int) -> NameConstraints.Subtree {
        .address(octets: [UInt8](repeating: 0, count: length), mask: [UInt8](repeating: 0, count: length))
    }
}

extension NameConstraints.Subtree: CustomStringConvertible {
    /// The range with its kind in front: "DNS:example.com", "IP:192.0.2.1", "IP:192.0.2.0/255.255.255.0".
    public var description: String {
        switch self {
        case .dns: "DNS:" + text
        case .address: "IP:" + text
        }
    }

    /// The range without its kind.
    fileprivate var text: String {
        switch self {
        case .dns(let name): name
        case .address(let octets, let mask) where mask.allSatisfy { $0 == 0xFF }: AlternativeName.addressText(octets)
        case .address(let octets, let mask):
            "\(AlternativeName.addressText(octets))/\(AlternativeName.addressText(mask))"
        }
    }
}

extension NameConstraints {
    /// What is permitted in a few words, with each host once: "example.com, 192.0.2.1".
    package var permittedText: String {
        var texts: [String] = []
        for text in permitted.map(\.text) where !texts.contains(text) && !text.hasPrefix("::ffff:") {
            texts.append(text)
        }
        return texts.joined(separator: ", ")
    }

    /// The object identifier of the extension: id-ce-nameConstraints.
    static let identifier = "2.5.29.30"

    /// The value of the extension in DER.
    var der: [UInt8] {
        let parts = [(UInt8(0xA0), permitted), (0xA1, excluded)].filter { !$0.1.isEmpty }
        return tagged(0x30, parts.flatMap { tag, subtrees in tagged(tag, subtrees.flatMap(\.der)) })
    }
}

extension NameConstraints.Subtree {
    /// A GeneralSubtree whose minimum is the default.
    fileprivate var der: [UInt8] {
        switch self {
        case .dns(let name): tagged(0x30, tagged(0x82, Array(name.utf8)))
        case .address(let octets, let mask): tagged(0x30, tagged(0x87, octets + mask))
        }
    }
}

/// A value of DER: tag, length, contents (X.690, 8.1).
private func tagged(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    guard contents.count >= 0x80 else { return [tag, UInt8(contents.count)] + contents }
    var length: [UInt8] = []
    var rest = contents.count
    while rest > 0 {
        length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
        rest >>= 8
    }
    return [tag, 0x80 | UInt8(length.count)] + length + contents
}

extension Certificate {
    /// The constraints on what it may issue for, as far as they are about DNS names and addresses; nil without any.
    public var nameConstraints: NameConstraints? {
        withHandle { raw in
            guard let constraints = ConstraintsHandle(of: raw) else { return nil }
            return constraints.withPointer { pointer in
                NameConstraints(
                    permitted: subtrees(pointer.pointee.permittedSubtrees),
                    excluded: subtrees(pointer.pointee.excludedSubtrees))
            }
        }
    }

    /// Says whether the constraints of `issuer` leave room for the names of this certificate.
    ///
    /// Its common name counts as a name if there is no alternative name for a host, as clients read it.
    package func isPermitted(by issuer: Certificate) -> Bool {
        let namesHost = alternativeNames.contains { if case .dns = $0 { true } else { false } }
        return issuer.withHandle { issuer in
            guard let constraints = ConstraintsHandle(of: issuer) else { return true }
            return withHandle { raw in
                constraints.withPointer { pointer in
                    // The check looks at names that OpenSSL keeps once it was asked for the extensions.
                    X509_get_extension_flags(raw) & UInt32(EXFLAG_INVALID) == 0
                        && NAME_CONSTRAINTS_check(raw, pointer) == X509_V_OK
                        && (namesHost || NAME_CONSTRAINTS_check_CN(raw, pointer) == X509_V_OK)
                }
            }
        }
    }
}

private func subtrees(_ stack: OpaquePointer?) -> [NameConstraints.Subtree] {
    (0..<max(0, OPENSSL_sk_num(stack))).compactMap { index in
        guard let element = OPENSSL_sk_value(stack, index),
            let base = element.assumingMemoryBound(to: GENERAL_SUBTREE.self).pointee.base
        else { return nil }
        var type: Int32 = 0
        guard let value = GENERAL_NAME_get0_value(base, &type), type == GEN_DNS || type == GEN_IPADD else { return nil }
        let string = value.assumingMemoryBound(to: ASN1_STRING.self).pointee
        let octets = [UInt8](UnsafeBufferPointer(start: string.data, count: Int(string.length)))
        guard type == GEN_IPADD else { return .dns(String(decoding: octets, as: UTF8.self)) }
        let half = octets.count / 2
        return .address(octets: Array(octets.prefix(half)), mask: Array(octets.dropFirst(half)))
    }
}

/// The one owner of a `NAME_CONSTRAINTS`.
private struct ConstraintsHandle: ~Copyable {
    private let raw: UnsafeMutablePointer<NAME_CONSTRAINTS>

    /// Decodes those of a certificate; nil if it has none that can be read.
    init?(of certificate: OpaquePointer) {
        guard let found = X509_get_ext_d2i(certificate, NID_name_constraints, nil, nil) else { return nil }
        raw = found.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
    }

    deinit { NAME_CONSTRAINTS_free(raw) }

    borrowing func withPointer<R>(_ body: (UnsafeMutablePointer<NAME_CONSTRAINTS>) -> R) -> R { body(raw) }
}
