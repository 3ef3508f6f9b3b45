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
}
