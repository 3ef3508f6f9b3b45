import Crypto
import Pinning

/// Paths for `openssl verify` and Pinproof, and what is to become of them.
struct PathTable {
    /// What OpenSSL says.
    enum Answer {
        /// The subjects of the path, leaf first.
        case path([String])
        /// An `X509_V_ERR_*`, and what Pinproof calls it.
        case error(Int, TrustError.Kind)
    }

    /// What Apple's basic policy says of the same (PS-0.3).
    enum AppleAnswer {
        case same
        case valid(RuleID)
        case invalid(TrustError.Kind, RuleID)
    }

    struct Row {
        let name: String
        let trusted: [Certificate]
        /// Leaf first.
        let sent: [Certificate]
        let time: Int64
        let answer: Answer
        let apple: AppleAnswer

        init(
            _ name: String, trusted: [TLSIdentity], sent: [TLSIdentity], at time: Int64 = now, _ answer: Answer,
            apple: AppleAnswer = .same
        ) {
            self.name = name
            self.trusted = trusted.map(\.certificate)
            self.sent = sent.map(\.certificate)
            self.time = time
            self.answer = answer
            self.apple = apple
        }
    }

    static let minted = Result { try PathTable() }

    let rows: [Row]

    private init() throws {
        rows =
            try Self.sound() + Self.anchors() + Self.crossSigned() + Self.times() + Self.authorities()
            + Self.constraints() + Self.purposes() + Self.strengths()
    }

    private static let whole = ["CN=api.oracle.test", "CN=Oracle Intermediate", "CN=Oracle Root"]

    private static func sound() throws -> [Row] {
        let pki = try Hierarchy()
        let (root, middle, leaf) = (pki.root, pki.intermediate, pki.leaf)
        let other = try Hierarchy("Other")
        let impostor = try Hierarchy()
        return [
            Row("sound", trusted: [root], sent: [leaf, middle], .path(whole)),
            Row("root sent", trusted: [root], sent: [leaf, middle, root], .path(whole)),
            Row("shuffled", trusted: [root], sent: [leaf, root, other.root, middle], .path(whole)),
            Row("sent twice", trusted: [root], sent: [leaf, leaf, middle, middle, root, root], .path(whole)),
            Row("intermediate missing", trusted: [root], sent: [leaf], .error(20, .noAnchor)),
            Row("unknown root", trusted: [other.root], sent: [leaf, middle], .error(20, .noAnchor)),
            Row("unknown root, sent", trusted: [other.root], sent: [leaf, middle, root], .error(19, .noAnchor)),
            Row("nothing trusted", trusted: [], sent: [leaf, middle], .error(20, .noAnchor)),
            Row("self-signed", trusted: [root], sent: [try server()], .error(18, .noAnchor)),
            // The key identifiers tell like-named issuers apart.
            Row(
                "like-named intermediate first", trusted: [root], sent: [leaf, impostor.intermediate, middle],
                .path(whole)),
            Row("like-named root only", trusted: [impostor.root], sent: [leaf, middle], .error(20, .noAnchor)),
            Row("like-named root besides", trusted: [impostor.root, root], sent: [leaf, middle], .path(whole)),
        ]
    }

