internal import Authority
internal import Crypto
internal import Engine
internal import Foundation
internal import Reactor
internal import TestOrigin
internal import Wire

extension OriginCommand {
    /// Runs the test origin until it is interrupted.
    static func run(_ options: OriginOptions) async throws -> ExitCode {
        // Whoever reads the output may leave; the serving goes on.
        signal(SIGPIPE, SIG_IGN)
        guard let listen = SocketAddress(options.listen, port: options.port) else {
            throw CommandError("not an address to listen on", at: "--listen \(options.listen)")
        }
        let (identity, authority) = try identity(options)
        let interruption = try Interruption()
        var clients = OriginClients(options.clientAuthentication)
        let anchors = try options.clientAuthorities.flatMap(CertificateFile.read)
        if !anchors.isEmpty { clients.trust = try ClientTrust(anchors: anchors) }
        let origin = try TestOriginServer(
            listen: listen, identity: identity, clients: clients, minimumVersion: options.lowestVersion?.number,
            maximumVersion: options.highestVersion?.number)
        try announce(origin.address, authority, options)
        interruption.wait()
        origin.stop()
        return .asExpected
    }

    private static func identity(_ options: OriginOptions) throws -> (TLSIdentity, CertificateAuthority?) {
        if let certificate = options.certificate, let key = options.key {
            let identity = try TLSIdentity.load(certificateFile: certificate, keyFile: key)
            try warn(of: identity.chain[0], in: certificate)
            return (identity, nil)
        }
        let now = Int64(time(nil))
        let authority = try CertificateAuthority.ephemeral(name: "Pinproof origin", now: now)
        return (try authority.issueServer(for: options.effectiveNames, now: now), authority)
    }

    /// A certificate that is out of date may be what a test needs; nobody should find out by its failing.
    private static func warn(of leaf: Certificate, in file: String) throws {
        let now = Int64(time(nil))
        guard now < leaf.notBefore || now > leaf.notAfter else { return }
        let state = now > leaf.notAfter ? "has expired" : "is not valid yet"
        try StandardStream.error.write("pinproof: warning: the certificate in \(file.printable) \(state)\n")
    }

    private static func announce(
        _ address: SocketAddress, _ authority: CertificateAuthority?, _ options: OriginOptions
    ) throws {
        let pem = authority?.certificate.pem
        if options.json {
            var line =
                ["record": "listening", "address": address.host.text, "port": Int(address.port)] as [String: Any]
            line["ca"] = pem
            let bytes = try JSONSerialization.data(
                withJSONObject: line, options: [.sortedKeys, .withoutEscapingSlashes])
            return try StandardStream.output.write([UInt8](bytes) + [0x0A])
        }
        var text = "pinproof origin on https://\(address)/; Ctrl-C ends.\n"
        if let pem { text += "Its certificate is signed by this CA, made for this run:\n\(pem)" }
        try StandardStream.output.write(text)
    }
}
