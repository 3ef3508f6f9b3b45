import Crypto
import Pinning
import Testing

/// Which certificates are for which hosts by OkHttp 3.13.
struct OkHttpHostTable {
    typealias Row = (names: [AlternativeName], host: String, isCovered: Bool)

    static let minted = Result { try OkHttpHostTable() }

    static let rows: [Row] = [
        ([.dns("foo.test")], "foo.test", true), ([.dns("foo.test")], "bar.test", false),
        ([.dns("foo.test")], "a.foo.test", false), ([.dns("foo.test")], "foo.test.", true),
        ([.dns("foo.test.")], "foo.test", true), ([.dns("foo.test.")], "foo.test.", true),
        ([.dns("foo.test")], "foo.test..", false), ([.dns("foo.test")], ".foo.test", false),
        ([.dns(".foo.test")], "a.foo.test", false), ([.dns(".foo.test")], ".foo.test", false),
        ([.dns("FOO.Test")], "foo.test", true), ([.dns("foo.test")], "FOO.Test", true), ([.dns("foo.test")], "", false),
        ([.dns("*.foo.test")], "a.foo.test", true), ([.dns("*.foo.test")], "foo.test", false),
        ([.dns("*.foo.test")], "a.b.foo.test", false), ([.dns("*.foo.test")], "a.foo.test.", true),
        ([.dns("*.foo.test")], "xfoo.test", false), ([.dns("*.foo.test")], "a.foo.test.evil.test", false),
        ([.dns("*.foo.test")], ".foo.test", false), ([.dns("*.foo.test")], "*.foo.test", true),
        ([.dns("*.FOO.test")], "A.foo.TEST", true), ([.dns("*.test")], "foo.test", true), ([.dns("*.")], "foo", false),
        ([.dns("*.")], "foo.", false), ([.dns("*")], "foo", false), ([.dns("*")], "foo.test", false),
        ([.dns("a*.foo.test")], "a1.foo.test", false), ([.dns("*a.foo.test")], "1a.foo.test", false),
        ([.dns("a.*.test")], "a.foo.test", false), ([.dns("*.*.test")], "a.foo.test", false),
        ([.dns("**.foo.test")], "a.foo.test", false), ([.dns("*.co.uk")], "foo.co.uk", true),
        ([.dns("*.xn--bcher-kva.test")], "a.xn--bcher-kva.test", true),
        ([.dns("a_b.foo.test")], "a_b.foo.test", true),
        ([.dns("x.test"), .dns("foo.test")], "foo.test", true),
        // Nothing but alternative names counts.
        ([], "foo.test", false), ([], "api.oracle.test", false), ([.email("a@foo.test")], "foo.test", false),
        ([.uri("https://foo.test/")], "foo.test", false),
        // Addresses, which 3.13 compares as Java writes them: with all zeros of IPv6, which a URL's host leaves out.
        ([.address([192, 0, 2, 1])], "192.0.2.1", true), ([.address([192, 0, 2, 1])], "192.0.2.2", false),
        ([.dns("192.0.2.1")], "192.0.2.1", false), ([.dns("*.0.2.1")], "192.0.2.1", false),
        ([.address([192, 0, 2, 1])], "foo.test", false),
        ([.address([192, 0, 2, 1]), .dns("foo.test")], "foo.test", true),
        ([.dns("foo.test"), .address([192, 0, 2, 1])], "192.0.2.1", true),
        ([.dns("2001:db8::1")], "2001:db8::1", false), ([.address(ipv6(1))], "2001:db8::2", false),
        ([.address(full)], "2001:db8:1:2:3:4:5:6", true),
        ([.address(ipv6(1))], "2001:db8::1", false), ([.address(ipv6(1))], "2001:db8:0:0:0:0:0:1", true),
        ([.address(ipv6(1))], "2001:DB8:0:0:0:0:0:1", true),
    ]

    /// 2001:db8:: with a last octet.
    static func ipv6(_ last: UInt8) -> [UInt8] { [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [last] }

    /// An address without zeros, which there is one way to write.
    static let full: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6]

    let certificates: [Certificate]

    private init() throws {
        let root = try authority("Host Root")
        let key = try PrivateKey.generate(.p256)
        certificates = try Self.rows.map { row in
            try server(by: root, key: key) { $0.alternativeNames = row.names }.certificate
        }
    }

    var questions: [Question] {
        zip(Self.rows, certificates).map { Question("verify", Array($0.host.utf8), Array($1.pem.utf8)) }
    }
}

@Suite(.asksOkHttp) struct OkHttpHostTests {
    @Test("C43, PS-0.5-2: which certificate is for which host")
    func hosts() throws {
        let table = try OkHttpHostTable.minted.get()
        for (index, answer) in try OkHttpOracle.answers.hosts.enumerated() {
            let row = OkHttpHostTable.rows[index]
            #expect((answer == "yes") == row.isCovered, "OkHttp: \(row)")
            let facts = CertificateFacts(table.certificates[index])
            #expect(
                OkHostnameVerifier.accepts(facts, for: row.host, comparesAddressText: true) == row.isCovered,
                "Pinproof: \(row)")
        }
    }
}
