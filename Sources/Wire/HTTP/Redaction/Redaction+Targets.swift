extension Redaction {
    /// Takes secrets out of a request's target (RFC 9112 section 3.2).
    static func target(_ target: String, of method: String) -> String {
        method == "CONNECT" ? authority(target) : reference(target)
    }

    /// Takes the userinfo off an authority (RFC 3986 section 3.2).
    static func authority(_ authority: String) -> String {
        String(decoding: withoutUserinfo(Array(authority.utf8)[...]), as: UTF8.self)
    }

    /// Takes secrets out of a URL or a part of one: its userinfo, and the values of parameters in query and fragment.
    static func reference(_ reference: String) -> String {
        let octets = Array(reference.utf8)
        var output: [UInt8] = []
        var rest = octets[...]
        if let start = authorityStart(octets) {
            let end = octets[start...].firstIndex(where: endsAuthority) ?? octets.endIndex
            output += octets[..<start]
            output += withoutUserinfo(octets[start..<end])
            rest = octets[end...]
        }
        while let end = rest.firstIndex(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "#") }) {
            appendParameters(rest[..<end], to: &output)
            output.append(rest[end])
            rest = rest[(end + 1)...]
        }
        appendParameters(rest, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends what stands between two of "&" and "#"; a secret in it takes all that follows with it.
    ///
    /// Some separate parameters by ";", and a path ends with "?", but either may also stand in a value.
    private static func appendParameters(_ text: ArraySlice<UInt8>, to output: inout [UInt8]) {
        var start = text.startIndex
        var isInName = true
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: ";"), UInt8(ascii: "?"):
                start = index + 1
                isInName = true
            case UInt8(ascii: "=") where isInName:
                isInName = false
                guard isSecretParameter(text[start..<index]) else { continue }
                output += text[...index]
                if index + 1 < text.endIndex { output += mark.utf8 }
                return
            default: break
            }
        }
        output += text
    }

    private static func withoutUserinfo(_ authority: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let end = authority.lastIndex(of: UInt8(ascii: "@")) else { return authority }
        return authority[(end + 1)...]
    }

    /// Where the authority begins: behind the first "//", if that stands at the start or behind a scheme.
    private static func authorityStart(_ octets: [UInt8]) -> Int? {
        guard let slash = octets.firstIndex(where: endsAuthority), octets[slash...].starts(with: "//".utf8),
            slash == 0 || octets[slash - 1] == UInt8(ascii: ":")
        else { return nil }
        return slash + 2
    }

    private static func endsAuthority(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: "/") || octet == UInt8(ascii: "?") || octet == UInt8(ascii: "#")
    }
}
