internal import Crypto
internal import Wire

extension FuzzTarget {
    /// `ClientHelloAssembler` and all that is read from a hello.
    static let clientHello = FuzzTarget("client-hello") { stream throws(BrokenProperty) in
        var whole = ClientHelloAssembler(limit: helloLimit)
        let progress = whole.receive(stream)
        try require(whole.receive([22, 3, 1]) == progress || progress == .incomplete, "an outcome stays")

        var cut = ClientHelloAssembler(limit: helloLimit)
        var progressInPieces = ClientHelloAssembler.Progress.incomplete
        for piece in stream.pieces { progressInPieces = cut.receive(piece) }
        if case .notTLS(let all) = progress, case .notTLS(let first) = progressInPieces {
            try require(all.starts(with: first) && stream.starts(with: all), "what is not TLS is shown from its start")
        } else {
            try require(progress == progressInPieces, "how the stream is cut makes no difference")
        }

        guard case .hello(let hello, let message) = progress else { return }
        try require(message.count <= helloLimit && message.count < stream.count, "the message is part of the stream")
        let laidOut = layout(hello)
        try require(
            message.dropFirst(4).elementsEqual(laidOut) || message.dropFirst(4).elementsEqual(laidOut.dropLast(2)),
            "a hello is laid out again as it was")
        try checkContents(of: hello, size: message.count)
        try checkFingerprints(of: hello)
    }

    private static let helloLimit = 8_192

    /// The body of a hello (RFC 8446 section 4.1.2), with a block of extensions even if that is empty.
    private static func layout(_ hello: ClientHello) -> [UInt8] {
        let suites = hello.cipherSuites.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let extensions = hello.extensions.flatMap {
            [UInt8($0.type >> 8), UInt8($0.type & 0xFF)] + two($0.body.count) + $0.body
        }
        return two(Int(hello.legacyVersion)) + hello.random + [UInt8(hello.sessionID.count)] + hello.sessionID
            + two(suites.count) + suites + [UInt8(hello.compressionMethods.count)] + hello.compressionMethods
            + two(extensions.count) + extensions
    }

    private static func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }

    private static func checkContents(of hello: ClientHello, size: Int) throws(BrokenProperty) {
        let lists = [
            hello.supportedVersions.count, hello.supportedGroups.count, hello.signatureAlgorithms.count,
            hello.keyShareGroups.count, hello.pointFormats.count, hello.alpn?.count ?? 0,
            hello.alpn?.reduce(0) { $0 + $1.count } ?? 0,
        ]
        try require(lists.allSatisfy { $0 < size }, "nothing is longer than the message")
        if let name = hello.serverName, let host = HostName(name) {
            try require(HostName(host.text) == host, "a server name that is a host is one in canonical form too")
        }
        try require(
            !hello.offersEarlyData || hello.extensions.contains { $0.type == 42 }, "early data has its extension")
    }

    private static func checkFingerprints(of hello: ClientHello) throws(BrokenProperty) {
        let fields = hello.ja3Text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        try require(fields.count == 5 && !fields[0].isEmpty, "JA3 has five fields")
        try require(
            hello.ja3Text.utf8.allSatisfy { (UInt8(ascii: ",")...UInt8(ascii: "9")).contains($0) },
            "JA3 consists of numbers, commas and hyphens")
        let ja4 = hello.ja4(sha256: Digest.sha256)
        let parts = ja4.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        try require(parts.map(\.count) == [10, 12, 12], "JA4 has parts of 10, 12 and 12 characters: \(ja4)")
        try require(ja4.hasPrefix("t"), "JA4 says TCP")
    }
}
