import Wire

/// What TLS sessions agreed on and what hellos held.
extension JSONWriter {
    /// Writes what a handshake agreed on.
    mutating func writeMembers(of parameters: TLSParameters) {
        key("version")
        number(parameters.version, name: TLSNames.version(parameters.version))
        key("cipherSuite")
        number(parameters.cipherSuite, name: parameters.cipherSuiteName)
        member("group", parameters.group)
        member("alpn", parameters.alpn)
        member("serverName", parameters.serverName)
        member("resumed", parameters.resumed)
        member("proof", parameters.proof)
    }

    /// Writes a hello: first as it was sent, then what its extensions say, then its fingerprints.
    mutating func writeMembers(of record: HelloRecord) {
        let hello = record.hello
        key("legacyVersion")
        number(hello.legacyVersion, name: TLSNames.version(hello.legacyVersion))
        member("random", hexadecimal: hello.random)
        member("sessionID", hexadecimal: hello.sessionID)
        key("cipherSuites")
        beginArray()
        for suite in hello.cipherSuites { value(protocolNumber: suite) }
        endArray()
        member("compressionMethods", hexadecimal: hello.compressionMethods)
        member("extensions", hello.extensions)

        member("serverName", hello.serverName)
        member("alpn", protocolNames: hello.alpn)
        member("supportedVersions", hello.supportedVersions, named: TLSNames.version)
        member("supportedGroups", hello.supportedGroups, named: TLSNames.group)
        member("signatureAlgorithms", hello.signatureAlgorithms, named: TLSNames.signatureScheme)
        member("keyShareGroups", hello.keyShareGroups, named: TLSNames.group)
        member("pointFormats", hexadecimal: hello.pointFormats)
        member("offersEarlyData", hello.offersEarlyData)
        member("offersECH", hello.offersECH)

        member("ja3", record.ja3)
        member("ja3Text", record.ja3Text)
        member("ja4", record.ja4)
    }

    /// Writes a server's hello, in the same order.
    mutating func writeMembers(of record: ServerHelloRecord) {
        let hello = record.hello
        key("legacyVersion")
        number(hello.legacyVersion, name: TLSNames.version(hello.legacyVersion))
        member("random", hexadecimal: hello.random)
        member("sessionID", hexadecimal: hello.sessionID)
        key("cipherSuite")
        value(protocolNumber: hello.cipherSuite)
        member("compressionMethod", hello.compressionMethod)
        member("extensions", hello.extensions)

        member("isRetryRequest", hello.isRetryRequest)
        key("version")
        number(hello.version, name: TLSNames.version(hello.version))
        key("keyShareGroup")
        if let group = hello.keyShareGroup { number(group, name: TLSNames.group(group)) } else { null() }

        member("ja3s", record.ja3s)
        member("ja3sText", record.ja3sText)
        member("ja4s", record.ja4s)
    }

    /// Writes the extensions of a hello, in their order, undecoded.
    mutating func member(_ name: StaticString, _ extensions: [TLSExtension]) {
        key(name)
        beginArray()
        for item in extensions {
            beginObject()
            key("type")
            value(protocolNumber: item.type)
            member("name", TLSNames.extension(item.type))
            member("body", hexadecimal: item.body)
            endObject()
        }
        endArray()
    }

    /// Writes the protocols that a client offers, or null if it offers none.
    private mutating func member(_ name: StaticString, protocolNames: [[UInt8]]?) {
        key(name)
        guard let protocolNames else { return null() }
        beginArray()
        for protocolName in protocolNames { value(TLSNames.applicationProtocol(protocolName)) }
        endArray()
    }

    /// Writes a list of protocol numbers with their names.
    mutating func member(_ name: StaticString, _ numbers: [UInt16], named: (UInt16) -> String) {
        key(name)
        beginArray()
        for item in numbers { number(item, name: named(item)) }
        endArray()
    }

    /// Writes a protocol number and its name.
    mutating func number(_ number: UInt16, name: String) {
        beginObject()
        key("number")
        value(protocolNumber: number)
        member("name", name)
        endObject()
    }
}
