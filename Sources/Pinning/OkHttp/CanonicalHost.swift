internal import Wire

/// A host as OkHttp's URLs have it (PS-4-2): lower case, ASCII, addresses in one form.
///
/// A dot at the end is kept. Of the mappings for international names only lower case and the ideographic full stops
/// are applied, so that letters that exist in several widths stay what they are.
enum CanonicalHost {
    /// Canonicalises a host.
    ///
    /// - Parameter host: A name or an address; an IPv6 address may have brackets.
    /// - Returns: The canonical text; nil if the text can be no host.
    static func text(of host: String) -> String? {
        if host.utf8.contains(UInt8(ascii: ":")) {
            return HostName(host).flatMap { $0.isAddress ? $0.text : nil }
        }
        var labels: [String] = []
        let parts = host.split(omittingEmptySubsequences: false) { fullStops.contains($0) }
        for (index, part) in parts.enumerated() {
            let isRoot = index == parts.count - 1 && index > 0
            guard let label = label(part.lowercased()), isRoot || !label.isEmpty else { return nil }
            labels.append(label)
        }
        return labels.joined(separator: ".")
    }

    /// What is the host if the text stands behind `http://`: 3.4 to 4.2 read patterns so.
    ///
    /// - Parameter text: A host; a port, a path and what else a URL may have is cut off.
    /// - Returns: The host; nil if the port is none.
    static func host(ofURL text: String) -> String? {
        let authority = text.prefix { !"/\\?#".contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        guard let colon = host.dropFirst(host.hasPrefix("[") ? host.prefix { $0 != "]" }.count : 0).firstIndex(of: ":")
        else { return String(host) }
        let port = host[host.index(after: colon)...]
        guard port.isEmpty || Int(port).map((1...65_535).contains) == true else { return nil }
        return String(host[..<colon])
    }

    private static let fullStops: Set<Character> = [".", "\u{3002}", "\u{ff0e}", "\u{ff61}"]
    private static let forbidden = Set(" #%/:?@[\\]".utf8)

    private static func label(_ label: String) -> String? {
        let ascii = label.utf8.allSatisfy { $0 < 0x80 } ? label : Punycode.encode(label).map { "xn--" + $0 }
        guard let ascii, ascii.utf8.count <= 63 else { return nil }
        return ascii.utf8.allSatisfy { $0 > 0x1f && $0 != 0x7f && !forbidden.contains($0) } ? ascii : nil
    }
}

/// Labels beyond ASCII as ASCII (RFC 3492).
enum Punycode {
    /// Encodes a label, without the prefix that says so; nil if it is too long to be one.
    static func encode(_ label: String) -> String? {
        let scalars = label.unicodeScalars.map(\.value)
        // Longer labels cannot fit, and shorter ones cannot overflow.
        guard scalars.count <= 63 else { return nil }
        var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
        let basicCount = output.count
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (threshold, delta, bias, handled): (UInt32, UInt32, UInt32, UInt32) = (128, 0, 72, UInt32(basicCount))
        while handled < scalars.count {
            let next = scalars.filter { $0 >= threshold }.min() ?? threshold
            delta += (next - threshold) * (handled + 1)
            threshold = next
            for scalar in scalars {
                if scalar < threshold { delta += 1 }
                guard scalar == threshold else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, isFirst: handled == basicCount, count: handled + 1)
                delta = 0
                handled += 1
            }
            delta += 1
            threshold += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ delta: UInt32, bias: UInt32, to output: inout [UInt8]) {
        var rest = delta
        var position: UInt32 = 36
        while true {
            let limit = position <= bias ? 1 : min(26, position - bias)
            guard rest >= limit else { break }
            output.append(digit(limit + (rest - limit) % (36 - limit)))
            rest = (rest - limit) / (36 - limit)
            position += 36
        }
        output.append(digit(rest))
    }

    private static func adapted(_ delta: UInt32, isFirst: Bool, count: UInt32) -> UInt32 {
        var rest = isFirst ? delta / 700 : delta / 2
        rest += rest / count
        var steps: UInt32 = 0
        while rest > 455 {
            rest /= 35
            steps += 36
        }
        return steps + 36 * rest / (rest + 38)
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? value + 97 : value - 26 + 48)
    }
}
