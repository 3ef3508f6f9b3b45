import Crypto
import Foundation
import Pinning
import Testing

/// What the trust manager of a JVM has rules of its own for.
extension OkHttpChainTable {
    static func java() throws -> [Row] {
        try algorithms() + leaves() + anchors() + curves() + policies()
    }

    /// One signature whose algorithm is named in two ways: the place outside is not signed.
    ///
    /// Java reads no certificate that names two algorithms, so that a connection does not come so far.
    private static func algorithms() throws -> [Row] {
        let root = try authority("RSA Root", key: .generate(.rsa(2048)))
        let leaf = try server(by: root)
        // sha256WithRSAEncryption with the NULL that RFC 4055 asks for, and without.
        let usual: [UInt8] = [0x30, 0x0d, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 0x0b, 5, 0]
        let short: [UInt8] = [0x30, 0x0b, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 0x0b]
        let der = leaf.certificate.der
        let place = try #require(der.ranges(of: usual).last)
        // The outer sequence has a header of four octets, as it has between 256 and 65535 long.
        let content = der[4..<place.lowerBound] + short + der[place.upperBound...]
        let header: [UInt8] = [0x30, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)]
        let shortened = TLSIdentity(chain: [try Certificate(der: header + content)], key: leaf.key)
        return [
            Row(
                "PS-0.4-4: a NULL is missing", roots: [root], sent: [shortened], pinned: [root], .accepts,
                cleaned: [shortened, root])
        ]
    }

    /// What the leaf says of its purpose.
    private static func leaves() throws -> [Row] {
        func row(_ name: String, _ outcome: Outcome, key: KeyKind = .p256, _ adjust: Adjustment) throws -> Row {
            let root = try authority("Leaves Root")
            let leaf = try server(by: root, key: .generate(key), adjust)
            return Row(name, roots: [root], sent: [leaf], pinned: [root], outcome, cleaned: [leaf, root])
        }
        // Netscape's types: a BIT STRING whose first bit is for clients, and the second for servers.
        func netscape(_ bits: UInt8) -> Adjustment {
            {
                $0.otherExtensions = [
                    .init(identifier: "2.16.840.1.113730.1.1", isCritical: false, value: [3, 2, 6, bits])
                ]
            }
        }
        return [
            try row("a key for encryption only", .chain, key: .rsa(2048)) { $0.keyUsage = .keyEncipherment },
            try row("a key for certificates only", .chain) { $0.keyUsage = .keyCertSign },
            try row("a key for encryption and signatures", .accepts, key: .rsa(2048)) {
                $0.keyUsage = [.keyEncipherment, .digitalSignature]
            },
            try row("a key for whatever", .accepts) { $0.keyUsage = nil },
            try row("Netscape's type: clients", .chain, netscape(0x80)),
            try row("Netscape's type: servers", .accepts, netscape(0x40)),
            try row("Netscape's type: clients and servers", .accepts, netscape(0xc0)),
        ]
    }

    /// What an anchor is, other than a name and a key.
    private static func anchors() throws -> [Row] {
        func row(_ name: String, _ outcome: Outcome, key: KeyKind = .p256, _ adjust: @escaping Adjustment) throws -> Row
        {
            let root = try authority("Adjusted Root", key: .generate(key), adjust)
            let leaf = try server(by: root)
            return Row(name, roots: [root], sent: [leaf], pinned: [root], outcome, cleaned: [leaf, root])
        }
        let alone = try server { $0.keyUsage = .keyEncipherment }
        let below = try authority("Length Root", pathLength: 0)
        let middle = try authority("Length Intermediate", by: below)
        let leaf = try server(by: middle)
        return [
            try row("the anchor is no CA", .chain) { $0.basicConstraints = .init(isAuthority: false) },
            try row("the anchor has no basicConstraints", .chain) { $0.basicConstraints = nil },
            try row("the anchor may not sign certificates", .chain) { $0.keyUsage = .cRLSign },
            try row("the anchor may sign whatever", .accepts) { $0.keyUsage = nil },
            try row("the anchor permits other names", .accepts) {
                $0.nameConstraints = NameConstraints(permitted: [.dns("other.test")])
            },
            try row("the anchor has an unknown critical extension", .accepts) { $0.otherExtensions = [.unknown] },
            try row("the anchor is for clients", .accepts) { $0.purposes = [.clientAuth] },
            try row("the anchor has 768 bits of RSA", .chain, key: .rsa(768)) { _ in },
            try row("the anchor has 1024 bits of RSA", .accepts, key: .rsa(1024)) { _ in },
            Row(
                "the anchor permits no CA below", roots: [below], sent: [leaf, middle], pinned: [middle], .accepts,
                cleaned: [leaf, middle, below]),
            Row(
                "a trusted leaf is not examined", roots: [alone], sent: [alone], pinned: [alone], .accepts,
                cleaned: [alone]),
        ]
    }

    /// Keys on other curves than most: Java verifies with three.
    private static func curves() throws -> [Row] {
        func key(_ curve: String) throws -> PrivateKey {
            let run = try Folder().run(.openssl, ["ecparam", "-name", curve, "-genkey", "-noout"])
            return try PrivateKey(pem: Array(run.output.utf8))
        }
        let root = try authority("Curves Root")
        func leaf(_ curve: String, _ outcome: Outcome) throws -> Row {
            let leaf = try server(by: root, key: key(curve))
            return Row(
                "a leaf on \(curve)", roots: [root], sent: [leaf], pinned: [root], outcome, cleaned: [leaf, root])
        }
        func signer(_ curve: String, _ outcome: Outcome) throws -> Row {
            let signer = try authority("Curve", by: root, key: key(curve))
            let leaf = try server(by: signer)
            return Row(
                "a CA on \(curve)", roots: [root], sent: [leaf, signer], pinned: [root], outcome,
                cleaned: outcome == .accepts ? [leaf, signer, root] : nil)
        }
        return [
            try leaf("prime192v1", .chain), try leaf("secp224r1", .accepts), try leaf("secp256k1", .accepts),
            try signer("secp224r1", .chain), try signer("secp256k1", .chain), try signer("secp384r1", .accepts),
            try signer("secp521r1", .accepts),
        ]
    }

    /// Authorities that demand a certificate policy of what is below.
    private static func policies() throws -> [Row] {
        // requireExplicitPolicy 0; and the policy 1.2.3.4.
        let demand = CertificateTemplate.RawExtension(
            identifier: "2.5.29.36", isCritical: true, value: [0x30, 3, 0x80, 1, 0])
        let policy = CertificateTemplate.RawExtension(
            identifier: "2.5.29.32", isCritical: false, value: [0x30, 7, 0x30, 5, 6, 3, 0x2a, 3, 4])
        func row(
            _ name: String, _ outcome: Outcome, root: [CertificateTemplate.RawExtension] = [],
            middle: [CertificateTemplate.RawExtension] = [], leaf: [CertificateTemplate.RawExtension] = []
        ) throws -> Row {
            let root = try authority("Policy Root") { $0.otherExtensions = root }
            let middle = try authority("Policy Intermediate", by: root) { $0.otherExtensions = middle }
            let leaf = try server(by: middle) { $0.otherExtensions = leaf }
            return Row(
                name, roots: [root], sent: [leaf, middle], pinned: [root], outcome, cleaned: [leaf, middle, root])
        }
        return [
            try row("a policy is demanded, and there is none", .chain, middle: [demand]),
            try row("a policy is demanded, and the leaf has none", .chain, middle: [demand, policy]),
            try row("a policy is demanded, and there is one", .accepts, middle: [demand, policy], leaf: [policy]),
            try row("the anchor demands a policy", .accepts, root: [demand]),
        ]
    }
}
