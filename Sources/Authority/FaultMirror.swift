internal import COpenSSL
public import Crypto
internal import Wire

/// How a leaf gets the faults that an origin's certificate has: what `--scenario mirror` decides.
///
/// It is a pure value, made of what a verification found and what the certificate says, and it is all that a mirrored leaf
/// depends on besides its host and key.
public struct FaultMirror: Hashable, Sendable {
    /// What is wrong, each kind once, always in the same order.
    public let faults: [CertificateFault]
    let signer: Signer
    /// The dates, where those are at fault; nil for those of any leaf.
    let validity: Validity?
    /// The names, where those are at fault; nil for the host's own.
    let names: Names?

    /// Who signs the leaf.
    enum Signer: Hashable {
        /// The CA that the client trusts, since this is not what is wrong.
        case authority
        /// The leaf's own key.
        case itself
        /// A CA that nobody was given; its own certificate is sent along if the origin's chain ended in one too.
        case stranger(isShown: Bool)
    }

    /// The first and the last second, which may be in the wrong order.
    struct Validity: Hashable {
        let notBefore: Int64
        let notAfter: Int64
    }

    /// What the leaf is for.
    enum Names: Hashable {
        case alternative([AlternativeName])
        /// A common name, and no alternative one.
        case common(String)
    }

    /// Decides how a leaf gets these faults.
    ///
    /// - Parameters:
    ///   - found: Everything that a verification of the origin's chain found wrong; not empty.
    ///   - leaf: The origin's certificate.
    /// - Throws: `UnmirroredFault` if one of them cannot be given to a leaf of ours.
    public init(of found: [VerificationFault], on leaf: Certificate) throws(UnmirroredFault) {
        for fault in found where !Self.isMirrored(fault) { throw UnmirroredFault(fault: fault) }
        let kinds = Set(found.map(\.kind))
        // What signed itself has no other issuer to be missed.
        faults = Self.order.filter { kinds.contains($0) && !($0 == .untrusted && kinds.contains(.selfSigned)) }
        signer =
            if kinds.contains(.selfSigned) {
                .itself
            } else if kinds.contains(.untrusted) {
                .stranger(isShown: found.contains { $0.verifyError == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN })
            } else {
                .authority
            }
        validity = Validity(of: leaf, isExpired: kinds.contains(.expired), isEarly: kinds.contains(.notYetValid))
        guard let fault = found.first(where: { $0.kind == .wrongName }) else {
            names = nil
            return
        }
        guard let copied = Names(of: leaf) else { throw UnmirroredFault(fault: fault) }
        names = copied
    }

    private static let order: [CertificateFault] = [.expired, .notYetValid, .wrongName, .selfSigned, .untrusted]

    /// Dates are those of the leaf: one of ours cannot show that a certificate above the origin's is out of its time.
    private static func isMirrored(_ fault: VerificationFault) -> Bool {
        switch fault.kind {
        case .expired, .notYetValid: fault.depth == 0
        case .wrongName, .selfSigned, .untrusted: true
        case .tooWeak, .other: false
        }
    }
}

/// A fault of an origin's certificate that no leaf of ours can have.
public struct UnmirroredFault: Error, Hashable, Sendable {
    /// The fault.
    public let fault: VerificationFault
}

extension FaultMirror.Validity {
    /// The dates of a certificate that is out of its time; nil if it is in its time.
    ///
    /// The date at fault is as it is, and the whole no longer than clients accept, so that its length is no fault as well.
    fileprivate init?(of leaf: Certificate, isExpired: Bool, isEarly: Bool) {
        let (first, last) = (leaf.notBefore, leaf.notAfter)
        switch (isExpired, isEarly) {
        case (false, false): return nil
        case (true, false): self.init(notBefore: max(first, last &- (Lifetime.longest - 1)), notAfter: last)
        case (false, true): self.init(notBefore: first, notAfter: min(last, first &+ (Lifetime.longest - 1)))
        case (true, true): self.init(notBefore: first, notAfter: last)
        }
    }
}

extension FaultMirror.Names {
    /// How many names are copied at most: a certificate may have thousands, and none of them is the host's.
    private static let limit = 100

    /// The names of a certificate, as far as they are sound ones of a server.
    ///
    /// Whatever is copied stands there as it does in the certificate: a name that was tidied up could become the host's.
    /// So could a common name where all alternative names were left out; then there is nothing to copy.
    fileprivate init?(of leaf: Certificate) {
        guard !leaf.hasAlternativeNames else {
            let names = leaf.alternativeNames.lazy.filter(\.isSoundServer).prefix(Self.limit)
            guard !names.isEmpty else { return nil }
            self = .alternative(Array(names))
            return
        }
        guard let name = leaf.commonName, (1...64).contains(name.unicodeScalars.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self = .common(name)
    }
}

extension AlternativeName {
    /// Whether it is a DNS name in canonical form, perhaps with a wildcard, or an address.
    fileprivate var isSoundServer: Bool {
        switch self {
        case .dns(let text): ServerName(text)?.alternativeName == .dns(text.lowercased())
        case .address(let octets): octets.count == 4 || octets.count == 16
        case .email, .uri: false
        }
    }
}
