import Wire

/// Handshake messages, decoded.
extension JSONWriter {
    /// Writes a protocol number, or null.
    mutating func member(_ name: StaticString, protocolNumber number: UInt16?) {
        key(name)
        if let number { value(protocolNumber: number) } else { null() }
    }

    /// Writes what a message says; null for one that has an event of its own, such as a hello, or says nothing.
    mutating func member(_ name: StaticString, _ message: HandshakeMessage?) {
        key(name)
        switch message {
        case .encryptedExtensions(let extensions): object { $0.member("extensions", extensions) }
        case .certificate(let message): object { $0.member("certificates", message.entries.count) }
        case .certificateRequest(let request):
            object { json in
                json.member("signatureAlgorithms", request.signatureAlgorithms, named: TLSNames.signatureScheme)
                json.key("authorities")
                json.beginArray()
                for authority in request.authorities { json.value(hexadecimal: authority) }
                json.endArray()
            }
        case .serverKeyExchange(let share):
            // Which kind of share it is, the suite says; only a named curve begins as one.
            guard let parameters = try? share.ellipticCurve(version: tls12) else { return null() }
            object { json in
                json.member("group", parameters.group, named: TLSNames.group)
                json.member("scheme", parameters.scheme, named: TLSNames.signatureScheme)
            }
        case .certificateVerify(let scheme, _):
            object { $0.member("scheme", scheme, named: TLSNames.signatureScheme) }
        case .newSessionTicket(let ticket):
            object { json in
                json.member("lifetime", ticket.lifetime)
                json.member("maxEarlyData", ticket.maxEarlyData)
            }
        case .finished(let data): object { $0.member("verifyData", hexadecimal: data) }
        case .keyUpdate(let isRequested): object { $0.member("isRequested", isRequested) }
        case .helloRequest, .clientHello, .serverHello, .serverHelloDone, .clientKeyExchange, .certificateStatus,
            .endOfEarlyData, .other, nil:
            null()
        }
    }

    private mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Writes a protocol number and its name, or null.
    private mutating func member(_ name: StaticString, _ value: UInt16?, named: (UInt16) -> String) {
        key(name)
        if let value { number(value, name: named(value)) } else { null() }
    }
}

private let tls12: UInt16 = 0x0303
