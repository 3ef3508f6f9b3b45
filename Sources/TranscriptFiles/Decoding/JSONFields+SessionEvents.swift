internal import Transcript

extension JSONFields {
    /// Reads an event of a TLS session; nil if the name is none's.
    func sessionEvent(_ name: String) throws(LineFault) -> Event.Kind? {
        switch name {
        case "hello": .hello(try hello())
        case "originHello": .originHello(try hello())
        case "serverHello": .serverHello(try term("side"), try serverHello())
        case "traffic":
            .traffic(
                try term("side"), try term("direction"), offset: try number("offset"), try base64("bytes"))
        case "secret":
            .secret(
                try term("side"),
                SessionSecret(
                    label: try text("label"), clientRandom: try hexadecimal("clientRandom"),
                    secret: try hexadecimal("secret")))
        case "wire": .wire(try term("side"), try term("direction"), try base64("bytes"))
        case "message":
            .message(
                try term("side"), try term("direction"), try base64("bytes"),
                // Younger than the format. What is decoded beside is in the octets.
                version: has("version") ? try optionalProtocolNumber("version") : nil)
        case "alert":
            .alert(
                try term("side"), try term("direction"), level: try number("level"), code: try number("code"))
        case "certificate": .certificate(digest: try text("digest"), der: try base64("der"))
        case "chain": .chain(try term("side"), try texts("digests"))
        case "issuerFetched":
            .issuerFetched(
                IssuerFetched(
                    url: try text("url"), digests: try texts("digests"), fromCache: try truth("fromCache"),
                    fault: try optionalText("fault")))
        case "identity":
            .identity(
                IdentityExchange(
                    side: try term("side"), authorities: try texts("authorities"), chain: try texts("chain"),
                    source: try optionalText("source"), fault: try optionalText("fault")))
        case "forged":
            .forged(
                host: try text("host"), digest: try text("digest"), key: try text("key"),
                fromCache: try truth("fromCache"), mirrors: try terms("mirroredFaults"))
        case "secured": .secured(try term("side"), try parameters())
        default: nil
        }
    }
}
