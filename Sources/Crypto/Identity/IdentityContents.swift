internal import COpenSSL
internal import Wire

/// One identity found in a file.
public struct IdentityCandidate: Sendable {
    /// The chain, leaf first, then its issuers as far as the file has them, without the root; and the key.
    public let identity: TLSIdentity
    /// What the file calls it, if it does.
    public let friendlyName: String?
    /// What TLS refuses about it at its default security level, such as "RSA 1024 bits"; nil if nothing.
    ///
    /// Whoever presents it then must lower the level of that context before the certificate is loaded.
    public let weakness: String?

    /// The leaf's subject, as RFC 2253 writes it.
    public var subject: String { leaf.subject }
    /// The leaf's SHA-256 in lower-case hexadecimal.
    public var fingerprint: String { Hex.encode(leaf.sha256) }

    private var leaf: Certificate { identity.chain[0] }

    /// Says whether `wanted` is one of its names.
    fileprivate func answers(to wanted: String) -> Bool {
        let wanted = wanted.lowercased()
        let digits = wanted.filter { $0 != ":" && $0 != " " }
        if digits.utf8.count >= 8 && fingerprint.hasPrefix(digits) { return true }
        return ([subject, friendlyName].compactMap { $0 } + leaf.commonNames).contains { $0.lowercased() == wanted }
    }
}

extension IdentityCandidate: CustomStringConvertible {
    /// What tells it from others: subject, friendly name, the beginning of the fingerprint.
    public var description: String {
        let name = friendlyName.map { " “\($0)”" } ?? ""
        return "\(subject.isEmpty ? "(empty subject)" : subject)\(name) \(fingerprint.prefix(16))"
    }
}

/// All identities of a file, or of a pair of files.
public struct IdentityContents: Sendable {
    /// The identities, one for each key, in the file's order; never empty.
    public let candidates: [IdentityCandidate]
    /// What is remarkable about them.
    public let warnings: [IdentityWarning]
    /// The same keys with other certificates, chosen only if they are asked for.
    let alternatives: [IdentityCandidate]
    /// Whether weak ones may be chosen.
    let allowsWeakKeys: Bool

    /// Chooses one.
    ///
    /// - Parameter wanted: A name: the SHA-256 of the leaf in hexadecimal, with or without colons, or eight or more of
    ///   its first digits; the friendly name; the subject, whole or its common name. Case makes no difference. Nil means the
    ///   only one.
    /// - Returns: The one that is meant.
    /// - Throws: `severalIdentities` or `noSuchIdentity` with what there is; `weakKey` if TLS refuses the one.
    public func select(_ wanted: String?) throws(IdentityError) -> IdentityCandidate {
        var matching = candidates
        if let wanted {
            matching = candidates.filter { $0.answers(to: wanted) }
            if matching.isEmpty { matching = alternatives.filter { $0.answers(to: wanted) } }
            guard !matching.isEmpty else { throw .noSuchIdentity(wanted, candidates.map(\.description)) }
        }
        guard matching.count == 1 else { throw .severalIdentities(matching.map(\.description)) }
        if let weakness = matching[0].weakness, !allowsWeakKeys { throw .weakKey(weakness) }
        return matching[0]
    }
}

extension Certificate {
    /// The common names of the subject as text.
    fileprivate var commonNames: [String] {
        withHandle { raw in
            let subject = X509_get_subject_name(raw)
            var names: [String] = []
            var index = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
            while index >= 0 {
                let value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index))
                let text = ScratchBIO()
                _ = text.withHandle { ASN1_STRING_print_ex($0, value, UInt(ASN1_STRFLGS_UTF8_CONVERT)) }
                names.append(String(decoding: text.contents(), as: UTF8.self))
                index = X509_NAME_get_index_by_NID(subject, NID_commonName, index)
            }
            return names
        }
    }
}
