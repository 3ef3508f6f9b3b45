internal import Pinning
internal import Wire

/// Reads Android's network security configuration as the platform's `XmlConfigSource` does.
///
/// What it throws at is an error here, with the line; what it skips without a word is skipped and noted.
struct AndroidConfigurationLoader {
    let context: LoadingContext
    /// Whether TrustKit's tags are read.
    let readsTrustKit: Bool
    /// The line of each domain so far: none may be there twice, anywhere in the file.
    private var domainLines: [String: Int] = [:]

    init(_ context: LoadingContext, readsTrustKit: Bool) {
        self.context = context
        self.readsTrustKit = readsTrustKit
    }

    /// Reads the file's contents.
    mutating func load(_ contents: [UInt8]) throws(PolicyFileError) -> NetworkSecurityConfig {
        let root = try Self.root(of: contents, context)
        if root.contains("trustkit-config"), !readsTrustKit {
            context.remark("<trustkit-config> is TrustKit's and skipped by the platform; read it as trustkit-android")
        }
        var config = NetworkSecurityConfig()
        var hasBase = false
        context.noteUnknownAttributes(of: root, known: [])
        for element in root.children {
            switch element.name {
            case "base-config":
                if hasBase { throw context.error("a second <base-config>", at: element.place, mend: "one is allowed") }
                hasBase = true
                config.base = try settings(of: element, allowing: [])
            case "domain-config":
                config.domainConfigs.append(try domainConfig(element))
            case "debug-overrides":
                if config.debugOverrides != nil {
                    throw context.error("a second <debug-overrides>", at: element.place, mend: "one is allowed")
                }
                config.debugOverrides = try settings(of: element, allowing: []).trustAnchors ?? []
            default:
                context.noteSkipped(
                    element, in: root, known: ["base-config", "domain-config", "debug-overrides"])
            }
        }
        if config.debugOverrides == nil { config.debugFileOverrides = try debugFileOverrides() }
        return config
    }

    private static func root(of contents: [UInt8], _ context: LoadingContext) throws(PolicyFileError) -> MarkupElement {
        let root = try MarkupReader.read(contents, context, allowsDocumentType: false)
        guard root.name == "network-security-config" else {
            throw context.error(
                "the outermost element is <\(root.name)>", at: root.place, mend: "<network-security-config> is expected"
            )
        }
        return root
    }

    /// Reads `NAME_debug.xml` beside the file, of which only the debug overrides count (PS-5-7).
    private func debugFileOverrides() throws(PolicyFileError) -> [NetworkSecurityConfig.Certificates]? {
        let name = Self.debugName(of: context.file)
        guard let contents = context.resources.contents(of: name) else { return nil }
        let beside = LoadingContext(file: name, resources: context.resources)
        let root = try Self.root(of: contents, beside)
        let found = root.children.filter { $0.name == "debug-overrides" }
        if found.count > 1 { throw beside.error("a second <debug-overrides>", at: found[1].place) }
        context.remark("\(name) is read for its <debug-overrides>, which count in a debuggable app")
        let loader = AndroidConfigurationLoader(beside, readsTrustKit: readsTrustKit)
        return try found.first.map { (element) throws(PolicyFileError) in
            try loader.settings(of: element, allowing: []).trustAnchors ?? []
        }
    }

    private static func debugName(of file: String) -> String {
        let last = file.split(separator: "/").last.map(String.init) ?? file
        return (last.hasSuffix(".xml") ? String(last.dropLast(4)) : last) + "_debug.xml"
    }

    // MARK: Configurations

