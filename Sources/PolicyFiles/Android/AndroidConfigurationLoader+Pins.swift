internal import Pinning
internal import Wire

/// Pins and anchors.
extension AndroidConfigurationLoader {
    func pinSet(_ element: MarkupElement) throws(PolicyFileError) -> NetworkSecurityConfig.PinSet {
        context.noteUnknownAttributes(of: element, known: ["expiration"])
        var set = NetworkSecurityConfig.PinSet([], expiration: element.attributes["expiration"])
        if let problem = problem(with: set) {
            throw context.error(problem, at: element.place, mend: "write a day of the calendar as yyyy-MM-dd")
        }
        for child in element.children {
            if child.name == "pin" {
                set.pins.append(try pin(child))
            } else {
                context.noteSkipped(child, in: element, known: ["pin"])
            }
        }
        if set.pins.isEmpty {
            context.remark("a <pin-set> without a <pin> pins nothing, and takes away inherited pins", at: element.place)
        }
        return set
    }

    private func pin(_ element: MarkupElement) throws(PolicyFileError) -> NetworkSecurityConfig.Pin {
        context.noteUnknownAttributes(of: element, known: ["digest"])
        if let child = element.children.first {
            throw context.error("a <\(child.name)> in <pin>", at: child.place, mend: "a pin is text only")
        }
        let text = element.trimmedText
        if text.isEmpty { throw context.error("a <pin> without a digest", at: element.place) }
        let pin = NetworkSecurityConfig.Pin(element.text, digest: element.attributes["digest"])
        if let problem = problem(with: .init([pin])) {
            throw context.error(
                problem, at: element.place,
                mend: "write digest=\"SHA-256\" and the Base64 of the key's SHA-256, which is 44 characters")
        }
        let digits = Array(text.utf8)
        if Base64.decode(digits) == nil {
            let isCleanable = digits.contains { Base64.sextet(of: $0) == nil && $0 != UInt8(ascii: "=") }
            context.remark(
                (isCleanable
                    ? "characters that are no Base64 in the pin are skipped" : "the pin is no canonical Base64")
                    + (readsTrustKit ? ", and TrustKit's comparison as text never matches it" : ""), at: element.place)
        }
        return pin
    }

    /// What the evaluator says of a set of pins, for which it has no line.
    private func problem(with set: NetworkSecurityConfig.PinSet) -> String? {
        let config = NetworkSecurityConfig(domainConfigs: [.init(domains: [.init("example.com")], pinSet: set)])
        let application = AndroidApplication(targetSDK: 34)
        let platform = NetworkSecurityPolicy(config, application: application, device: AndroidDevice())
        if let problem = platform.configurationProblem { return problem.explanation }
        guard readsTrustKit else { return nil }
        return TrustKitAndroidPolicy(config, application: application, device: AndroidDevice()).configurationProblem?
            .explanation
    }

    // MARK: Anchors

    func trustAnchors(_ element: MarkupElement) throws(PolicyFileError) -> [NetworkSecurityConfig.Certificates] {
        context.noteUnknownAttributes(of: element, known: [])
        var anchors: [NetworkSecurityConfig.Certificates] = []
        for child in element.children {
            if child.name == "certificates" {
                anchors.append(try certificates(child))
            } else {
                context.noteSkipped(child, in: element, known: ["certificates"])
            }
        }
        if anchors.isEmpty {
            context.remark("<trust-anchors> without <certificates> trusts nobody", at: element.place)
        }
        return anchors
    }

    private func certificates(
        _ element: MarkupElement
    ) throws(PolicyFileError) -> NetworkSecurityConfig.Certificates {
        context.noteUnknownAttributes(of: element, known: ["src", "overridePins"])
        let overridePins = context.flag("overridePins", of: element)
        switch element.attributes["src"] {
        case nil:
            throw context.error("<certificates> without src", at: element.place, mend: Self.sources)
        case "system"?: return .init(.system, overridePins: overridePins)
        case "user"?: return .init(.user, overridePins: overridePins)
        case "wfa"?: return .init(.wifi, overridePins: overridePins)
        case let source?:
            let found = try resource(source, at: element.place)
            return .init(.resource(name: source, found), overridePins: overridePins)
        }
    }

    private static let sources = "src is system, user, or a resource such as @raw/name"

    /// Reads the certificates of a resource such as `@raw/name`.
    private func resource(
        _ source: String, at place: PolicyFileError.Place
    ) throws(PolicyFileError) -> [CertificateFacts] {
        guard source.hasPrefix("@"), let slash = source.firstIndex(of: "/") else {
            throw context.error("certificates from \(source.quoted)", at: place, mend: Self.sources)
        }
        let name = String(source[source.index(after: slash)...])
        let isName = name.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isName, !name.isEmpty else {
            throw context.error(
                "\(source.quoted) is no resource's name", at: place,
                mend: "letters, digits and underscores are allowed, and no file name extension")
        }
        let folders = ["../raw/", "raw/", ""]
        let extensions = [".pem", ".crt", ".cer", ".der", ""]
        for path in folders.flatMap({ folder in extensions.map { folder + name + $0 } }) {
            guard let contents = context.resources.contents(of: path) else { continue }
            guard let certificates = context.resources.certificates(in: contents), !certificates.isEmpty else {
                throw context.error(
                    "\(path) for \(source) holds no certificate, or a damaged one", at: place,
                    mend: "a resource is one certificate in DER, or any number in PEM")
            }
            return certificates
        }
        throw context.error(
            "there is no \(source)", at: place,
            mend: "it was looked for as ../raw/\(name), raw/\(name) and \(name) beside the file, "
                + "with .pem, .crt, .cer, .der and nothing behind it")
    }
}
