/// A handshake message, decoded as far as its reader needs the parts (RFC 8446 section 4, RFC 5246 section 7.4, RFC 8422).
///
/// Decoding checks the framing only; what is encrypted (TLS 1.2's ClientKeyExchange) or of another kind stays bytes.
public enum HandshakeMessage: Sendable, Equatable {
    /// hello_request (TLS 1.2): the server asks for a new handshake.
    case helloRequest
    /// client_hello.
    case clientHello(ClientHello)
    /// server_hello; a HelloRetryRequest is one too.
    case serverHello(ServerHello)
    /// encrypted_extensions.
    case encryptedExtensions([TLSExtension])
    /// certificate.
    case certificate(CertificateMessage)
    /// certificate_request.
    case certificateRequest(CertificateRequestMessage)
    /// server_key_exchange (TLS 1.2).
    case serverKeyExchange(ServerKeyExchange)
    /// server_hello_done (TLS 1.2).
    case serverHelloDone
    /// certificate_verify: the scheme (RFC 8446 section 4.2.3; nil before TLS 1.2) and the signature.
    case certificateVerify(scheme: UInt16?, signature: [UInt8])
    /// client_key_exchange (TLS 1.2), undecoded.
    case clientKeyExchange([UInt8])
    /// certificate_status: the stapled OCSP response in DER (TLS 1.2; RFC 6066 section 8).
    case certificateStatus([UInt8])
    /// new_session_ticket.
    case newSessionTicket(SessionTicket)
    /// end_of_early_data.
    case endOfEarlyData
    /// finished: the verify_data.
    case finished([UInt8])
    /// key_update; whether the peer is asked for the same.
    case keyUpdate(isRequested: Bool)
    /// Any other message.
    case other(type: UInt8, body: [UInt8])

    /// Decodes a message.
    ///
    /// - Parameters:
    ///   - message: The message with its header of four octets.
    ///   - version: The version that was agreed on, as on the wire: several messages changed their form with TLS 1.3. It
    ///     makes no difference to hellos.
    /// - Throws: `WireError` naming the field whose length does not fit.
    public init(_ message: [UInt8], version: UInt16) throws(WireError) {
        var reader = ByteReader(message[...])
        let type = try reader.uint8("message type")
        let body = try reader.vector24("message")
        guard reader.isAtEnd else { throw .malformed(field: "end of the message") }
        self = try Self.decode(type, body, version: version)
    }

    private static func decode(
        _ type: UInt8, _ body: ArraySlice<UInt8>, version: UInt16
    ) throws(WireError) -> HandshakeMessage {
        var reader = ByteReader(body)
        let message: HandshakeMessage
        switch type {
        case HandshakeType.helloRequest: message = .helloRequest
        case HandshakeType.clientHello: return .clientHello(try ClientHello(message: body))
        case HandshakeType.serverHello: return .serverHello(try ServerHello(message: body))
        case HandshakeType.newSessionTicket: message = .newSessionTicket(try SessionTicket(&reader, version: version))
        case HandshakeType.endOfEarlyData: message = .endOfEarlyData
        case HandshakeType.encryptedExtensions:
            message = .encryptedExtensions(try TLSExtension.list(reader.vector16("extensions")))
        case HandshakeType.certificate: message = .certificate(try CertificateMessage(&reader, version: version))
        case HandshakeType.serverKeyExchange: return .serverKeyExchange(ServerKeyExchange(body))
        case HandshakeType.certificateRequest:
            message = .certificateRequest(try CertificateRequestMessage(&reader, version: version))
        case HandshakeType.serverHelloDone: message = .serverHelloDone
        case HandshakeType.certificateVerify:
            // Before TLS 1.2 the key decides alone (RFC 4346 section 7.4.8).
            let scheme = version >= tls12 ? try reader.uint16("signature scheme") : nil
            message = .certificateVerify(scheme: scheme, signature: [UInt8](try reader.vector16("signature")))
        case HandshakeType.clientKeyExchange: return .clientKeyExchange([UInt8](body))
        case HandshakeType.finished: return .finished([UInt8](body))
        case HandshakeType.certificateStatus:
            guard try reader.uint8("status type") == 1 else { throw .unsupported("status type") }
            message = .certificateStatus([UInt8](try reader.vector24("OCSP response")))
        case HandshakeType.keyUpdate: message = .keyUpdate(isRequested: try reader.uint8("key update") == 1)
        default: return .other(type: type, body: [UInt8](body))
        }
        guard reader.isAtEnd else { throw .malformed(field: "end of \(TLSNames.handshakeMessage(type))") }
        return message
    }

