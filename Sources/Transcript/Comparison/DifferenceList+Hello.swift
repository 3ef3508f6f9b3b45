import Wire

/// What two ClientHellos offer.
extension DifferenceList {
    /// Compares two hellos, GREASE left out.
    mutating func compareHellos(_ first: HelloRecord?, _ second: HelloRecord?) {
        guard let first, let second else {
            compare("hello", first.map { _ in "sent" }, second.map { _ in "sent" })
            return
        }
        let (one, other) = (OfferedHello(first.hello), OfferedHello(second.hello))
        compare(list: "versions", one.versions, other.versions)
        compare(list: "cipher suites", one.suites, other.suites)
        let sameExtensions = !compare(set: "extensions", one.extensions, other.extensions)
        // A stack that sends GREASE is one that may shuffle its extensions, as Chromium does for every hello.
        let shuffles = one.hasGREASE || other.hasGREASE
        let differsInOrder = sameExtensions && !shuffles && one.extensions != other.extensions
        if differsInOrder { add("order of extensions", one.extensions, other.extensions, isInformation: true) }
        compare("GREASE", one.hasGREASE.word, other.hasGREASE.word)
        compare(list: "groups", one.groups, other.groups)
        compare(list: "key shares", one.keyShares, other.keyShares)
        compare(list: "signature schemes", one.schemes, other.schemes)
        compare(list: "ALPN offered", one.protocols, other.protocols)
        compare("server name", one.serverName, other.serverName)
        compare("early data", one.offersEarlyData.word, other.offersEarlyData.word)
        compare("JA4", first.ja4.clipped, second.ja4.clipped)
        // JA3 counts the order of the extensions in, which says nothing where that is drawn anew for each hello.
        let isOrderOnly = first.ja4 == second.ja4 && sameExtensions && (shuffles || differsInOrder)
        if !(isOrderOnly && shuffles) {
            compare("JA3", first.ja3.clipped, second.ja3.clipped, isInformation: isOrderOnly)
        }
    }
}

/// What a hello offers by name, in its order, without what is random by nature.
private struct OfferedHello {
    let versions: [String]
    let suites: [String]
    let extensions: [String]
    let groups: [String]
    let keyShares: [String]
    let schemes: [String]
    let protocols: [String]
    let serverName: String?
    let offersEarlyData: Bool
    let hasGREASE: Bool

    init(_ hello: ClientHello) {
        let offered = hello.supportedVersions.isEmpty ? [hello.legacyVersion] : hello.supportedVersions
        versions = Self.named(offered, TLSNames.version)
        suites = Self.named(hello.cipherSuites, TLSNames.cipherSuite)
        // Padding comes and goes with the lengths of what is random (RFC 7685).
        extensions = Self.named(hello.extensions.map(\.type).filter { $0 != padding }, TLSNames.extension)
        groups = Self.named(hello.supportedGroups, TLSNames.group)
        keyShares = Self.named(hello.keyShareGroups, TLSNames.group)
        schemes = Self.named(hello.signatureAlgorithms, TLSNames.signatureScheme)
        protocols = (hello.alpn ?? []).filter { !Self.isGREASE($0) }.map(TLSNames.applicationProtocol)
        serverName = hello.serverName?.clipped
        offersEarlyData = hello.offersEarlyData
        hasGREASE = hello.extensions.contains { ClientHello.isGREASE($0.type) }
    }

    private static func named(_ values: [UInt16], _ name: (UInt16) -> String) -> [String] {
        values.filter { !ClientHello.isGREASE($0) }.map(name)
    }

    /// RFC 8701 section 2 reserves protocols of two octets too.
    private static func isGREASE(_ name: [UInt8]) -> Bool {
        name.count == 2 && ClientHello.isGREASE(UInt16(name[0]) << 8 | UInt16(name[1]))
    }
}

private let padding: UInt16 = 21
