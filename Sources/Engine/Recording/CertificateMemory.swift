internal import Transcript

/// The certificates of a run, so that every file of its transcript can hold those that it names.
struct CertificateMemory {
    private var known: [String: [UInt8]] = [:]
    /// The digests of those that the current file holds.
    private var held: Set<String> = []

    /// The events of the certificates that an event names and the current file does not hold yet.
    mutating func missing(for kind: Event.Kind) -> [Event.Kind] {
        if case .certificate(let digest, let der) = kind {
            held.insert(digest)
            if known.count < Self.limit { known[digest] = der }
            return []
        }
        return kind.certificateDigests.compactMap { digest in
            guard let der = known[digest], held.insert(digest).inserted else { return nil }
            return .certificate(digest: digest, der: der)
        }
    }

    /// Another file begins, or what was put into this one is lost.
    mutating func forgetFile() { held = [] }

    /// How many are remembered; what is beyond stands in one file only.
    private static let limit = 20_000
}

extension Event.Kind {
    /// The certificates that the event names, as digests.
    fileprivate var certificateDigests: [String] {
        switch self {
        case .chain(_, let digests): digests
        case .identity(let exchange): exchange.chain
        case .issuerFetched(let fetched): fetched.digests
        case .forged(_, let digest, _, _, _): [digest]
        case .runContinued(let run): run.run.authorities
        case .commandStarted(let command): command.authority.map { [$0] } ?? []
        case .phase(_, let authority): authority.map { [$0] } ?? []
        default: []
        }
    }
}