    static let tls12: UInt16 = 0x0303
    static let tls13: UInt16 = 0x0304
}

/// A chain of certificates as a handshake has it (RFC 8446 section 4.4.2, RFC 5246 section 7.4.2).
public struct CertificateMessage: Sendable, Equatable {
    /// One certificate.
    public struct Entry: Sendable, Equatable {
        /// The certificate in DER.
        public let der: [UInt8]
        /// What belongs to it, such as a stapled OCSP response; none before TLS 1.3.
        public let extensions: [TLSExtension]
    }

    /// The context of the request that is answered: empty in a handshake, and before TLS 1.3.
    public let context: [UInt8]
    /// The certificates, leaf first.
    public let entries: [Entry]

    init(_ reader: inout ByteReader, version: UInt16) throws(WireError) {
        let isNew = version >= HandshakeMessage.tls13
        context = isNew ? [UInt8](try reader.vector8("request context")) : []
        var list = ByteReader(try reader.vector24("certificates"))
        var entries: [Entry] = []
        while !list.isAtEnd {
            let der = [UInt8](try list.vector24("certificate"))
            let extensions = isNew ? try TLSExtension.list(list.vector16("certificate extensions")) : []
            entries.append(Entry(der: der, extensions: extensions))
        }
        self.entries = entries
    }
}

/// What is asked of a client that is to show a certificate (RFC 8446 section 4.3.2, RFC 5246 section 7.4.4).
public struct CertificateRequestMessage: Sendable, Equatable {
    /// The context that the answer has to name; empty in a handshake, and before TLS 1.3.
    public let context: [UInt8]
    /// The types of certificates (TLS 1.2); empty in TLS 1.3.
    public let certificateTypes: [UInt8]
    /// The signature schemes that are taken.
    public let signatureAlgorithms: [UInt16]
    /// The names of authorities that are taken, each in DER; none leaves that open.
    public let authorities: [[UInt8]]

    init(_ reader: inout ByteReader, version: UInt16) throws(WireError) {
        guard version >= HandshakeMessage.tls13 else {
            context = []
            certificateTypes = [UInt8](try reader.vector8("certificate types"))
            signatureAlgorithms =
                version >= HandshakeMessage.tls12
                ? try ByteReader.uint16List(reader.vector16("signature schemes"), "signature schemes") : []
            authorities = try Self.names(reader.vector16("authorities"))
            return
        }
        context = [UInt8](try reader.vector8("request context"))
        certificateTypes = []
        let extensions = try TLSExtension.list(reader.vector16("extensions"))
        func body(_ type: UInt16) -> ArraySlice<UInt8>? { extensions.first { $0.type == type }?.body[...] }
        var schemes: [UInt16] = []
        if let body = body(13) {
            var list = ByteReader(body)
            schemes = try ByteReader.uint16List(list.vector16("signature schemes"), "signature schemes")
        }
        signatureAlgorithms = schemes
        var names: [[UInt8]] = []
        if let body = body(47) {
            var list = ByteReader(body)
            names = try Self.names(list.vector16("authorities"))
        }
        authorities = names
    }

