/// Looks through a text for secrets that are known by what stands before them, or by their look.
///
/// These are the values of parameters whose names `SecretNames` knows, wherever a parameter may stand; what follows the
/// word "Bearer"; JSON in Base64, of which JWTs consist (RFC 7519); and the userinfo of URLs. A URL within a parameter,
/// which is percent-encoded, is looked through as well; what is encoded twice is not.
struct SecretScan {
    /// What a text is.
    enum Kind {
        /// A URL, or a part of one: it ends parameters at "&" and "#" only.
        case reference
        /// Anything else, with URLs and parameters anywhere in it.
        case text
        /// A text whose parameters mean something else: only what is known by its look is looked for.
        case harmless
    }

    /// Which part of a URL it is in.
    private enum Part {
        case none
        case path
        case query
    }

    private let text: [UInt8]
    private let kind: Kind
    private var output: [UInt8] = []
    /// Up to where the text was copied or left out.
    private var done = 0
    private var position = 0
    /// Where the name of a parameter begins, if this may be one.
    private var nameStart: Int? = 0
    private var part: Part
    /// Whether a word may begin here.
    private var isAtWord = true

    /// Takes the secrets out of a text.
    ///
    /// - Returns: What is left; nil if there are none.
    static func redact(_ text: String, as kind: Kind) -> String? {
        guard isSuspicious(text) else { return nil }
        var scan = SecretScan(text: Array(text.utf8), kind: kind)
        scan.run()
        guard scan.done > 0 else { return nil }
        scan.output += scan.text[scan.done...]
        return String(decoding: scan.output, as: UTF8.self)
    }

    private init(text: [UInt8], kind: Kind) {
        self.text = text
        self.kind = kind
        part = kind == .reference ? .path : .none
    }

    /// Whether a text holds anything of what a secret begins with; most do not.
    private static func isSuspicious(_ text: String) -> Bool {
        var before: UInt8 = 0
        for octet in text.utf8 {
            switch octet {
            case UInt8(ascii: "="), UInt8(ascii: "%"), UInt8(ascii: "@"): return true
            // The ends of "eyJ" and "Bearer ".
            case UInt8(ascii: "J") where before == UInt8(ascii: "y"): return true
            case UInt8(ascii: " ") where before | 0x20 == UInt8(ascii: "r"): return true
            default: before = octet
            }
        }
        return false
    }

    private mutating func run() {
        if kind == .reference, text.starts(with: "//".utf8) { leaveOutUserinfo(from: 2, isEncoded: false) }
        while position < text.count {
            if isAtWord, let secret = word() {
                replace(secret)
                (nameStart, isAtWord) = (nil, false)
                continue
            }
            let (octet, next) = octet(at: position)
            isAtWord = !octet.isWordCharacter
            if kind == .harmless { position = next } else { take(octet, next) }
        }
    }

    /// Takes an octet that may separate parameters, or the parts of a URL.
    private mutating func take(_ octet: UInt8, _ next: Int) {
        let isEncoded = next - position > 1
        let start = position
        position = next
        switch octet {
        case UInt8(ascii: "="):
            guard let nameStart else { return }
            self.nameStart = nil
            guard SecretNames.isSecret(decoded(nameStart..<start), isParameter: true) else { return }
            replace(parameterValue(isEncoded: isEncoded))
        case UInt8(ascii: ":"):
            guard let slashes = authorityStart(at: next) else { return }
            leaveOutUserinfo(from: slashes, isEncoded: isEncoded)
            part = .path
        case UInt8(ascii: "?"), UInt8(ascii: "#"):
            nameStart = next
            part = .query
        case UInt8(ascii: "&"):
            nameStart = next
            if part == .path { part = .query }
        case UInt8(ascii: "/"):
            if part == .path { nameStart = next }
        case UInt8(ascii: ";"), UInt8(ascii: ","):
            nameStart = next
        case _ where kind == .text && octet.endsText:
            nameStart = next
            part = .none
        default:
            break
        }
    }

    // MARK: What is a secret

    /// The secret that begins with the word here: a token, or what follows "Bearer".
    private func word() -> Range<Int>? {
        switch text[position] {
        case UInt8(ascii: "e"):
            guard text[position...].starts(with: Self.jsonStart) else { return nil }
            let end = end(from: position) { octet, _ in
                !octet.isBase64 && (octet != UInt8(ascii: "/") || part == .path)
            }
            return end - position >= Self.shortestToken ? position..<end : nil
        case UInt8(ascii: "B"), UInt8(ascii: "b"):
            let wordEnd = position + Self.bearer.count
            guard kind != .harmless, wordEnd < text.count,
                text[position..<wordEnd].map(\.asciiLowercased) == Self.bearer
            else { return nil }
            let start = end(from: wordEnd) { octet, _ in octet != UInt8(ascii: " ") && octet != UInt8(ascii: "+") }
            let end = end(from: start) { octet, _ in
                octet.endsText || octet == UInt8(ascii: ",") || octet == UInt8(ascii: ";")
                    || octet == UInt8(ascii: "&")
            }
            return wordEnd < start && start < end ? start..<end : nil
        default: return nil
        }
    }