    private mutating func domainConfig(
        _ element: MarkupElement
    ) throws(PolicyFileError) -> NetworkSecurityConfig.DomainConfig {
        var config = NetworkSecurityConfig.DomainConfig(domains: [])
        config.settings = try settings(
            of: element, allowing: ["domain", "pin-set", "domain-config", "trustkit-config"])
        for child in element.children {
            switch child.name {
            case "domain":
                config.domains.append(try domain(child))
            case "pin-set":
                if config.pinSet != nil {
                    throw context.error("a second <pin-set>", at: child.place, mend: "put all pins into one")
                }
                config.pinSet = try pinSet(child)
            case "domain-config":
                config.nested.append(try domainConfig(child))
            case "trustkit-config" where readsTrustKit:
                config.trustKit = trustKitTag(child)
            default:
                break
            }
        }
        if config.domains.isEmpty {
            throw context.error(
                "a <domain-config> without a <domain>", at: element.place, mend: "name at least one domain in it")
        }
        if readsTrustKit, config.domains.count > 1, let last = config.domains.last {
            context.remark(
                "TrustKit keeps the last <domain> of a <domain-config> only, \(last.name.quoted); the platform keeps all",
                at: element.place)
        }
        return config
    }

    /// Reads what bases, domains and debug overrides have in common; `names` are the children only some may have.
    private func settings(
        of element: MarkupElement, allowing names: [String]
    ) throws(PolicyFileError) -> NetworkSecurityConfig.Settings {
        let attributes = ["cleartextTrafficPermitted", "hstsEnforced"]
        context.noteUnknownAttributes(of: element, known: attributes)
        var settings = NetworkSecurityConfig.Settings(
            cleartextTrafficPermitted: context.flag(attributes[0], of: element),
            hstsEnforced: context.flag(attributes[1], of: element))
        for child in element.children {
            switch child.name {
            case "trust-anchors":
                if settings.trustAnchors != nil {
                    throw context.error("a second <trust-anchors>", at: child.place, mend: "put all into one")
                }
                settings.trustAnchors = try trustAnchors(child)
            case _ where names.contains(child.name):
                // TrustKit's tag is for the loader of domains, which skips it where it is not read.
                continue
            case "domain", "pin-set", "domain-config":
                throw context.error(
                    "a <\(child.name)> in <\(element.name)>", at: child.place, mend: "put it into a <domain-config>")
            default:
                context.noteSkipped(child, in: element, known: names + ["trust-anchors"])
            }
        }
        return settings
    }

    private func trustKitTag(_ element: MarkupElement) -> NetworkSecurityConfig.TrustKitTag {
        context.noteUnknownAttributes(of: element, known: ["enforcePinning", "disableDefaultReportUri"])
        for child in element.children where child.name != "report-uri" {
            context.noteSkipped(child, in: element, known: ["report-uri"])
        }
        let enforces = context.flag("enforcePinning", of: element) ?? false
        if !enforces {
            context.remark("pins are reported and not enforced: enforcePinning is not true", at: element.place)
        }
        return .init(enforcePinning: enforces)
    }

    // MARK: Domains

    private mutating func domain(_ element: MarkupElement) throws(PolicyFileError) -> NetworkSecurityConfig.Domain {
        context.noteUnknownAttributes(of: element, known: ["includeSubdomains"])
        if let child = element.children.first {
            throw context.error(
                "a <\(child.name)> in <domain>", at: child.place, mend: "put it beside the <domain>, not into it")
        }
        let text = element.trimmedText
        if text.isEmpty { throw context.error("a <domain> without a name", at: element.place) }
        let name = text.lowercased()
        if let line = domainLines.updateValue(element.line, forKey: name) {
            throw context.error("\(name.quoted) is there twice: in line \(line) too", at: element.place)
        }
        if name.hasPrefix("*.") {
            context.remark(
                "\(text.quoted) matches no host: asterisks mean nothing, includeSubdomains=\"true\" does",
                at: element.place)
        } else if HostName(name) == nil || name.hasSuffix(".") {
            context.remark("\(text.quoted) is no host as the platform spells them, and matches none", at: element.place)
        }
        return .init(text, includeSubdomains: context.flag("includeSubdomains", of: element))
    }
}