    private static func anchors() throws -> [Row] {
        let pki = try Hierarchy()
        let (root, middle, leaf) = (pki.root, pki.intermediate, pki.leaf)
        let alone = try server()
        return [
            Row("intermediate trusted", trusted: [middle], sent: [leaf], .path(Array(whole.prefix(2)))),
            Row(
                "intermediate trusted, sent", trusted: [middle], sent: [leaf, middle, root],
                .path(Array(whole.prefix(2)))),
            Row("intermediate and root trusted", trusted: [root, middle], sent: [leaf], .path(Array(whole.prefix(2)))),
            Row("leaf trusted", trusted: [leaf], sent: [leaf], .path(Array(whole.prefix(1)))),
            Row("self-signed, trusted", trusted: [alone], sent: [alone], .path(Array(whole.prefix(1)))),
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
        let byNew = ["CN=api.oracle.test", "CN=Crossed", "CN=New Root"]
        let byOld = ["CN=api.oracle.test", "CN=Crossed", "CN=Old Root"]
        return [
            Row("cross-signed root, new trusted", trusted: [new], sent: [leaf, middleByNew, newByOld], .path(byNew)),
            Row(
                "cross-signed root, old trusted", trusted: [old], sent: [leaf, middleByNew, newByOld],
                .path(byNew + ["CN=Old Root"])),
            Row(
                "cross-signed root, both trusted", trusted: [old, new], sent: [leaf, middleByNew, newByOld],
                .path(byNew)),
            Row(
                "cross-signed intermediate, the right one first", trusted: [new],
                sent: [leaf, middleByNew, middleByOld], .path(byNew)),
            // OpenSSL takes the first and does not come back; Apple tries every path (PS-0.3-1).
            Row(
                "cross-signed intermediate, the wrong one first", trusted: [new],
                sent: [leaf, middleByOld, middleByNew], .error(20, .noAnchor), apple: .valid(RuleID("PS-0.4-3"))),
            Row(
                "cross-signed intermediate, both trusted", trusted: [old, new], sent: [leaf, middleByOld, middleByNew],
                .path(byOld)),
        ]
    }

    private static func times() throws -> [Row] {
        let pki = try Hierarchy()
        let (root, middle, leaf) = (pki.root, pki.intermediate, pki.leaf)
        let expired = try Hierarchy { $0.notAfter = now - 60 }
        let below = try Hierarchy(intermediate: { $0.notAfter = now - 60 })
        let key = try PrivateKey.generate(.p256)
        let oldMiddle = try authority("Oracle Intermediate", by: root, key: key) { $0.notAfter = now - 60 }
        let newMiddle = try authority("Oracle Intermediate", by: root, key: key)
        let renewed = try server(by: newMiddle)
        let oldRoot = try authority("Oracle Root") { $0.notAfter = now - 60 }
        let belowOldRoot = try server(by: oldRoot)
        return [
            Row("expired", trusted: [expired.root], sent: [expired.leaf, expired.intermediate], .error(10, .expired)),
            Row(
                "expired intermediate", trusted: [below.root], sent: [below.leaf, below.intermediate],
                .error(10, .expired)),
            Row("expired root", trusted: [oldRoot], sent: [belowOldRoot], .error(10, .expired)),
            Row("expired intermediate trusted", trusted: [oldMiddle], sent: [renewed], .error(10, .expired)),
            Row("not yet valid", trusted: [root], sent: [leaf, middle], at: now - 11 * day, .error(9, .notYetValid)),
            Row(
                "before the root", trusted: [root], sent: [leaf, middle], at: now - 101 * day, .error(9, .notYetValid)),
            Row("first second", trusted: [root], sent: [leaf, middle], at: now - 10 * day, .path(whole)),
            Row("last second but one", trusted: [root], sent: [leaf, middle], at: now + 80 * day - 1, .path(whole)),
            Row(
                "a second too late", trusted: [root], sent: [leaf, middle], at: now + 80 * day + 1, .error(10, .expired)
            ),
            // The last second of validity is one too late for OpenSSL.
            Row(
                "last second", trusted: [root], sent: [leaf, middle], at: now + 80 * day, .error(10, .expired),
                apple: .valid(RuleID("PS-0.3-4"))),
            // Of two that would do, one that is valid is taken.
            Row("renewed intermediate", trusted: [root], sent: [renewed, oldMiddle, newMiddle], .path(whole)),
        ]
    }

    private static func authorities() throws -> [Row] {
        let pki = try Hierarchy(intermediate: { $0.basicConstraints?.pathLength = 0 })
        let (root, middle, leaf) = (pki.root, pki.intermediate, pki.leaf)
        let below = try server(by: leaf)
        let bare = try server(by: middle) {
            $0.basicConstraints = nil
            $0.subject = [("CN", "Bare")]
        }
        let belowBare = try server(by: bare)
        let lower = try authority("Lower", by: middle)
        let belowLower = try server(by: lower)
        let muted = try authority("Muted", by: root) { $0.keyUsage = .cRLSign }
        let belowMuted = try server(by: muted)
        let shortRoot = try authority("Short Root", pathLength: 0)
        let belowShort = try authority("Below Short", by: shortRoot)
        let belowShortLeaf = try server(by: belowShort)
        return [
            Row(
                "C45: a leaf signs another", trusted: [root], sent: [below, leaf, middle],
                .error(79, .issuerNotAuthority)),
            Row(
                "C45: without basicConstraints", trusted: [root], sent: [belowBare, bare, middle],
                .error(79, .issuerNotAuthority)),
            Row("C45: a trusted leaf signs another", trusted: [leaf], sent: [below], .error(79, .issuerNotAuthority)),
            Row(
                "may not sign certificates", trusted: [root], sent: [belowMuted, muted],
                .error(32, .issuerNotAuthority)),
            Row("path length", trusted: [root], sent: [belowLower, lower, middle], .error(25, .pathTooLong)),
            Row(
                "path length of the root", trusted: [shortRoot], sent: [belowShortLeaf, belowShort],
                .error(25, .pathTooLong)),
            Row("path length kept", trusted: [root], sent: [leaf, middle], .path(whole)),
        ]
    }

    private static func constraints() throws -> [Row] {
        func row(_ name: String, _ constraints: NameConstraints, _ answer: Answer) throws -> Row {
            let pki = try Hierarchy(intermediate: { $0.nameConstraints = constraints })
            return Row(name, trusted: [pki.root], sent: [pki.leaf, pki.intermediate], answer)
        }
        let unknownLeaf = try Hierarchy { $0.otherExtensions = [.unknown] }
        let unknownMiddle = try Hierarchy(intermediate: { $0.otherExtensions = [.unknown] })
        let harmless = CertificateTemplate.RawExtension(
            identifier: "1.3.6.1.4.1.55555.1", isCritical: false, value: [5, 0])
        let uncritical = try Hierarchy { $0.otherExtensions = [harmless] }
        return [
            try row("inside its names", NameConstraints(permitted: [.dns("oracle.test")]), .path(whole)),
            try row("outside its names", NameConstraints(permitted: [.dns("other.test")]), .error(47, .nameConstraint)),
            try row(
                "excluded", NameConstraints(permitted: [], excluded: [.dns("api.oracle.test")]),
                .error(48, .nameConstraint)),
            try row("another excluded", NameConstraints(permitted: [], excluded: [.dns("other.test")]), .path(whole)),
            Row(
                "unknown critical extension", trusted: [unknownLeaf.root],
                sent: [unknownLeaf.leaf, unknownLeaf.intermediate], .error(34, .criticalExtension)),
            Row(
                "unknown critical extension of the intermediate", trusted: [unknownMiddle.root],
                sent: [unknownMiddle.leaf, unknownMiddle.intermediate], .error(34, .criticalExtension)),
            Row(
                "unknown extension", trusted: [uncritical.root], sent: [uncritical.leaf, uncritical.intermediate],
                .path(whole)),
        ]
    }

    /// What the leaf and its issuers are for: PS-0.3-6 does not ask.
    private static func purposes() throws -> [Row] {
        func row(
            _ name: String, _ answer: Answer, apple: AppleAnswer = .same, intermediate: Adjustment = { _ in },
            leaf: Adjustment = { _ in }
        ) throws -> Row {
            let pki = try Hierarchy(leaf: leaf, intermediate: intermediate)
            return Row(name, trusted: [pki.root], sent: [pki.leaf, pki.intermediate], answer, apple: apple)
        }
        let notAsked = AppleAnswer.valid(RuleID("PS-0.3-6"))
        return [
            try row("for clients", .error(26, .wrongPurpose), apple: notAsked, leaf: { $0.purposes = [.clientAuth] }),
            try row("for programs", .error(26, .wrongPurpose), apple: notAsked, leaf: { $0.purposes = [.codeSigning] }),
            try row("for no purpose", .path(whole), leaf: { $0.purposes = [] }),
            try row("for both", .path(whole), leaf: { $0.purposes = [.clientAuth, .serverAuth] }),
            try row("for any, literally", .error(26, .wrongPurpose), apple: notAsked, leaf: { $0.purposes = [.any] }),
            try row(
                "an intermediate for clients", .error(26, .wrongPurpose), apple: notAsked,
                intermediate: { $0.purposes = [.clientAuth] }),
            try row("an intermediate for servers", .path(whole), intermediate: { $0.purposes = [.serverAuth] }),
            try row(
                "a key that only signs CRLs", .error(26, .wrongPurpose), apple: notAsked,
                leaf: { $0.keyUsage = .cRLSign }),
        ]
    }

    /// Security level 2, which Debian's clients have.
    ///
    /// It is 112 bits; PS-0.3-6 does not ask.
    private static func strengths() throws -> [Row] {
        let notAsked = AppleAnswer.valid(RuleID("PS-0.3-6"))
        let pki = try Hierarchy()
        let short = try server(by: pki.intermediate, key: PrivateKey.generate(.rsa(1024)))
        let long = try server(by: pki.intermediate, key: PrivateKey.generate(.rsa(2048)))
        let old = try server(by: pki.intermediate) { $0.digest = .sha1 }
        let weak = try authority("Weak", by: pki.root, key: PrivateKey.generate(.rsa(1024)))
        let belowWeak = try server(by: weak)
        let oldRoot = try authority("SHA-1 Root") { $0.digest = .sha1 }
        let belowOldRoot = try server(by: oldRoot)
        return [
            Row(
                "RSA 1024", trusted: [pki.root], sent: [short, pki.intermediate], .error(66, .weakKey), apple: notAsked),
            Row("RSA 2048", trusted: [pki.root], sent: [long, pki.intermediate], .path(whole)),
            Row(
                "an intermediate of RSA 1024", trusted: [pki.root], sent: [belowWeak, weak], .error(67, .weakKey),
                apple: notAsked),
            Row(
                "SHA-1", trusted: [pki.root], sent: [old, pki.intermediate], .error(68, .weakSignature), apple: notAsked
            ),
            // What a root signed itself with does not matter.
            Row(
                "a root by SHA-1", trusted: [oldRoot], sent: [belowOldRoot],
                .path(["CN=api.oracle.test", "CN=SHA-1 Root"])),
        ]
    }
}
