import Crypto
import Testing

/// What curl 7.88 makes of certificates, with and without a pin and `-k`, by curl itself.
@Suite(.asks(.curl, .openssl)) struct CurlChainTests {
    /// Certificates that curl refuses without `-k`, whatever is pinned.
    enum Refused: CaseIterable {
        case expired, notYetValid, expiredIntermediate, expiredRoot, wrongHost, address, wildcardTwoLabels
        case wildcardApex, selfSigned, unknownAuthority, missingIntermediate, leafSignsLeaf, pathLength, otherPurpose
        case unknownCriticalExtension, nameConstraints, impostor, bareWildcard, partialWildcard, otherCommonName
    }

    /// Certificates that curl takes.
    enum Taken: CaseIterable {
        case sound, shuffled, rootSent, strangerSent, address, wildcard, upperCase, upperCaseHost, noPurpose, anyPurpose
        case commonNameOnly, dotAfterHost, dotAfterName, addressAsCommonName
    }

    @Test(
        "C42, PS-7-2: a pin does not excuse a bad certificate, and -k leaves the pin alone", arguments: Refused.allCases
    )
    func refused(_ fault: Refused) throws {
        try situation(fault).compare(CurlCase.refused, "\(fault)")
    }

    @Test("C42, PS-7-2: sound certificates need the pin too", arguments: Taken.allCases)
    func taken(_ kind: Taken) throws {
        try situation(kind).compare(CurlCase.taken, "\(kind)")
    }

    @Test("C36, C44, PS-7-2: a pinned certificate that is sent besides does not count")
    func appended() throws {
        let pki = try Hierarchy()
        let pinned = try Hierarchy("Pinned")
        let situation = try CurlSituation(sending: pki.sent + pinned.sent, key: pki.leaf.key)
        try situation.trust("root.pem", [pki.root.certificate, pinned.root.certificate])
        situation.name("A", pinned.leaf.certificate.spkiSHA256)
        try situation.compare(
            [CurlCase("sha256//{A}", 90), CurlCase("sha256//{A}", insecure: true, 90), CurlCase("sha256//{P}", 0)],
            "appended")
    }

    @Test(
        "C44, PS-7-2: --cacert may hold an intermediate or the leaf only, and replaces everything",
        arguments: [true, false])
    func anchors(sendsIntermediate: Bool) throws {
        let pki = try Hierarchy()
        let sent = sendsIntermediate ? pki.sent : [pki.leaf.certificate]
        let situation = try CurlSituation(sending: sent, key: pki.leaf.key)
        try situation.trust("root.pem", [pki.root.certificate])
        try situation.trust("intermediate.pem", [pki.intermediate.certificate])
        try situation.trust("leaf.pem", [pki.leaf.certificate])
        try situation.trust("both.pem", [pki.intermediate.certificate, pki.root.certificate])
        try situation.trust("other.pem", [try Hierarchy().root.certificate])
        let complete: Int32 = sendsIntermediate ? 0 : 60
        try situation.compare(
            [
                CurlCase("sha256//{P}", complete), CurlCase("sha256//{P}", authorities: "intermediate.pem", 0),
                CurlCase("sha256//{Q}", authorities: "intermediate.pem", 90),
                CurlCase("sha256//{P}", authorities: "leaf.pem", 0), CurlCase(authorities: "leaf.pem", 0),
                CurlCase("sha256//{Q}", authorities: "leaf.pem", 90), CurlCase(authorities: "both.pem", 0),
                CurlCase("sha256//{P}", authorities: "other.pem", 60),
                CurlCase("sha256//{P}", insecure: true, authorities: "other.pem", 0),
            ], "anchors, \(sent.count) sent")
    }

    private func situation(_ fault: Refused) throws -> CurlSituation {
        func below(_ pki: Hierarchy, sending sent: [Certificate]? = nil, host: String = "api.oracle.test") throws
            -> CurlSituation
        {
            let situation = try CurlSituation(sending: sent ?? pki.sent, key: pki.leaf.key, host: host)
            try situation.trust("root.pem", [pki.root.certificate])
            return situation
        }
        func named(_ names: [AlternativeName], host: String) throws -> CurlSituation {
            try below(Hierarchy { $0.alternativeNames = names }, host: host)
        }
        switch fault {
        case .expired: return try below(Hierarchy { $0.notAfter = now - 60 })
        case .notYetValid: return try below(Hierarchy { $0.notBefore = now + 3600 })
        case .expiredIntermediate: return try below(Hierarchy(intermediate: { $0.notAfter = now - 60 }))
        case .expiredRoot:
            let root = try authority("Old Root") { $0.notAfter = now - 60 }
            return try underRoot(root, leaf: server(by: root))
        case .wrongHost: return try below(Hierarchy(), host: "www.oracle.test")
        case .address: return try below(Hierarchy(), host: "127.0.0.1")
        case .wildcardTwoLabels: return try named([.dns("*.oracle.test")], host: "a.b.oracle.test")
        case .wildcardApex: return try named([.dns("*.oracle.test")], host: "oracle.test")
        case .bareWildcard: return try named([.dns("*.test")], host: "oracle.test")
        case .partialWildcard: return try named([.dns("a*.oracle.test")], host: "api.oracle.test")
        case .otherCommonName: return try named([.dns("www.oracle.test")], host: "api.oracle.test")
        case .selfSigned:
            let leaf = try server()
            return try underRoot(authority("Some Root"), leaf: leaf)
        case .unknownAuthority: return try underRoot(authority("Some Root"), leaf: Hierarchy().leaf)
        case .missingIntermediate:
            let pki = try Hierarchy()
            return try below(pki, sending: [pki.leaf.certificate])
        case .leafSignsLeaf:
            let pki = try Hierarchy()
            let leaf = try server(by: pki.leaf)
            return try underRoot(pki.root, leaf: leaf, through: pki.sent)
        case .pathLength:
            let pki = try Hierarchy(intermediate: { $0.basicConstraints?.pathLength = 0 })
            let lower = try authority("Lower", by: pki.intermediate)
            let above = [lower.certificate, pki.intermediate.certificate]
            return try underRoot(pki.root, leaf: server(by: lower), through: above)
        case .otherPurpose: return try below(Hierarchy { $0.purposes = [.clientAuth] })
        case .unknownCriticalExtension: return try below(Hierarchy { $0.otherExtensions = [.unknown] })
        case .nameConstraints:
            return try below(
                Hierarchy(intermediate: { $0.nameConstraints = NameConstraints(permitted: [.dns("other.test")]) }))
        case .impostor:
            let root = try authority("Oracle Root")
            return try underRoot(root, leaf: server(by: authority("Oracle Root")))
        }
    }

    private func situation(_ kind: Taken) throws -> CurlSituation {
        var host = "api.oracle.test"
        var names: [AlternativeName]?
        var common = host
        var purposes: [CertificateTemplate.Purpose] = [.serverAuth]
        switch kind {
        case .sound, .shuffled, .rootSent, .strangerSent: break
        case .address: (host, names) = ("127.0.0.1", [.dns("x.test"), .address([127, 0, 0, 1])])
        case .wildcard: names = [.dns("*.oracle.test")]
        case .upperCase: names = [.dns("API.Oracle.TEST")]
        case .upperCaseHost: host = "API.Oracle.TEST"
        case .noPurpose: purposes = []
        case .anyPurpose: purposes = [.any, .serverAuth]
        case .commonNameOnly: names = []
        case .dotAfterHost: host = "api.oracle.test."
        case .dotAfterName: names = [.dns("api.oracle.test.")]
        case .addressAsCommonName: (host, names, common) = ("127.0.0.1", [], "127.0.0.1")
        }
        let pki = try Hierarchy(leaf: {
            if let names { $0.alternativeNames = names }
            $0.subject = [("CN", common)]
            $0.purposes = purposes
        })
        let root = pki.root.certificate
        let sent: [Certificate]
        switch kind {
        case .shuffled: sent = [pki.leaf.certificate, root, pki.intermediate.certificate]
        case .rootSent: sent = pki.sent + [root]
        case .strangerSent: sent = [pki.leaf.certificate] + (try Hierarchy("Stranger").sent) + pki.sent.dropFirst()
        default: sent = pki.sent
        }
        let situation = try CurlSituation(sending: sent, key: pki.leaf.key, host: host)
        try situation.trust("root.pem", [root])
        return situation
    }

    /// A server whose certificate is said to be below this root.
    private func underRoot(
        _ root: TLSIdentity, leaf: TLSIdentity, through above: [Certificate] = []
    ) throws -> CurlSituation {
        let situation = try CurlSituation(sending: [leaf.certificate] + above, key: leaf.key)
        try situation.trust("root.pem", [root.certificate])
        return situation
    }
}

extension CertificateTemplate.RawExtension {
    /// An extension that nobody knows and everybody has to.
    static let unknown = CertificateTemplate.RawExtension(
        identifier: "1.3.6.1.4.1.55555.1", isCritical: true, value: [5, 0])
}
