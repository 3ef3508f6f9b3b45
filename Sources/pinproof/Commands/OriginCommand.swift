internal import Foundation
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
    /// Whether to print JSON.
    var json = false

    /// What a made certificate is for unless names were given.
    static let standardNames = "localhost, 127.0.0.1, ::1"

    /// What a made certificate is for.
    var effectiveNames: [HostName] {
        names.isEmpty ? Self.standardNames.components(separatedBy: ", ").compactMap(HostName.init) : names
    }
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
            .init("Output", [.flag("json", \.json, "Print JSON")]),
        ],
        examples: ["pinproof origin --name api.example.com --port 8443"],
        check: { (options) throws(CommandError) in
            try expectBoth("cert", options.certificate, "key", options.key)
            guard options.names.isEmpty || options.certificate == nil else {
                throw CommandError("--name contradicts --cert", mend: "the names are those of the certificate file")
            }
        })

    /// Reads the options of the command line.
    static func options(from arguments: [String]) throws(CommandError) -> Parsed<OriginOptions> {
        try table.parse(arguments)
    }
}
