import Wire

/// The certificates of a transcript as PEM (RFC 7468), each once, with where it was first seen in a comment before it.
package struct CertificateExport: TranscriptExport {
    private let side: Side?
    /// Whether certificates that no event names are written too, at the end.
    private let includesUnnamed: Bool
    /// Certificates that no event named yet.
    private var waiting: [String: [UInt8]] = [:]
    private var waitingOctets = 0
    private var written: Set<String> = []
    private var leftOut = 0
    private var missing: Set<String> = []

    /// Starts with nothing.
    ///
    /// - Parameters:
    ///   - side: The side that they must be of; nil for both.
    ///   - includesUnnamed: Whether to write those too that no event names: not if some connections only are selected.
    package init(side: Side? = nil, includesUnnamed: Bool = true) {
        self.side = side
        self.includesUnnamed = includesUnnamed && side == nil
    }

    package mutating func add(_ event: Event, into output: inout [UInt8]) {
        switch event.kind {
        case .certificate(let digest, let der):
            guard !written.contains(digest), waiting[digest] == nil else { return }
            guard waitingOctets + der.count <= Self.waitingLimit else {
                leftOut += 1
                return
            }
            waitingOctets += der.count
            waiting[digest] = der
        case .chain(let side, let digests):
            write(digests, side, event, side == .client ? "shown by the proxy" : "shown by the origin", into: &output)
        case .identity(let exchange):
            let what =
                exchange.side == .client ? "the client's own, sent by it" : "a client certificate, sent by the proxy"
            write(exchange.chain, exchange.side, event, what, into: &output)
        case .issuerFetched(let fetched):
            write(fetched.digests, .origin, event, "an issuer that was fetched", into: &output)
        default:
            break
        }
    }

    package mutating func finish(into output: inout [UInt8]) {
        guard includesUnnamed else { return }
        for (digest, der) in waiting.sorted(by: { $0.key < $1.key }) {
            append(digest, der, "no connection names it", to: &output)
        }
        waiting = [:]
    }

    package var isEmpty: Bool { written.isEmpty }

    package var remarks: [String] {
        var remarks: [String] = []
        if !missing.isEmpty {
            remarks.append("\(missing.count.counting("certificate")) named, and not in the transcript")
        }
        if leftOut > 0 {
            remarks.append(
                "\(leftOut.counting("certificate")) left out: more than \(Self.waitingLimit >> 20) MiB wait to be named"
            )
        }
        return remarks
    }

    private mutating func write(
        _ digests: [String], _ side: Side, _ event: Event, _ what: String, into output: inout [UInt8]
    ) {
        guard self.side == nil || self.side == side, let connection = event.connection else { return }
        for (index, digest) in digests.enumerated() where !written.contains(digest) {
            guard let der = waiting.removeValue(forKey: digest) else {
                missing.insert(digest)
                continue
            }
            waitingOctets -= der.count
            let place = "connection \(connection), \(side.rawValue) side, \(index + 1) of \(digests.count): \(what)"
            append(digest, der, place, to: &output)
        }
    }

    private mutating func append(_ digest: String, _ der: [UInt8], _ place: String, to output: inout [UInt8]) {
        written.insert(digest)
        // A file may say anything here; a digest has no line of its own to begin.
        let isDigest =
            digest.utf8.count == 64 && digest.unicodeScalars.allSatisfy { "0"..."9" ~= $0 || "a"..."f" ~= $0 }
        output.append(contentsOf: "# SHA-256 \(isDigest ? digest : "not recorded")\n# \(place)\n".utf8)
        output.append(contentsOf: "-----BEGIN CERTIFICATE-----\n".utf8)
        let text = Array(Base64.encode(der).utf8)
        for start in stride(from: 0, to: text.count, by: Self.lineLength) {
            output.append(contentsOf: text[start..<min(start + Self.lineLength, text.count)])
            output.append(UInt8(ascii: "\n"))
        }
        output.append(contentsOf: "-----END CERTIFICATE-----\n".utf8)
    }

    /// RFC 7468 section 2.
    private static let lineLength = 64
    private static let waitingLimit = 256 << 20
}
