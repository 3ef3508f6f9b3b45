/// Which hosts a pin of OkHttp is for (PS-4-2).
///
/// What a pattern means changed four times; each meaning is written down as the code of its time has it.
struct OkHttpPattern: Sendable, Hashable {
    private enum Meaning {
        /// Up to 3.1: text that is looked up, with the first label replaced where the host has two dots.
        case lookedUp
        /// 3.2 to 3.8: what follows the host's first dot begins with the rest of the pattern.
        case prefix
        /// 3.9 to 4.2: what follows the host's first dot is the rest of the pattern.
        case equal
        /// 4.3 and later: the host ends in the rest of the pattern.
        case suffix
    }

    /// The pattern as it is compared.
    let text: String
    private let meaning: Meaning

    /// Reads a pattern as a version does.
    ///
    /// - Parameters:
    ///   - text: A host, `*.` and a host, or (4.3 and later) `**.` and a host.
    ///   - version: The release.
    /// - Throws: What the version throws.
    init(_ text: String, version: LibraryVersion) throws(ConfigurationFault) {
        switch version {
        case ..<LibraryVersion(3, 2): meaning = .lookedUp
        case ..<LibraryVersion(3, 9): meaning = .prefix
        case ..<LibraryVersion(4, 3): meaning = .equal
        default: meaning = .suffix
        }
        if version < LibraryVersion(3, 4) {
            self.text = text
            return
        }
        let asterisks: String
        switch text {
        case _ where text.hasPrefix("*."): asterisks = "*."
        case _ where text.hasPrefix("**.") && meaning == .suffix: asterisks = "**."
        default: asterisks = ""
        }
        let rest = String(text.dropFirst(asterisks.count))
        let host = meaning == .suffix ? rest : CanonicalHost.host(ofURL: rest)
        guard meaning != .suffix || !rest.contains("*"), let canonical = host.flatMap(CanonicalHost.text) else {
            throw ConfigurationFault(.invalidPattern(text), rule: .okPattern)
        }
        self.text = asterisks + canonical
    }

    /// Whether the pin is for a host.
    ///
    /// - Parameter host: The URL's host: canonical, but a dot at its end is kept (PS-4-3).
    /// - Returns: Whether the pin counts for it.
    func matches(_ host: String) -> Bool {
        switch meaning {
        case .lookedUp: return matchesLookedUp(host)
        case .prefix: return text == host || isWildcard && host.afterFirstDot.hasPrefix(text.dropFirst(2))
        case .equal: return isWildcard ? host.afterFirstDot == text.dropFirst(2) : text == host
        case .suffix: return matchesSuffix(host)
        }
    }

    private var isWildcard: Bool { text.hasPrefix("*.") }

    private func matchesLookedUp(_ host: String) -> Bool {
        if text == host { return true }
        return host.count { $0 == "." } > 1 && text == "*." + host.afterFirstDot
    }

    private func matchesSuffix(_ host: String) -> Bool {
        if text.hasPrefix("**.") {
            return host == text.dropFirst(3) || host.hasSuffix(text.dropFirst(2))
        }
        guard isWildcard else { return host == text }
        // An empty label passes, as in ".example.com".
        return host.hasSuffix(text.dropFirst()) && !host.dropLast(text.count - 1).contains(".")
    }
}

extension String {
    /// What follows the first dot; everything if there is none.
    fileprivate var afterFirstDot: Substring {
        firstIndex(of: ".").map { self[index(after: $0)...] } ?? self[...]
    }
}
