import Crypto
import Foundation
import Pinning

/// Chains that are shown to OkHttp 3.13, and what becomes of them.
struct OkHttpChainTable {
    /// Where a connection ends.
    enum Outcome: String {
        /// The platform finds the path invalid.
        case chain
        /// The certificate is for another host.
        case host
        /// Nothing is pinned for the host.
        case unpinned
        /// The chain cannot be rebuilt.
        case clean
        /// No pin matches.
        case pin
        case accepts
    }

    struct Row {
        let name: String
        var host = "api.oracle.test"
        var pattern = "api.oracle.test"
        let roots: [Certificate]
        let sent: [Certificate]
        /// The pins' certificates.
        let pinned: [Certificate]
        let outcome: Outcome
        /// What the cleaner returns, whatever the platform thinks of it; nil if it throws.
        let cleaned: [Certificate]?

        init(
            _ name: String, host: String = "api.oracle.test", pattern: String = "api.oracle.test",
            roots: [TLSIdentity], sent: [TLSIdentity], pinned: [TLSIdentity], _ outcome: Outcome,
            cleaned: [TLSIdentity]?
        ) {
            self.name = name
            self.host = host
            self.pattern = pattern
            self.roots = roots.map(\.certificate)
            self.sent = sent.map(\.certificate)
            self.pinned = pinned.map(\.certificate)
            self.outcome = outcome
            self.cleaned = cleaned.map { $0.map(\.certificate) }
        }

        var pins: [String] { pinned.map { "sha256/" + Data($0.spkiSHA256).base64EncodedString() } }
    }

    static let minted = Result { try OkHttpChainTable() }

    let rows: [Row]

    var questions: [Question] {
        rows.map { row in
            Question(
                "chain", Array(row.host.utf8), Array(row.pattern.utf8), Array(row.pins.joined(separator: "\n").utf8),
                Array(row.roots.map(\.pem).joined().utf8), Array(row.sent.map(\.pem).joined().utf8))
        }
    }

    private init() throws {
        rows =
            try Self.sound() + Self.unusual() + Self.crossSigned() + Self.invalid() + Self.long(8, .accepts)
            + Self.long(9, .clean) + Self.likeNamed() + Self.old()
            + Self.purposes() + Self.java()
    }

    private static func sound() throws -> [Row] {
        let pki = try Hierarchy()
        let (root, middle, leaf) = (pki.root, pki.intermediate, pki.leaf)
        let other = try Hierarchy("Other")
        let whole = [leaf, middle, root]
        return [
            Row(
                "root pinned, not sent", roots: [root], sent: [leaf, middle], pinned: [root], .accepts, cleaned: whole),
            Row(
                "intermediate pinned", roots: [root], sent: [leaf, middle], pinned: [middle], .accepts, cleaned: whole),
            Row("leaf pinned", roots: [root], sent: [leaf, middle], pinned: [leaf], .accepts, cleaned: whole),
            Row("root sent", roots: [root], sent: whole, pinned: [root], .accepts, cleaned: whole),
            Row("another pinned", roots: [root], sent: whole, pinned: [other.root], .pin, cleaned: whole),
            Row(
                "one of three", roots: [root], sent: whole, pinned: [other.root, middle, other.leaf], .accepts,
                cleaned: whole),
            Row("shuffled", roots: [root], sent: [leaf, root, middle], pinned: [root], .accepts, cleaned: whole),
            Row(
                "sent twice", roots: [root], sent: [leaf, middle, middle, root, root], pinned: [middle], .accepts,
                cleaned: whole),
            Row("leaf twice", roots: [root], sent: [leaf, leaf, middle], pinned: [leaf], .accepts, cleaned: whole),
            Row(
                "pinned one appended", roots: [root, other.root], sent: [leaf, middle, other.leaf, other.intermediate],
                pinned: [other.leaf, other.intermediate, other.root], .pin, cleaned: whole),
            Row(
                "pinned one between", roots: [root], sent: [leaf, other.root, middle], pinned: [other.root], .pin,
                cleaned: whole),
            Row(
                "two roots", roots: [other.root, root], sent: [leaf, middle], pinned: [root], .accepts, cleaned: whole),
            Row(
                "another host", host: "www.oracle.test", pattern: "*.oracle.test", roots: [root], sent: whole,
                pinned: [root], .host, cleaned: whole),
            Row(
                "pattern with an asterisk", pattern: "*.oracle.test", roots: [root], sent: whole, pinned: [other.root],
                .pin, cleaned: whole),
            Row(
                "nothing pinned for the host", pattern: "www.oracle.test", roots: [root], sent: whole,
                pinned: [other.root], .unpinned, cleaned: whole),
            Row(
                "trailing dot", host: "api.oracle.test.", roots: [root], sent: whole, pinned: [other.root], .unpinned,
                cleaned: whole),
            Row("unknown root", roots: [other.root], sent: whole, pinned: [root], .chain, cleaned: nil),
            Row("intermediate not sent", roots: [root], sent: [leaf], pinned: [leaf], .chain, cleaned: nil),
        ]
    }

