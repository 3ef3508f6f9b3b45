import Crypto
import Testing

/// Names as people write them (RFC 4514, and the form of OpenSSL's commands).
@Suite struct DistinguishedNameTests {
    private typealias Attribute = DistinguishedName.Attribute

    private func subject(_ text: String) throws -> Certificate {
        try CertificateTemplate(subject: DistinguishedName(text: text), notBefore: 0, notAfter: 1).identity().chain[0]
    }

    @Test(arguments: [
        "CN=app,O=Example,C=DE", "/C=DE/O=Example/CN=app", " cn = app , o=Example,c=DE ", "2.5.4.3=app,O=Example,C=DE",
        "commonName=app,organizationName=Example,countryName=DE",
    ])
    func `the same name in several forms`(text: String) throws {
        let certificate = try subject(text)
        #expect(certificate.subject == "CN=app,O=Example,C=DE")
        // The encoding begins with the country: SET { SEQUENCE { 2.5.4.6, PrintableString "DE" } }.
        #expect(hex(certificate.der).contains("310b300906035504061302444531103"))
    }

    @Test(
        arguments: [
            ("CN=a+UID=b,O=c", [("O", "c", false), ("CN", "a", false), ("UID", "b", true)]),
            (#"O=Muster\, S\C3\B6hne"#, [("O", "Muster, Söhne", false)]),
            (#"CN=a\+b\=c\\d"#, [("CN", "a+b=c\\d", false)]), (#"CN=\20a\ "#, [("CN", " a ", false)]),
            (#"CN=a/b"#, [("CN", "a/b", false)]), (#"/CN=a,b\/c"#, [("CN", "a,b/c", false)]),
            ("emailaddress=a@b.test,STREET=x", [("street", "x", false), ("emailAddress", "a@b.test", false)]),
            ("DC=example,dc=test", [("DC", "test", false), ("DC", "example", false)]),
            (#"CN="quoted""#, [("CN", "\"quoted\"", false)]),
        ] as [(String, [(String, String, Bool)])])
    func `attributes in the order of the encoding`(text: String, expected: [(String, String, Bool)]) throws {
        #expect(
            try DistinguishedName(text: text).attributes
                == expected.map { Attribute(type: $0.0, value: $0.1, joinsPrevious: $0.2) })
    }

    @Test func `attributes that are joined are one set`() throws {
        #expect(try subject("CN=a+OU=b,O=c").subject == "OU=b+CN=a,O=c")
    }

    @Test(arguments: [
        ("", #""" is not TYPE=VALUE"#), ("app", #""app" is not TYPE=VALUE"#), ("CN=a,", #""" is not TYPE=VALUE"#),
        ("CN=a,,O=b", #"no attribute ",O""#), ("XYZ=a", #"no attribute "XYZ""#), ("=a", #"no attribute """#),
        ("C=DEU", #""DEU" is no C"#), ("C=", #""" is no C"#), ("CN=", #""" is no CN"#),
        ("CN=" + String(repeating: "a", count: 65), "is no CN"), ("CN=#0C0161", "hexadecimal"),
        ("CN=a\\", "backslash"), ("CN=a\nb", "control characters"), (#"CN=a\FFb"#, "not UTF-8"),
        (#"CN=a\00b"#, "control characters"),
    ])
    func `what is no name is explained`(text: String, complaint: String) {
        let error = #expect(throws: DistinguishedNameError.self) { try DistinguishedName(text: text) }
        #expect(error?.description.contains(complaint) == true, "\(error?.description ?? "")")
    }
}
