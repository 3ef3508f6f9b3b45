import Transcript
import Wire

/// Hellos as text, part by part.
struct HelloText {
    /// Writes all that a client offers.
    static func write(_ record: HelloRecord, to section: inout TextSection) {
        let hello = record.hello
        section.row("server name", hello.serverName ?? "none")
        section.row("versions", list: versions(hello))
        section.row("ALPN", list: (hello.alpn ?? []).map(TLSNames.applicationProtocol))
        section.row("cipher suites", list: hello.cipherSuites.map(TLSNames.cipherSuite))
        section.row("groups", list: hello.supportedGroups.map(TLSNames.group))
        section.row("key shares", list: hello.keyShareGroups.map(TLSNames.group))
        section.row("signatures", list: hello.signatureAlgorithms.map(TLSNames.signatureScheme))
        section.row("extensions", list: hello.extensions.map { TLSNames.extension($0.type) })
        section.row("GREASE", hasGREASE(hello) ? "yes" : "no")
        if hello.offersECH { section.row("ECH", "encrypted_client_hello, real or GREASE") }
        if hello.offersEarlyData { section.row("early data", "yes") }
        section.row("JA4", record.ja4)
        section.row("JA3", record.ja3)
    }

    /// Writes what tells a hello of ours from others.
    static func writeShort(_ record: HelloRecord, to section: inout TextSection) {
        section.row("server name", record.hello.serverName ?? "none")
        section.row("versions", list: versions(record.hello))
        section.row("ALPN", list: (record.hello.alpn ?? []).map(TLSNames.applicationProtocol))
        section.row("JA4", record.ja4)
        section.row("JA3", record.ja3)
    }

    /// Writes what a server chose.
    static func write(_ record: ServerHelloRecord, to section: inout TextSection) {
        section.row("version", TLSNames.version(record.hello.version))
        section.row("cipher suite", TLSNames.cipherSuite(record.hello.cipherSuite))
        section.row("key share", list: [record.hello.keyShareGroup.map(TLSNames.group)].compactMap(\.self))
        section.row("JA4S", record.ja4s)
        section.row("JA3S", record.ja3s)
    }

    private static func versions(_ hello: ClientHello) -> [String] {
        (hello.supportedVersions.isEmpty ? [hello.legacyVersion] : hello.supportedVersions).map(TLSNames.version)
    }

    private static func hasGREASE(_ hello: ClientHello) -> Bool {
        (hello.cipherSuites + hello.extensions.map(\.type) + hello.supportedGroups).contains(
            where: ClientHello.isGREASE)
    }
}
