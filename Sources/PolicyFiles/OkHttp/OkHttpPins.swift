internal import Pinning

/// Patterns with their pins, as an app adds them to OkHttp's `CertificatePinner`.
struct OkHttpPins: Sendable {
    var entries: [OkHttpCertificatePinner.Entry]
    /// The keys that lead to the patterns.
    var path: [String] = []

    /// The release that is taken for granted.
    static let newest = LibraryVersion(5, 4)
}

extension OkHttpPins {
    /// Reads an object of patterns with arrays of pins.
    ///
    /// - Throws: What every release throws at: kinds of digests that none knows, and texts that are no Base64.
    init(_ value: JSONValue, at path: [String] = [], _ context: LoadingContext) throws(PolicyFileError) {
        let object = try JSONObject(value, at: path, context, what: "an object of patterns with arrays of pins")
        entries = []
        self.path = path
        for member in object.members {
            let path = path + [member.name]
            let pins = try JSONObject.texts(member.value, at: path, of: "pins", context)
            if pins.isEmpty {
                context.remark("without a pin nothing is pinned for it", at: .key(path))
            }
            for (index, pin) in pins.enumerated() {
                let entry = OkHttpCertificatePinner.Entry(pattern: "example.com", pins: [pin])
                let place = PolicyFileError.Place.key(path + [String(index)])
                if let problem = Self.problem(with: entry, in: Self.newest) {
                    throw context.error(
                        problem, at: place, mend: "write sha256/ and the Base64 of the key's SHA-256, 44 characters")
                }
                if let remark = Self.remark(on: pin) { context.remark(remark, at: place) }
            }
            entries.append(.init(pattern: member.name, pins: pins))
        }
    }

    /// The pinner of a release.
    ///
    /// - Throws: What that release throws at, and where it stands.
    func pinner(
        version: LibraryVersion, runtime: OkHttpCertificatePinner.Runtime, file: String
    ) throws(PolicyFileError) -> OkHttpCertificatePinner {
        for entry in entries {
            // Each alone, because the evaluator does not say where its fault stands.
            for (index, pin) in entry.pins.enumerated() {
                guard let problem = Self.problem(with: .init(pattern: entry.pattern, pins: [pin]), in: version) else {
                    continue
                }
                let isPattern = Self.problem(with: .init(pattern: entry.pattern, pins: []), in: version) != nil
                throw PolicyFileError(
                    "OkHttp \(version): \(problem)", in: file,
                    at: .key(path + [entry.pattern] + (isPattern ? [] : [String(index)])),
                    mend: isPattern ? "write a host, *. and a host, or **. and a host; no URL" : nil)
            }
        }
        return OkHttpCertificatePinner(version: version, entries: entries, runtime: runtime)
    }

    private static func problem(with entry: OkHttpCertificatePinner.Entry, in version: LibraryVersion) -> String? {
        OkHttpCertificatePinner(version: version, entries: [entry]).configurationProblem?.explanation
    }

    /// What the library does not say of a pin: it does not look at a digest's length.
    private static func remark(on pin: String) -> String? {
        let (digits, length) = pin.hasPrefix("sha1/") ? (pin.dropFirst(5), 20) : (pin.dropFirst(7), 32)
        let count = digits.utf8.count {
            switch $0 {
            case UInt8(ascii: "="), 0x20, 0x09, 0x0A, 0x0D: false
            default: true
            }
        }
        let octets = count * 6 / 8
        guard octets != length else { return nil }
        return "a digest of \(octets) octets matches no key, and the library does not say so: it has to have \(length)"
    }
}
