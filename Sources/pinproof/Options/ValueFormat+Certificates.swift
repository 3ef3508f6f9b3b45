internal import Authority
internal import Crypto

extension ValueFormat<KeyKind> {
    /// The kind of key to make.
    ///
    /// - Parameters:
    ///   - rsaBits: The sizes that RSA keys may have.
    ///   - hasEd25519: Whether Ed25519 is one of the choices.
    /// - Returns: The format.
    static func keyKind(rsaBits: ClosedRange<Int>, hasEd25519: Bool) -> ValueFormat {
        ValueFormat(
            placeholder: hasEd25519 ? "ec|rsa:N|ed25519" : "ec|rsa:N",
            parse: { (text) throws(ValueError) in
                if text == "ec" { return .p256 }
                if text == "ed25519", hasEd25519 { return .ed25519 }
                let bits = text.dropFirst("rsa:".count)
                guard text.hasPrefix("rsa:"), bits.isDigits, let number = Int(bits), rsaBits.contains(number) else {
                    let choices = "ec (P-256), \(hasEd25519 ? "ed25519, " : "")or rsa:N"
                    throw ValueError(
                        what: "not a kind of key",
                        remedy: "use \(choices) with \(rsaBits.lowerBound) to \(rsaBits.upperBound) bits")
                }
                return .rsa(number)
            },
            describe: { kind in
                switch kind {
                case .p256: "ec"
                case .ed25519: "ed25519"
                case .rsa(let bits): "rsa:\(bits)"
                }
            })
    }
}

extension ValueFormat<ServerName> {
    /// A name in a server's certificate.
    static var serverName: ValueFormat {
        ValueFormat(
            placeholder: "NAME",
            parse: { (text) throws(ValueError) in
                guard let name = ServerName(text) else {
                    throw ValueError(
                        what: "not a name for a server",
                        remedy: "use a DNS name, '*.example.com' or an IP address, without a port")
                }
                return name
            })
    }
}

extension ValueFormat<DistinguishedName> {
    /// The subject of a certificate.
    static var distinguishedName: ValueFormat {
        ValueFormat(
            placeholder: "DN",
            parse: { (text) throws(ValueError) in
                do throws(DistinguishedNameError) {
                    return try DistinguishedName(text: text)
                } catch {
                    throw ValueError(
                        what: "not a distinguished name", remedy: "\(error); write it as CN=app,O=Example,C=DE")
                }
            })
    }
}

extension ValueFormat<String> {
    /// What the names of files begin with.
    static var baseName: ValueFormat {
        ValueFormat(
            placeholder: "BASENAME",
            parse: { (text) throws(ValueError) in
                guard let first = text.first, !"-.".contains(first), !text.contains("/"), text.utf8.count <= 200,
                    text == text.printable
                else {
                    throw ValueError(
                        what: "not the beginning of a file's name",
                        remedy: "use at most 200 octets without '/', beginning with neither '.' nor '-'")
                }
                return text
            })
    }

    /// Any text that is not empty.
    static func text(_ placeholder: String) -> ValueFormat {
        ValueFormat(
            placeholder: placeholder,
            parse: { (text) throws(ValueError) in
                guard !text.isEmpty else { throw ValueError(what: "empty name", remedy: "write one") }
                return text
            })
    }
}