    /// Trust in what is no root.
    private static func unusual() throws -> [Row] {
        let pki = try Hierarchy()
        let (root, middle, leaf) = (pki.root, pki.intermediate, pki.leaf)
        let alone = try server()
        return [
            Row(
                "trusted intermediate, root not sent", roots: [middle], sent: [leaf, middle], pinned: [middle],
                .accepts, cleaned: [leaf, middle]),
            Row(
                "trusted intermediate, nothing sent", roots: [middle], sent: [leaf], pinned: [middle], .accepts,
                cleaned: [leaf, middle]),
            Row(
                "trusted intermediate, root pinned and not sent", roots: [middle], sent: [leaf, middle],
                pinned: [root], .pin, cleaned: [leaf, middle]),
            // Past a trust root that is not self-signed it goes on (PS-4-5).
            Row(
                "trusted intermediate, root sent", roots: [middle], sent: [leaf, middle, root], pinned: [root],
                .accepts, cleaned: [leaf, middle, root]),
            Row(
                "intermediate and root trusted", roots: [middle, root], sent: [leaf, middle], pinned: [root], .accepts,
                cleaned: [leaf, middle, root]),
            Row("self-signed and trusted", roots: [alone], sent: [alone], pinned: [alone], .accepts, cleaned: [alone]),
            Row("self-signed, another pinned", roots: [alone], sent: [alone], pinned: [root], .pin, cleaned: [alone]),
            Row("self-signed", roots: [root], sent: [alone], pinned: [alone], .chain, cleaned: nil),
            // The platform trusts it as it stands, and the cleaner looks for its signer.
            Row("trusted leaf", roots: [leaf], sent: [leaf, middle, root], pinned: [leaf], .clean, cleaned: nil),
        ]
    }

    private static func crossSigned() throws -> [Row] {
        let old = try authority("Old Root")
        let new = try authority("New Root")
        let newByOld = try authority("New Root", by: old, key: new.key)
        let key = try PrivateKey.generate(.p256)
        let middleByOld = try authority("Crossed", by: old, key: key)
        let middleByNew = try authority("Crossed", by: new, key: key)
        let leaf = try server(by: middleByNew)
        return [
            Row(
                "cross-signed root, new trusted", roots: [new], sent: [leaf, middleByNew, newByOld], pinned: [new],
                .accepts, cleaned: [leaf, middleByNew, new]),
            Row(
                "cross-signed root, new trusted, old pinned", roots: [new], sent: [leaf, middleByNew, newByOld, old],
                pinned: [old], .pin, cleaned: [leaf, middleByNew, new]),
            Row(
                "cross-signed root, old trusted", roots: [old], sent: [leaf, middleByNew, newByOld], pinned: [old],
                .accepts, cleaned: [leaf, middleByNew, newByOld, old]),
            Row(
                "cross-signed intermediate, the right one first", roots: [new], sent: [leaf, middleByNew, middleByOld],
                pinned: [new], .accepts, cleaned: [leaf, middleByNew, new]),
            // The cleaner takes the first that signed, and does not come back.
            Row(
                "cross-signed intermediate, the wrong one first", roots: [new], sent: [leaf, middleByOld, middleByNew],
                pinned: [new], .clean, cleaned: nil),
            Row(
                "cross-signed intermediate, both trusted", roots: [old, new], sent: [leaf, middleByOld, middleByNew],
                pinned: [new], .pin, cleaned: [leaf, middleByOld, old]),
        ]
    }

    /// What the platform refuses: the cleaner of 3.13 looks at names and signatures only.
    private static func invalid() throws -> [Row] {
        let pki = try Hierarchy(intermediate: { $0.basicConstraints?.pathLength = 0 })
        let (root, middle, leaf) = (pki.root, pki.intermediate, pki.leaf)
        let below = try server(by: leaf)
        let bare = try server(by: middle) { $0.basicConstraints = nil }
        let belowBare = try server(by: bare)
        let lower = try authority("Lower", by: middle)
        let belowLower = try server(by: lower)
        let expired = try server(by: middle) { $0.notAfter = now - 60 }
        let early = try server(by: middle) { $0.notBefore = now + 3600 }
        let unknown = try server(by: middle) { $0.otherExtensions = [.unknown] }
        return [
            Row(
                "C45: a leaf signs another", roots: [root], sent: [below, leaf, middle], pinned: [root], .chain,
                cleaned: [below, leaf, middle, root]),
            Row(
                "C45: without basicConstraints", roots: [root], sent: [belowBare, bare, middle], pinned: [root], .chain,
                cleaned: [belowBare, bare, middle, root]),
            Row(
                "path length", roots: [root], sent: [belowLower, lower, middle], pinned: [root], .chain,
                cleaned: [belowLower, lower, middle, root]),
            Row(
                "expired", roots: [root], sent: [expired, middle], pinned: [expired], .chain,
                cleaned: [expired, middle, root]),
            Row(
                "not yet valid", roots: [root], sent: [early, middle], pinned: [early], .chain,
                cleaned: [early, middle, root]),
            Row(
                "unknown critical extension", roots: [root], sent: [unknown, middle], pinned: [root], .chain,
                cleaned: [unknown, middle, root]),
        ]
    }