    /// The value of a parameter, from here on.
    ///
    /// Some separate parameters by ";" or ",", but either may also stand in a value. If the "=" is encoded, so is what ends
    /// the value; if it is not, what is encoded belongs to it.
    private func parameterValue(isEncoded: Bool) -> Range<Int> {
        if kind == .text, position < text.count, text[position] == UInt8(ascii: "\"") {
            let start = position + 1
            return start..<(text[start...].firstIndex(of: UInt8(ascii: "\"")) ?? text.count)
        }
        let end = end(from: position) { octet, isRaw in
            guard isRaw || isEncoded else { return false }
            switch octet {
            case UInt8(ascii: "&"), UInt8(ascii: "#"): return true
            case UInt8(ascii: "?"): return part == .path
            default: return kind == .text && octet.endsText
            }
        }
        return position..<end
    }

    /// Where an authority begins, if two slashes stand here.
    private func authorityStart(at start: Int) -> Int? {
        guard start < text.count, case (UInt8(ascii: "/"), let second) = octet(at: start), second < text.count,
            case (UInt8(ascii: "/"), let end) = octet(at: second)
        else { return nil }
        return end
    }

    /// Leaves out what stands before the last "@" of the authority that begins here (RFC 3986 section 3.2).
    private mutating func leaveOutUserinfo(from start: Int, isEncoded: Bool) {
        var userinfoEnd = start
        var index = start
        while index < text.count {
            let (octet, next) = octet(at: index)
            if next - index == 1 || isEncoded {
                if octet == UInt8(ascii: "@") { userinfoEnd = next }
                if octet.endsAuthority || kind == .text && octet.endsText { break }
                if octet == UInt8(ascii: "&"), part == .query { break }
            }
            index = next
        }
        replace(start..<userinfoEnd, by: "")
        nameStart = nil
    }

    // MARK: Octets

    /// The octet here, percent-encoding undone (RFC 3986 section 2.1), and where the next one begins.
    private func octet(at index: Int) -> (octet: UInt8, next: Int) {
        guard text[index] == UInt8(ascii: "%"), index + 2 < text.count, let high = text[index + 1].hexDigitValue,
            let low = text[index + 2].hexDigitValue
        else { return (text[index], index + 1) }
        return (high << 4 | low, index + 3)
    }

    private func decoded(_ range: Range<Int>) -> ArraySlice<UInt8> {
        guard text[range].contains(UInt8(ascii: "%")) else { return text[range] }
        var octets: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let (octet, next) = octet(at: index)
            octets.append(octet)
            index = next
        }
        return octets[...]
    }

    /// Where the first octet stands that ends something.
    private func end(from start: Int, _ isEnd: (_ octet: UInt8, _ isRaw: Bool) -> Bool) -> Int {
        var index = start
        while index < text.count {
            let (octet, next) = octet(at: index)
            if isEnd(octet, next - index == 1) { break }
            index = next
        }
        return index
    }

    /// Has something else stand for a range, and goes on behind it.
    private mutating func replace(_ range: Range<Int>, by mark: String = Redaction.mark) {
        position = range.upperBound
        guard !range.isEmpty else { return }
        output += text[done..<range.lowerBound]
        output += mark.utf8
        done = range.upperBound
    }

    /// What a JSON object begins with in Base64: `{"`.
    private static let jsonStart = Array("eyJ".utf8)
    /// Shorter than any header of a token.
    private static let shortestToken = 10
    private static let bearer = Array("bearer".utf8)
}

extension UInt8 {
    /// Whether this goes on a word.
    fileprivate var isWordCharacter: Bool { isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") }

    /// Whether this may stand in Base64 of either alphabet, or between the parts of a JWT, but for the slash.
    fileprivate var isBase64: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "="): true
        default: isASCIILetter || isASCIIDigit
        }
    }

    /// Whether no URL goes on with this.
    fileprivate var endsText: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): true
        default: self <= UInt8(ascii: " ")
        }
    }

    fileprivate var endsAuthority: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "?") || self == UInt8(ascii: "#")
    }
}
