/// Addresses as text: read strictly, written in the one canonical form.
enum IPAddressText {
    /// Reads four decimal octets with dots between.
    ///
    /// Leading zeros are refused: some resolvers read them as octal, so such a text means different hosts to
    /// different programs.
    static func ipv4(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var octets: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.count), part.allSatisfy(\.isASCIIDigit) else { return nil }
            guard part.count == 1 || part.first != UInt8(ascii: "0") else { return nil }
            let value = part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            guard let octet = UInt8(exactly: value) else { return nil }
            octets.append(octet)
        }
        return octets
    }

    /// Reads an IPv6 address (RFC 4291 section 2.2), without brackets and without a zone.
    static func ipv6(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        // The longest form has six groups and an IPv4 address: 45 characters.
        guard (2...45).contains(text.count) else { return nil }
        let colon = UInt8(ascii: ":")
        var groups: [UInt16] = []
        var gap: Int?
        var rest = text
        if rest.first == colon {
            rest = rest.dropFirst()
            guard rest.first == colon else { return nil }
            rest = rest.dropFirst()
            gap = 0
        }
        while !rest.isEmpty {
            let piece = rest.prefix { $0 != colon }
            rest = rest.dropFirst(piece.count)
            if rest.isEmpty, let octets = ipv4(piece) {
                groups.append(UInt16(octets[0]) << 8 | UInt16(octets[1]))
                groups.append(UInt16(octets[2]) << 8 | UInt16(octets[3]))
                break
            }
            guard let group = ipv6Group(piece) else { return nil }
            groups.append(group)
            guard !rest.isEmpty else { break }
            rest = rest.dropFirst()
            if rest.first == colon {
                guard gap == nil else { return nil }
                gap = groups.count
                rest = rest.dropFirst()
            } else if rest.isEmpty {
                return nil  // a single colon at the end
            }
        }
        if let gap {
            guard groups.count < 8 else { return nil }
            groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
        }
        guard groups.count == 8 else { return nil }
        return groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }

    private static func ipv6Group(_ piece: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(piece.count) else { return nil }
        var value: UInt16 = 0
        for byte in piece {
            guard let digit = byte.hexDigitValue else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    /// Writes four octets with dots between.
    static func text(ipv4 octets: [UInt8]) -> String {
        octets.map(String.init).joined(separator: ".")
    }

    /// Writes sixteen octets as RFC 5952 section 4 asks: lower case, no leading zeros, the first longest run of two
    /// or more zero groups as "::".
    static func text(ipv6 octets: [UInt8]) -> String {
        let groups = stride(from: 0, to: octets.count - 1, by: 2).map {
            UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1])
        }
        func joined(_ groups: ArraySlice<UInt16>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard let zeros = longestZeroRun(groups) else { return joined(groups[...]) }
        return joined(groups[..<zeros.lowerBound]) + "::" + joined(groups[zeros.upperBound...])
    }

    private static func longestZeroRun(_ groups: [UInt16]) -> Range<Int>? {
        var longest = 0..<1  // what a run has to beat: one group alone is written out
        var start = 0
        for index in groups.indices {
            guard groups[index] == 0 else {
                start = index + 1
                continue
            }
            if index + 1 - start > longest.count { longest = start..<index + 1 }
        }
        return longest.count > 1 ? longest : nil
    }
}
