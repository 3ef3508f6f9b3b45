internal import Transcript
internal import Wire

/// What TLS sessions agreed on and what hellos held.
extension JSONFields {
    /// Reads what a handshake agreed on.
    func parameters() throws(LineFault) -> TLSParameters {
        let suite = try object("cipherSuite")
        return TLSParameters(
            version: try object("version").protocolNumber("number"), cipherSuite: try suite.protocolNumber("number"),
            cipherSuiteName: try suite.text("name"), group: try optionalText("group"), alpn: try optionalText("alpn"),
            serverName: try optionalText("serverName"), resumed: try truth("resumed"),
            proof: try optionalTerm("proof"))
    }

    /// Reads a hello and its fingerprints.
    ///
    /// Only what was sent is read: what its extensions say is in their bodies.
    func hello() throws(LineFault) -> HelloRecord {
        let body = try helloBody()
        do {
            return HelloRecord(
                hello: try ClientHello(message: body), ja3Text: try text("ja3Text"), ja3: try text("ja3"),
                ja4: try text("ja4"))
        } catch let fault as LineFault {
            throw fault
        } catch {
            throw .value(path, "it is no ClientHello")
        }
    }

    /// The hello as it was on the wire (RFC 8446 section 4.1.2), without the four octets of its header.
    private func helloBody() throws(LineFault) -> [UInt8] {
        var body: [UInt8] = []
        body.append(bigEndian: try object("legacyVersion").protocolNumber("number"))
        body += try helloRandom()
        try append("sessionID", try hexadecimal("sessionID"), to: &body)

        let suites = try protocolNumbers("cipherSuites")
        guard let length = UInt16(exactly: suites.count * 2) else { throw tooLong("cipherSuites") }
        body.append(bigEndian: length)
        for suite in suites { body.append(bigEndian: suite) }
        try append("compressionMethods", try hexadecimal("compressionMethods"), to: &body)

        return body + (try extensionBlock())
    }

    /// Reads a server's hello and its fingerprints.
    ///
    /// Only what was sent is read: what its extensions say is in their bodies.
    func serverHello() throws(LineFault) -> ServerHelloRecord {
        let body = try serverHelloBody()
        do {
            return ServerHelloRecord(
                hello: try ServerHello(message: body[...]), ja3sText: try text("ja3sText"), ja3s: try text("ja3s"),
                ja4s: try text("ja4s"))
        } catch let fault as LineFault {
            throw fault
        } catch {
            throw .value(path, "it is no ServerHello")
        }
    }

    /// The hello as it was on the wire (RFC 8446 section 4.1.3), without the four octets of its header.
    private func serverHelloBody() throws(LineFault) -> [UInt8] {
        var body: [UInt8] = []
        body.append(bigEndian: try object("legacyVersion").protocolNumber("number"))
        body += try helloRandom()
        try append("sessionID", try hexadecimal("sessionID"), to: &body)
        body.append(bigEndian: try protocolNumber("cipherSuite"))
        body.append(try number("compressionMethod"))
        return body + (try extensionBlock())
    }

    private func helloRandom() throws(LineFault) -> [UInt8] {
        let random = try hexadecimal("random")
        guard random.count == 32 else { throw fault("random", "32 octets are expected") }
        return random
    }

    private func extensionBlock() throws(LineFault) -> [UInt8] {
        let extensions = try objects("extensions") { (item) throws(LineFault) in try item.helloExtension() }.joined()
        guard let length = UInt16(exactly: extensions.count) else { throw tooLong("extensions") }
        var block: [UInt8] = []
        block.append(bigEndian: length)
        return block + extensions
    }

    private func helloExtension() throws(LineFault) -> [UInt8] {
        let content = try hexadecimal("body")
        guard let length = UInt16(exactly: content.count) else { throw tooLong("body") }
        var bytes: [UInt8] = []
        bytes.append(bigEndian: try protocolNumber("type"))
        bytes.append(bigEndian: length)
        return bytes + content
    }

    /// Appends a vector whose length is one octet.
    private func append(_ name: String, _ content: [UInt8], to body: inout [UInt8]) throws(LineFault) {
        guard let length = UInt8(exactly: content.count) else { throw tooLong(name) }
        body.append(length)
        body += content
    }

    private func tooLong(_ name: String) -> LineFault { fault(name, "it is too long for a ClientHello") }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: UInt16) {
        append(UInt8(truncatingIfNeeded: number >> 8))
        append(UInt8(truncatingIfNeeded: number))
    }
}
