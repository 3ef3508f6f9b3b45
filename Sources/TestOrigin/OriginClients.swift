internal import Crypto
public import Engine
internal import Glibc

/// What a test origin wants of its clients.
public struct OriginClients: Sendable {
    /// Whether a client is asked for a certificate.
    public enum Mode: String, Sendable, CaseIterable {
        /// It is not.
        case none
        /// It is; without one, or with any, it is served.
        case request
        /// It is; without one, or with one that leads nowhere, it is refused.
        case require
    }

    /// Whether a client is asked.
    public var mode: Mode
    /// What its certificate must lead to; nil: any will do.
    public var trust: ClientTrust?

    /// Asks as `mode` says, for any certificate.
    public init(_ mode: Mode = .none) { self.mode = mode }

    /// What is wrong with a client's chain: OpenSSL's number, zero if nothing is.
    func fault(of chain: [Certificate]) -> Int32 {
        guard let trust, !chain.isEmpty else { return 0 }
        return trust.store.verifyClient(chain, at: Int64(time(nil)))
    }

    /// How a session asks; nil if it does not.
    var authentication: ClientAuthentication? {
        guard mode != .none else { return nil }
        return ClientAuthentication(isRequired: mode == .require, authorities: trust?.names ?? []) { chain in
            let fault = fault(of: chain)
            guard mode == .require, fault != 0 else { return .accept }
            return .reject(alert: CertificateFault(verifyError: fault).alert)
        }
    }
}
