internal import Pinning
internal import Synchronization

/// The certificates that were seen lately, decoded and with what is stated of them.
///
/// OpenSSL 3 takes some 150 µs to decode a certificate's key, and as long to encode it anew, which is longer than to
/// check a signature; a client meets the same few certificates again and again.
///
/// **Thread:** usable from any thread.
final class CertificateCache: Sendable {
    /// So many certificates are kept.
    static let capacity = 128

    private struct Entry {
        let certificate: Certificate
        var facts: CertificateFacts?
        var lastUse: Int
    }

    /// A certificate's octets, hashed as a block: an array is hashed octet by octet.
    private struct Encoding: Hashable {
        let der: [UInt8]

        func hash(into hasher: inout Hasher) { der.withUnsafeBytes { hasher.combine(bytes: $0) } }
    }

    private struct State {
        var entries: [Encoding: Entry] = [:]
        var uses = 0
    }

    private let state = Mutex(State())

    /// The certificate that these octets encode; nil if they encode none.
    func certificate(_ der: [UInt8]) -> Certificate? {
        if let known = use(der)?.certificate { return known }
        // Outside of the lock: two threads may decode the same certificate, which is harmless.
        guard let certificate = try? Certificate(der: der) else { return nil }
        keep(certificate, facts: nil)
        return certificate
    }

    /// What is stated of a certificate.
    func facts(of certificate: Certificate) -> CertificateFacts {
        if let known = use(certificate.der)?.facts { return known }
        let facts = CertificateFacts(certificate)
        keep(certificate, facts: facts)
        return facts
    }

    /// How many certificates are kept.
    var count: Int { state.withLock(\.entries.count) }

    private func use(_ der: [UInt8]) -> Entry? {
        state.withLock { state in
            state.uses += 1
            guard let index = state.entries.index(forKey: Encoding(der: der)) else { return nil }
            state.entries.values[index].lastUse = state.uses
            return state.entries.values[index]
        }
    }

    private func keep(_ certificate: Certificate, facts: CertificateFacts?) {
        let key = Encoding(der: certificate.der)
        state.withLock { state in
            if state.entries.count >= Self.capacity, state.entries[key] == nil,
                let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.entries.removeValue(forKey: oldest.key)
            }
            state.entries[key] = Entry(certificate: certificate, facts: facts, lastUse: state.uses)
        }
    }
}
