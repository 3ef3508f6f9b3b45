internal import Pinning

/// Reads the configuration of `react-native-ssl-public-key-pinning`.
struct ReactNativeLoader {
    let context: LoadingContext

    init(_ context: LoadingContext) { self.context = context }

    /// Reads an object of domains.
    func load(_ value: JSONValue) throws(PolicyFileError) -> ReactNativePinning {
        let object = try JSONObject(value, at: [], context, what: "an object of domains")
        var domains: [ReactNativePinning.Domain] = []
        for member in object.members { domains.append(try domain(member)) }
        return ReactNativePinning(domains)
    }

    private func domain(_ member: JSONValue.Member) throws(PolicyFileError) -> ReactNativePinning.Domain {
        let path = [member.name]
        var fields = try JSONObject(member.value, at: path, context, what: "an object with publicKeyHashes")
        let includeSubdomains = try fields.flag("includeSubdomains") ?? false
        let hashes = try fields.texts("publicKeyHashes", of: "Base64 texts")
        let date = try fields.text("expirationDate", what: "a day as yyyy-MM-dd")
        try fields.finish()
        guard let hashes else {
            throw context.error("publicKeyHashes is missing", at: .key(path), mend: "it is an array of Base64 texts")
        }
        for (index, hash) in hashes.enumerated() { try check(hash, at: path + ["publicKeyHashes", String(index)]) }
        if let date, CalendarDate(java: date) == nil {
            throw context.error(
                "\(date.quoted) is no day, and Android throws at it", at: fields.place("expirationDate"),
                mend: "write a day of the calendar as yyyy-MM-dd")
        }
        let domain = ReactNativePinning.Domain(
            member.name, includeSubdomains: includeSubdomains, publicKeyHashes: hashes, expirationDate: date)
        if let fault = ReactNativePinning([domain]).appleFault {
            context.remark("on iOS TrustKit raises an exception: \(fault)", at: fields.place("publicKeyHashes"))
        }
        return domain
    }

    private func check(_ hash: String, at path: [String]) throws(PolicyFileError) {
        let entry = OkHttpCertificatePinner.Entry(pattern: "example.com", pins: ["sha256/" + hash])
        if let problem = OkHttpCertificatePinner(version: OkHttpPins.newest, entries: [entry]).configurationProblem {
            throw context.error(
                problem.explanation, at: .key(path),
                mend: "write the Base64 of the key's SHA-256, 44 characters, without sha256/")
        }
        let configuration = TrustKitConfiguration(
            domains: ["example.com": .init(publicKeyHashes: [hash], enforcesPinning: false)])
        let onApple = TrustKitPolicy(configuration: configuration, suffixes: OneLabelSuffixes())
        if onApple.configurationProblem != nil {
            context.remark(
                "on iOS TrustKit raises an exception, because it is not the Base64 of 32 octets; on Android it matches "
                    + "what it decodes to", at: .key(path))
        }
    }

    /// Suffixes of one label, which is right for the domain above.
    private struct OneLabelSuffixes: PublicSuffixes {
        func suffixLength(of host: String) -> Int { host.split(separator: ".").last?.utf8.count ?? 0 }
    }
}

extension ReactNativePinning {
    /// The iOS half: TrustKit, which enforces.
    var trustKit: TrustKitConfiguration {
        let entries = domains.map { domain in
            (
                domain.name,
                TrustKitDomain(
                    publicKeyHashes: domain.publicKeyHashes, includesSubdomains: domain.includeSubdomains,
                    expirationDate: domain.expirationDate)
            )
        }
        // A JSON object has no name twice.
        return TrustKitConfiguration(domains: Dictionary(entries) { first, _ in first })
    }
}
