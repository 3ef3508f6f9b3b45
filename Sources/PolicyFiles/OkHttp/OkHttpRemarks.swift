internal import Pinning

/// What releases of OkHttp before 4.3 take in another way than it is written, without a word.
enum OkHttpRemarks {
    private static let strictSince = LibraryVersion(4, 3)
    private static let readsHostsSince = LibraryVersion(3, 4)

    /// What a release makes of a pattern; nil if it takes it as it is written.
    static func onPattern(_ pattern: String, in version: LibraryVersion) -> String? {
        guard version < strictSince else { return nil }
        if pattern.hasPrefix("**.") {
            return "OkHttp \(version) knows no **., which is of \(strictSince): the text matches no host"
        }
        let rest = String(pattern.hasPrefix("*.") ? pattern.dropFirst(2) : pattern[...])
        let host = host(ofURL: rest)
        guard host != rest else { return nil }
        return version < readsHostsSince
            ? "OkHttp \(version) compares the text as it is, which no host is: write the host alone"
            : "OkHttp \(version) takes the host \(host.quoted) out of it: write the host alone"
    }

    /// What stands where a host does behind `http://`.
    private static func host(ofURL text: String) -> String {
        let authority = text.prefix { !"/\\?#".contains($0) }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        let literal = host.hasPrefix("[") ? host.prefix { $0 != "]" } : host.prefix(0)
        return String(literal + host.dropFirst(literal.count).prefix { $0 != ":" })
    }
}

extension OkHttpPins {
    /// What a release takes in another way than it is written.
    func remarks(version: LibraryVersion) -> [PolicyFile.Remark] {
        entries.compactMap { entry in
            OkHttpRemarks.onPattern(entry.pattern, in: version).map {
                PolicyFile.Remark($0, at: .key(path + [entry.pattern]))
            }
        }
    }
}

extension ReactNativePinning {
    /// What OkHttp's release takes in another way than it is meant: subdomains are a pattern with `**.`.
    func remarks(version: LibraryVersion) -> [PolicyFile.Remark] {
        domains.compactMap { domain in
            let pattern = (domain.includeSubdomains ? "**." : "") + domain.name
            return OkHttpRemarks.onPattern(pattern, in: version).map {
                PolicyFile.Remark($0, at: .key([domain.name] + (domain.includeSubdomains ? ["includeSubdomains"] : [])))
            }
        }
    }
}
