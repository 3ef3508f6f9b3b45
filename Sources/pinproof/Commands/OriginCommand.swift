internal import Foundation
internal import TestOrigin
internal import Wire

/// The options of `pinproof origin`.
struct OriginOptions: OptionValues, Equatable {
    /// The address to listen on.
    var listen = HostName.loopback
    /// The port to listen on; 0 for any free one.
    var port: UInt16 = 8443
    /// The file with the certificate chain; nil to make one for the run.
    var certificate: String?
    /// The file with its key; given exactly if `certificate` is.
    var key: String?
    /// The names in the certificate that is made; empty for `standardNames`.
    var names: [HostName] = []
    /// Whether clients are asked for a certificate.
    var clientAuthentication = OriginClients.Mode.none
    /// Files with what a client's certificate must lead to.
    var clientAuthorities: [String] = []
    /// The protocol versions to speak.
    var lowestVersion: TLSVersion?
    var highestVersion: TLSVersion?
    /// Whether to print JSON.
    var json = false

    /// What a made certificate is for unless names were given.
    static let standardNames = "localhost, 127.0.0.1, ::1"

    /// What a made certificate is for.
    var effectiveNames: [HostName] {
        names.isEmpty ? Self.standardNames.components(separatedBy: ", ").compactMap(HostName.init) : names
    }
}

/// A TLS version that OpenSSL negotiates by default.
enum TLSVersion: String, Sendable, CaseIterable {
    case tls12 = "1.2"
    case tls13 = "1.3"

    /// As on the wire.
    var number: UInt16 { self == .tls12 ? 0x0303 : 0x0304 }
}

/// `pinproof origin`: a small HTTPS server to test against.
enum OriginCommand {
    static let table = OptionTable<OriginOptions>(
        "origin",
        summary: "Run a small HTTPS server to test against",
        discussion: [
            """
            Speaks HTTP/1.1 and HTTP/2 and answers with JSON of what it saw: server name, ALPN, version, suite, \
            request head. /bytes/SIZE is a body of that size, as in /bytes/64k, /bytes/10M or /bytes/1G. Without --cert it makes a CA and a certificate for the run, and prints the CA.
            """
        ],
        groups: [
            .init(
                "Listening",
                [
                    .value("listen", .address, \.listen, "Address to listen on"),
                    .value("port", .listeningPort, \.port, "Port to listen on, 0 for any free one"),
                ]),
            .init(
                "Certificate",
                [
                    .value("cert", .path("FILE"), \.certificate, "Certificate chain to show, leaf first, in PEM"),
                    .value("key", .path("FILE"), \.key, "Key of that certificate, readable by its owner only"),
                    .repeated(
                        "name", .host, \.names, standard: OriginOptions.standardNames,
                        "Name or address in the certificate that is made"),
                ]),
            .init(
                "Clients",
                [
                    .value("client-auth", .word, \.clientAuthentication, "Whether clients are asked for a certificate"),
                    .repeated(
                        "client-ca", .path("FILE"), \.clientAuthorities,
                        "What it must lead to: an authority, or the certificate itself"),
                    .value("tls-min", .word, \.lowestVersion, standard: "1.2", "Lowest TLS version"),
                    .value("tls-max", .word, \.highestVersion, standard: "1.3", "Highest TLS version"),
                ]),
            .init("Output", [.flag("json", \.json, "Print JSON")]),
        ],
        examples: [
            "pinproof origin --name api.example.com --port 8443",
            "pinproof origin --client-auth require --client-ca clients.pem",
        ],
        check: { (options) throws(CommandError) in
            try expectBoth("cert", options.certificate, "key", options.key)
            guard options.names.isEmpty || options.certificate == nil else {
                throw CommandError("--name contradicts --cert", mend: "the names are those of the certificate file")
            }
            guard options.clientAuthorities.isEmpty || options.clientAuthentication != .none else {
                throw CommandError("--client-ca says nothing alone", mend: "add --client-auth request or require")
            }
            guard (options.lowestVersion ?? .tls12).number <= (options.highestVersion ?? .tls13).number else {
                throw CommandError("--tls-min is above --tls-max", mend: "leave one of them out")
            }
        })

    /// Reads the options of the command line.
    static func options(from arguments: [String]) throws(CommandError) -> Parsed<OriginOptions> {
        try table.parse(arguments)
    }
}
