/// What the pins of an app's Info.plist say of a server.
public enum PinnedDomainsFinding: Hashable, Sendable {
    /// Both kinds of pins that are configured are where they have to be; one may not be.
    case pinned(leaf: PinMatch?, authority: PinMatch?)
    /// No entry covers the host, or none of those that do has pins; nil if the host is not known.
    case hostNotPinned(String?)
    /// The leaf's key is none of the leaf pins; how many there are.
    case leafNotPinned(pins: Int)
    /// No key above the leaf is one of the authority pins; how many there are.
    case authorityNotPinned(pins: Int)
    /// `SecTrustPinningRequired` is set, which replaces these rules by others.
    case pinningRequired
}

extension PinnedDomainsFinding: CustomStringConvertible {
    /// The finding in one line.
    public var description: String {
        switch self {
        case .pinned(let leaf, let authority):
            [("leaf", leaf), ("CA", authority)].compactMap { kind, match in
                match.map {
                    "\(kind) pin \($0.pin) matches certificate \($0.depth) of the path, \($0.certificate.subject)"
                }
            }.joined(separator: "; ")
        case .hostNotPinned(let host): "nothing is pinned for \(host ?? "an unknown host"): the platform decides"
        case .leafNotPinned(pins: 0): "leaf identities are pinned and none can be used, so nothing matches"
        case .leafNotPinned(let count): "the leaf's key is none of the \(count) pinned for leaves"
        case .authorityNotPinned(pins: 0): "CA identities are pinned and none can be used, so nothing matches"
        case .authorityNotPinned(let count): "no key above the leaf is one of the \(count) pinned for CAs"
        case .pinningRequired: "SecTrustPinningRequired is set, and what the system does then is not emulated"
        }
    }
}
