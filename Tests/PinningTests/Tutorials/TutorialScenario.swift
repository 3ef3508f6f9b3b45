import Pinning
import Wire

/// A server that a client with a tutorial's code meets, asking for api.example.com.
enum TutorialScenario: CaseIterable, Sendable {
    /// The app's own server, below the app's private CA.
    case genuine
    /// A server of a private CA that nobody trusts, for the same name.
    case otherAuthority
    /// A certificate of the app's private CA, but for another name.
    case genuineForOtherHost
    /// The app's own server, with a certificate whose time is over.
    case expired
    /// A self-signed certificate for the right name, which is what the app pins.
    case selfSigned
    /// A certificate of a CA that the system trusts, for the right name.
    case systemAuthority
    /// A certificate of a CA that the system trusts, for another name.
    case systemAuthorityForOtherHost

    static let host = "api.example.com"
    static let authority = certificate("authority")
    static let platform = SmallPlatform(
        known: [
            .init(certificate: certificate("server"), issuer: authority, hosts: [host]),
            .init(certificate: certificate("imitation"), issuer: certificate("stranger"), hosts: [host]),
            .init(certificate: certificate("neighbour"), issuer: authority, hosts: ["other.example.com"]),
            .init(certificate: certificate("expired"), issuer: authority, hosts: [host], isExpired: true),
            .init(certificate: certificate("self-signed"), hosts: [host]),
            .init(certificate: certificate("public"), issuer: certificate("system CA"), hosts: [host]),
            .init(
                certificate: certificate("elsewhere"), issuer: certificate("system CA"), hosts: ["other.example.com"]),
        ], system: [certificate("system CA")])

    /// What the server sends: a private root only if it is an attacker's.
    var sent: [CertificateFacts] {
        switch self {
        case .genuine: [certificate("server")]
        case .otherAuthority: [certificate("imitation"), certificate("stranger")]
        case .genuineForOtherHost: [certificate("neighbour")]
        case .expired: [certificate("expired")]
        case .selfSigned: [certificate("self-signed")]
        case .systemAuthority: [certificate("public"), certificate("system CA")]
        case .systemAuthorityForOtherHost: [certificate("elsewhere"), certificate("system CA")]
        }
    }

    /// The certificate that an app pins which pins a CA.
    var pinnedAuthority: CertificateFacts { self == .selfSigned ? certificate("self-signed") : Self.authority }

    /// The certificate that an app pins which pins its server's own.
    var pinnedLeaf: CertificateFacts {
        switch self {
        case .genuine, .otherAuthority, .systemAuthority, .systemAuthorityForOtherHost: certificate("server")
        case .genuineForOtherHost: certificate("neighbour")
        case .expired: certificate("expired")
        case .selfSigned: certificate("self-signed")
        }
    }

    var server: ServerTrust { ServerTrust(sent: sent, host: HostName(Self.host), time: 1) }
}
