import Testing

/// One experiment with a real client, and what is right.
struct MatrixCell: Sendable, CustomTestStringConvertible {
    /// What the client does about its server's certificate.
    enum Form: String, Encodable {
        /// It has the key, or the certificate, of the origin and takes no other.
        case pinned
        /// It validates, as it does when nobody asks for anything.
        case validating
        /// It takes whatever it is shown.
        case anything
    }

    /// What the client does in a phase.
    enum Conduct: Equatable {
        case accepts
        /// It refuses with this alert.
        case alert(String)
        /// It refuses by a mere end: a close_notify, a FIN or a reset, in the handshake or after it.
        case ends
    }

    /// Whether it has company in the same run.
    enum Company: String, Encodable {
        /// It fetches one host.
        case alone
        /// The same client, validating, fetches a second host, too.
        case beside
    }

    let client: MatrixClient
    let form: Form
    let tls: TLSVersion
    let company: Company
    /// What it does when it was not given the CA.
    let untrusted: Conduct
    /// What it does when it was.
    let trusted: Conduct
    /// The finding, and why it is none.
    let finding: String
    /// Options of `pinproof run`.
    var options: [String] = []

    enum TLSVersion: String, CaseIterable, Encodable {
        case v12 = "1.2"
        case v13 = "1.3"
    }

    /// How often the client has to run in each phase: one silent end may be anything, one alert is not.
    ///
    /// Two are enough, but on a busy machine the connection beside it may disturb one, which then does not count.
    var repeats: Int { [untrusted, trusted].contains(.ends) ? 3 : 1 }

    var testDescription: String {
        (["\(form.rawValue), TLS \(tls.rawValue), \(company.rawValue)"] + options).joined(separator: ", ")
    }
}