    private static func names(_ block: ArraySlice<UInt8>) throws(WireError) -> [[UInt8]] {
        var reader = ByteReader(block)
        var names: [[UInt8]] = []
        while !reader.isAtEnd { names.append([UInt8](try reader.vector16("authority"))) }
        return names
    }
}

/// A session ticket (RFC 8446 section 4.6.1, RFC 5077 section 3.3); the ticket itself means something to its maker only.
public struct SessionTicket: Sendable, Equatable {
    /// For how long it may be used, in seconds.
    public let lifetime: UInt32
    /// The ticket.
    public let ticket: [UInt8]
    /// How much early data may come with it, in octets; nil if none may, and before TLS 1.3.
    public let maxEarlyData: UInt32?

    init(_ reader: inout ByteReader, version: UInt16) throws(WireError) {
        lifetime = try reader.uint32("ticket lifetime")
        guard version >= HandshakeMessage.tls13 else {
            ticket = [UInt8](try reader.vector16("ticket"))
            maxEarlyData = nil
            return
        }
        _ = try reader.uint32("ticket age")
        _ = try reader.vector8("ticket nonce")
        ticket = [UInt8](try reader.vector16("ticket"))
        let early = try TLSExtension.list(reader.vector16("ticket extensions")).first { $0.type == 42 }
        guard let early else {
            maxEarlyData = nil
            return
        }
        var body = ByteReader(early.body[...])
        maxEarlyData = try body.uint32("early data limit")
    }
}

/// A server's share of an ephemeral key exchange (RFC 5246 section 7.4.3, RFC 8422 section 5.4).
///
/// What its parts are depends on the cipher suite, which the message does not name.
public struct ServerKeyExchange: Sendable, Equatable {
    /// The whole body.
    public let body: [UInt8]

    init(_ body: ArraySlice<UInt8>) { self.body = [UInt8](body) }

    /// What is signed of it and how, in a suite with an ephemeral elliptic curve (ECDHE).
    ///
    /// - Parameter version: The version that was agreed on.
    /// - Returns: The parts.
    /// - Throws: `WireError` if it is no named curve or a length does not fit.
    public func ellipticCurve(version: UInt16) throws(WireError) -> SignedParameters {
        var reader = ByteReader(body[...])
        // Only named curves are left (RFC 8422 section 5.4).
        guard try reader.uint8("curve type") == 3 else { throw .unsupported("curve type") }
        let group = try reader.uint16("named curve")
        _ = try reader.vector8("point")
        return try signed(upTo: reader, group: group, version: version)
    }

    /// What is signed of it and how, in a suite with ephemeral Diffie-Hellman over a field (DHE).
    ///
    /// - Parameter version: The version that was agreed on.
    /// - Returns: The parts.
    /// - Throws: `WireError` if a length does not fit.
    public func finiteField(version: UInt16) throws(WireError) -> SignedParameters {
        var reader = ByteReader(body[...])
        _ = try reader.vector16("prime")
        _ = try reader.vector16("generator")
        _ = try reader.vector16("public value")
        return try signed(upTo: reader, group: nil, version: version)
    }

    /// A share and its signature.
    public struct SignedParameters: Sendable, Equatable {
        /// The named curve; nil over a field.
        public let group: UInt16?
        /// The octets that are signed, after both randoms.
        public let parameters: [UInt8]
        /// The scheme; nil before TLS 1.2.
        public let scheme: UInt16?
        /// The signature.
        public let signature: [UInt8]
    }

    private func signed(
        upTo reader: ByteReader, group: UInt16?, version: UInt16
    ) throws(WireError) -> SignedParameters {
        var rest = reader
        let parameters = [UInt8](body.prefix(rest.offset))
        let scheme = version >= HandshakeMessage.tls12 ? try rest.uint16("signature scheme") : nil
        let signature = [UInt8](try rest.vector16("signature"))
        guard rest.isAtEnd else { throw .malformed(field: "end of server_key_exchange") }
        return SignedParameters(group: group, parameters: parameters, scheme: scheme, signature: signature)
    }
}