    /// So many intermediates: the cleaner follows nine signers.
    private static func long(_ count: Int, _ outcome: Outcome) throws -> [Row] {
        let root = try authority("Long Root")
        var above = [root]
        for depth in 1...count { above.insert(try authority("Long \(depth)", by: above[0]), at: 0) }
        let leaf = try server(by: above[0])
        let whole = [leaf] + above
        return [
            Row(
                "\(count) intermediates", roots: [root], sent: whole.dropLast(), pinned: [root], outcome,
                cleaned: outcome == .accepts ? whole : nil)
        ]
    }

    /// What a JVM takes, though others do not.
    private static func old() throws -> [Row] {
        let root = try authority("Expired Root") { $0.notAfter = now - 60 }
        let leaf = try server(by: root)
        let pki = try Hierarchy()
        let sha1 = try server(by: pki.intermediate) { $0.digest = .sha1 }
        let short = try server(by: pki.intermediate, key: PrivateKey.generate(.rsa(1024)))
        return [
            Row("expired root", roots: [root], sent: [leaf], pinned: [root], .accepts, cleaned: [leaf, root]),
            Row(
                "SHA-1", roots: [pki.root], sent: [sha1, pki.intermediate], pinned: [sha1], .accepts,
                cleaned: [sha1, pki.intermediate, pki.root]),
            Row(
                "RSA 1024", roots: [pki.root], sent: [short, pki.intermediate], pinned: [short], .accepts,
                cleaned: [short, pki.intermediate, pki.root]),
        ]
    }

    /// What the leaf and its issuer are for, and which names the issuer may certify.
    private static func purposes() throws -> [Row] {
        func row(
            _ name: String, _ outcome: Outcome, leaf: Adjustment = { _ in }, intermediate: Adjustment = { _ in }
        ) throws -> Row {
            let pki = try Hierarchy(leaf: leaf, intermediate: intermediate)
            return Row(
                name, roots: [pki.root], sent: [pki.leaf, pki.intermediate], pinned: [pki.root], outcome,
                cleaned: [pki.leaf, pki.intermediate, pki.root])
        }
        return [
            try row("for clients", .chain, leaf: { $0.purposes = [.clientAuth] }),
            try row("for no purpose", .accepts, leaf: { $0.purposes = [] }),
            try row("for any purpose", .accepts, leaf: { $0.purposes = [.any] }),
            // A JVM asks the leaf only.
            try row("an intermediate for clients", .accepts, intermediate: { $0.purposes = [.clientAuth] }),
            try row(
                "inside its names", .accepts,
                intermediate: { $0.nameConstraints = NameConstraints(permitted: [.dns("oracle.test")]) }),
            try row(
                "outside its names", .chain,
                intermediate: { $0.nameConstraints = NameConstraints(permitted: [.dns("other.test")]) }),
            try row("may not sign certificates", .chain, intermediate: { $0.keyUsage = .cRLSign }),
        ]
    }

    /// Issuers that bear a name, or nearly so.
    private static func likeNamed() throws -> [Row] {
        let pki = try Hierarchy()
        let (root, middle, leaf) = (pki.root, pki.intermediate, pki.leaf)
        let impostor = try Hierarchy()
        let shouted = try authority("ORACLE  INTERMEDIATE", by: root, key: middle.key)
        return [
            Row(
                "like-named intermediate first", roots: [root], sent: [leaf, impostor.intermediate, middle],
                pinned: [middle], .accepts, cleaned: [leaf, middle, root]),
            Row(
                "like-named root trusted", roots: [impostor.root], sent: [leaf, middle, root], pinned: [root], .chain,
                cleaned: nil),
            Row(
                "like-named root trusted besides", roots: [impostor.root, root], sent: [leaf, middle], pinned: [root],
                .accepts, cleaned: [leaf, middle, root]),
            // Names are compared without regard to case and doubled blanks (RFC 5280, 7.1).
            Row(
                "the issuer's name in other letters", roots: [root], sent: [leaf, shouted], pinned: [shouted],
                .accepts, cleaned: [leaf, shouted, root]),
        ]
    }
}
