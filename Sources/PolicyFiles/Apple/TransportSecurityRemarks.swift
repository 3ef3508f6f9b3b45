internal import Pinning
internal import Wire

/// Says what the platform skips in `NSAppTransportSecurity` without a word (PS-6.1-3, PS-6.2).
struct TransportSecurityRemarks {
    let context: LoadingContext

    init(_ context: LoadingContext) { self.context = context }

    private static let root = "NSAppTransportSecurity"

    /// Looks through a whole Info.plist.
    func note(_ information: [String: PropertyValue]) {
        for key in ["NSPinnedDomains", "NSExceptionDomains"] where information[key] != nil {
            context.remark("the platform looks for it in \(Self.root) only", at: .key([key]))
        }
        guard let value = information[Self.root] else { return }
        guard let security = value.entries else { return wrongKind(value, "a dictionary", [Self.root]) }
        for key in ["NSAllowsArbitraryLoads", "NSAllowsLocalNetworking"] { noteFlag(security, key, at: [Self.root]) }
        eachDomain(security, "NSPinnedDomains", notePins)
        eachDomain(security, "NSExceptionDomains", noteException)
    }

    private func eachDomain(
        _ security: [String: PropertyValue], _ key: String, _ note: ([String: PropertyValue], [String]) -> Void
    ) {
        let path = [Self.root, key]
        guard let value = security[key] else { return }
        guard let domains = value.entries else { return wrongKind(value, "a dictionary", path) }
        for (name, value) in domains.sorted(by: { $0.key < $1.key }) {
            let path = path + [name]
            if HostName(name) == nil || name.hasSuffix(".") {
                context.remark("it is no host as the platform spells them, and matches none", at: .key(path))
            } else if key == "NSExceptionDomains", name != name.lowercased() {
                context.remark("exceptions are looked up in lower case: it matches no host", at: .key(path))
            }
            guard let entries = value.entries else {
                wrongKind(value, "a dictionary", path)
                continue
            }
            note(entries, path)
        }
    }

    // MARK: Pins

    private static let pinKeys = ["NSPinnedLeafIdentities", "NSPinnedCAIdentities"]

    private func notePins(_ domain: [String: PropertyValue], at path: [String]) {
        if let value = domain["NSIncludesSubdomains"], case .boolean = value {
        } else if let value = domain["NSIncludesSubdomains"] {
            context.remark(
                "\(value.kindName): only a boolean counts, so subdomains are not covered",
                at: .key(path + ["NSIncludesSubdomains"]))
        }
        noteUnknown(domain, known: Self.pinKeys + ["NSIncludesSubdomains"], at: path)
        if Self.pinKeys.allSatisfy({ domain[$0] == nil }) {
            context.remark("neither leaf nor CA identities are there: nothing is pinned", at: .key(path))
        }
        for key in Self.pinKeys {
            guard let value = domain[key] else { continue }
            let path = path + [key]
            guard let elements = value.elements else {
                context.remark("\(value.kindName) counts as an empty array: every server is refused", at: .key(path))
                continue
            }
            var usable = 0
            for (index, element) in elements.enumerated() {
                switch element.entries?["SPKI-SHA256-BASE64"]?.text.map({ Base64.decode(Array($0.utf8))?.count }) {
                case 32??: usable += 1
                case let count??:
                    context.remark(
                        "a digest of \(count) octets matches nothing: SHA-256 has 32", at: .key(path + [String(index)]))
                case nil, .some(nil):
                    context.remark(
                        "it is no dictionary with Base64 as SPKI-SHA256-BASE64, and skipped",
                        at: .key(path + [String(index)]))
                }
            }
            if usable == 0 { context.remark("no pin can be used: every server is refused", at: .key(path)) }
        }
    }

    // MARK: Exceptions

    private func noteException(_ exception: [String: PropertyValue], at path: [String]) {
        let flags = [
            "NSIncludesSubdomains", "NSExceptionAllowsInsecureHTTPLoads", "NSExceptionRequiresForwardSecrecy",
            "NSRequiresCertificateTransparency",
        ]
        let version = "NSExceptionMinimumTLSVersion"
        for key in flags { noteFlag(exception, key, at: path) }
        noteUnknown(exception, known: flags + [version], at: path)
        let versions = ["TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3"]
        if let value = exception[version], !versions.contains(value.text ?? "") {
            context.remark(
                "it is none of \(versions.joined(separator: ", ")): TLSv1.2 counts", at: .key(path + [version]))
        }
    }

    private func noteFlag(_ entries: [String: PropertyValue], _ key: String, at path: [String]) {
        guard let value = entries[key], value.flag == nil else { return }
        wrongKind(value, "a boolean", path + [key])
    }

    private func noteUnknown(_ entries: [String: PropertyValue], known: [String], at path: [String]) {
        for key in entries.keys.sorted() where !known.contains(key) {
            let question = NearestName.question(key, among: known)
            context.remark("the platform knows no such key and skips it\(question)", at: .key(path + [key]))
        }
    }

    private func wrongKind(_ value: PropertyValue, _ expected: String, _ path: [String]) {
        context.remark("\(value.kindName) where \(expected) is expected: it counts as absent", at: .key(path))
    }
}
