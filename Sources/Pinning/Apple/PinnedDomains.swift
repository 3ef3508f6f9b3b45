public import Wire

/// The pins that an app's Info.plist states and its platform applies by itself: `NSPinnedDomains` (PS-6.1).
public struct PinnedDomains: Hashable, Sendable {
    /// One pinned domain.
    public struct Entry: Hashable, Sendable {
        /// `NSIncludesSubdomains`: one more label is covered.
        public var includesSubdomains: Bool
        /// The digests of `NSPinnedLeafIdentities` that could be read; nil if the key is absent.
        public var leafPins: [[UInt8]]?
        /// The digests of `NSPinnedCAIdentities` that could be read; nil if the key is absent.
        public var authorityPins: [[UInt8]]?

        /// Pins a domain.
        public init(includesSubdomains: Bool = false, leafPins: [[UInt8]]? = nil, authorityPins: [[UInt8]]? = nil) {
            self.includesSubdomains = includesSubdomains
            self.leafPins = leafPins
            self.authorityPins = authorityPins
        }
    }

    /// The entries by domain, as the file spells it.
    public var entries: [String: Entry]
    /// `SecTrustPinningRequired`, under which other rules apply.
    public var isPinningRequired: Bool

    /// Pins domains.
    public init(entries: [String: Entry], isPinningRequired: Bool = false) {
        self.entries = entries
        self.isPinningRequired = isPinningRequired
    }

    /// Reads an Info.plist as the platform does (PS-6.1-3): what is of the wrong type counts as empty, not as absent.
    ///
    /// - Parameter information: The whole property list.
    public init(information: [String: PropertyValue]) {
        let domains = information["NSAppTransportSecurity"]?.entries?["NSPinnedDomains"]?.entries ?? [:]
        self.init(
            entries: domains.compactMapValues { $0.entries.map(Entry.init) },
            isPinningRequired: information["SecTrustPinningRequired"] == .boolean(true))
    }

    /// The pins of all entries that cover a host, joined (PS-6.1-1, PS-6.1-2).
    ///
    /// - Parameter host: The host, without its trailing dot.
    /// - Returns: The pins; a kind that no entry has is nil.
    public func pins(for host: HostName) -> Entry {
        var joined = Entry()
        for (domain, entry) in entries.sorted(by: { $0.key < $1.key }) where covers(domain, entry, host) {
            if let pins = entry.leafPins { joined.leafPins = (joined.leafPins ?? []) + pins }
            if let pins = entry.authorityPins { joined.authorityPins = (joined.authorityPins ?? []) + pins }
        }
        return joined
    }

    /// The domains that cover a host.
    func names(for host: HostName) -> [String] {
        entries.filter { covers($0.key, $0.value, host) }.keys.sorted()
    }

    private func covers(_ domain: String, _ entry: Entry, _ host: HostName) -> Bool {
        let domain = domain.lowercased()
        if domain == host.text { return true }
        guard entry.includesSubdomains, let dot = host.text.firstIndex(of: ".") else { return false }
        return domain == host.text[host.text.index(after: dot)...]
    }
}

extension PinnedDomains.Entry {
    fileprivate init(_ properties: [String: PropertyValue]) {
        self.init(
            // Exactly the boolean: the number 1 does not count.
            includesSubdomains: properties["NSIncludesSubdomains"] == .boolean(true),
            leafPins: properties["NSPinnedLeafIdentities"].map(Self.digests),
            authorityPins: properties["NSPinnedCAIdentities"].map(Self.digests))
    }

    private static func digests(_ value: PropertyValue) -> [[UInt8]] {
        (value.elements ?? []).compactMap { element in
            element.entries?["SPKI-SHA256-BASE64"]?.text.flatMap { Base64.decode(Array($0.utf8)) }
        }
    }

    /// What is wrong with a path; nil if nothing is (PS-6.1-4).
    func mismatch(on path: [CertificateFacts]) -> PinnedDomainsFinding? {
        if let leafPins, match(leafPins, on: path.prefix(1)) == nil { return .leafNotPinned(pins: leafPins.count) }
        // A key that is pinned for authorities does not count in the leaf.
        if let authorityPins, match(authorityPins, on: path.dropFirst()) == nil {
            return .authorityNotPinned(pins: authorityPins.count)
        }
        return nil
    }

    /// Which pins matched which certificates.
    func matches(on path: [CertificateFacts]) -> PinnedDomainsFinding {
        .pinned(
            leaf: leafPins.flatMap { match($0, on: path.prefix(1)) },
            authority: authorityPins.flatMap { match($0, on: path.dropFirst()) })
    }

    /// Whether nothing of the kind is configured.
    var isEmpty: Bool { leafPins == nil && authorityPins == nil }

    private func match(_ pins: [[UInt8]], on path: ArraySlice<CertificateFacts>) -> PinMatch? {
        for (depth, certificate) in zip(path.indices, path) {
            let digest = certificate.details.spkiSHA256
            guard !digest.isEmpty, pins.contains(digest) else { continue }
            return PinMatch(pin: Base64.encode(digest), certificate: certificate, depth: depth)
        }
        return nil
    }
}
