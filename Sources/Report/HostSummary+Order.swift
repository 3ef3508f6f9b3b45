import Transcript

/// The same order wherever a summary is shown.
extension HostSummary {
    /// The alerts from clients by number.
    var sortedAlerts: [(code: UInt8, count: UInt64)] {
        clientAlerts.sorted { $0.key < $1.key }.map { (code: $0.key, count: $0.value) }
    }

    /// The failures in the order in which the format declares their codes.
    var sortedFailures: [(code: Failure.Code, failures: FailureCount)] {
        Failure.Code.allCases.compactMap { code in failures[code].map { (code: code, failures: $0) } }
    }

    /// The faults that clients were shown, in the order in which the format declares them.
    var sortedMirroredFaults: [OriginFault] { OriginFault.allCases.filter(mirroredFaults.contains) }
}

extension [OriginFault] {
    /// The mark of an origin whose faults the client was shown.
    var mark: String { "ORIGIN FAULTY (\(map(\.words).joined(separator: ", "))), mirrored" }
}

extension OriginFault {
    /// The fault as people read it.
    fileprivate var words: String {
        switch self {
        case .expired: "expired"
        case .notYetValid: "not yet valid"
        case .wrongName: "wrong name"
        case .selfSigned: "self-signed"
        case .untrusted: "untrusted"
        }
    }
}
