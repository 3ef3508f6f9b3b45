import Crypto
import Pinning
import PolicyFiles
import Testing

@Suite("Profiles")
struct ProfileFileTests {
    private static func certificate() throws -> Certificate {
        try CertificateTemplate.server(
            names: [.dns("a.test")], notBefore: testTime - 86_400, notAfter: testTime + 86_400
        ).signed(for: PrivateKey.generate(.p256))
    }

    @Test("AFNetworking's fields have its own names, and its release decides about their defaults")
    func afNetworking() throws {
        let certificate = try Self.certificate()
        let text = """
            {"library": "afnetworking", "version": "2.5.1", "SSLPinningMode": "AFSSLPinningModeCertificate",
             "allowInvalidCertificates": true, "validatesDomainName": false, "validatesCertificateChain": false,
             "certificates": "certs"}
            """
        let file = try load(text, beside: ["certs/ca.cer": certificate.der])
        #expect(file.format == .profile)
        #expect(file.remarks.map(\.line) == ["/certificates: \"ca.cer\" is loaded (1 certificate)"])
        let app = try file.appPolicy(in: environment())
        #expect(app.name == "AFNetworking 2.5.1")
        let policy = try #require(app.policy as? AFSecurityPolicy)
        #expect(policy.version == LibraryVersion(2, 5, 1))
        #expect(policy.mode == .certificate)
        #expect(policy.allowInvalidCertificates && !policy.validatesDomainName && !policy.validatesCertificateChain)
        #expect(policy.pins == [CertificatePin(name: "ca.cer", certificate: CertificateFacts(certificate))])
        #expect(policy.configurationProblem == nil)

        let newer = try file.appPolicy(in: environment(version: LibraryVersion(4, 0, 1)))
        #expect(newer.name == "AFNetworking 4.0.1")
        let defaults = try load("{\"library\": \"AFNetworking\", \"version\": \"2.5.2\"}").appPolicy(in: environment())
        #expect((defaults.policy as? AFSecurityPolicy)?.validatesDomainName == false)
    }

    @Test("PS-1.4: an AFHTTPSessionManager that pins wants a baseURL of https, since 3.2")
    func sessionManager() throws {
        func app(_ url: String, _ version: String, mode: String = "PublicKey") throws -> AppPolicy {
            try load(
                """
                {"library": "afnetworking", "version": "\(version)", "baseURL": \(url),
                 "SSLPinningMode": "AFSSLPinningMode\(mode)"}
                """
            ).appPolicy(in: environment())
        }
        for url in ["null", "\"http://a.test/\""] {
            let error = #expect(throws: PolicyFileError.self) { try app(url, "3.2.0") }
            #expect(error?.place == .key(["baseURL"]))
            #expect(throws: Never.self) { try app(url, "3.1.0") }
            #expect(throws: Never.self) { try app(url, "3.2.0", mode: "None") }
        }
        #expect(throws: Never.self) { try app("\"HTTPS://a.test/\"", "3.2.0") }
    }

    @Test("Alamofire's maps of both generations")
    func alamofire() throws {
        let certificate = try Self.certificate()
        let pin = CertificatePin(name: "ca.DER", certificate: CertificateFacts(certificate))
        let beside = ["certs/ca.DER": certificate.der]
        let four = try load(
            """
            {"library": "alamofire", "certificates": "certs", "policies": {
             "a.test": {"pinPublicKeys": {"validateCertificateChain": false}}, "b.test": "disableEvaluation"}}
            """, beside: beside)
        let session4 = try #require(try four.appPolicy(in: environment()).policy as? Alamofire4Session)
        #expect(session4.version == LibraryVersion(4, 9, 1))
        guard
            case .pinPublicKeys([pin], validateCertificateChain: false, validateHost: true)? = session4.policies?[
                "a.test"]
        else {
            Issue.record("\(String(describing: session4.policies))")
            return
        }
        let five = try load(
            """
            {"library": "alamofire", "version": "5.9.0", "allHostsMustBeEvaluated": false, "evaluators": {
             "a.test": {"CompositeTrustEvaluator": [
               {"PinnedCertificatesTrustEvaluator": {"acceptSelfSignedCertificates": true, "certificates": "certs"}},
               "DefaultTrustEvaluator",
               {"RevocationTrustEvaluator": {"requirePositiveResponse": true}}]},
             "b.test": "DisabledTrustEvaluator"}}
            """, beside: beside)
        let app = try five.appPolicy(in: environment(.macos))
        #expect(app.name == "Alamofire 5.9.0")
        let session5 = try #require(app.policy as? Alamofire5Session)
        #expect(!session5.allHostsMustBeEvaluated)
        #expect(
            session5.evaluators == [
                "a.test": .composite([
                    .pinnedCertificates([pin], acceptSelfSignedCertificates: true), .default(),
                    .revocation(requirePositiveResponse: true),
                ]), "b.test": .disabled,
            ])
    }

    @Test("a field of Alamofire's other major release contradicts the release, in the profile and beside it")
    func alamofireGenerations() throws {
        func profile(_ more: String) -> String { "{\"library\": \"alamofire\"\(more)}" }
        let four = "write evaluators, or name a release of 4"
        let five = "write policies, or name a release of 5"
        let cases: [(more: String, complaint: String?)] = [
            (
                ", \"version\": \"5.9.1\", \"policies\": {}",
                "policy, /policies: Alamofire 5.9.1 has no policies: they are Alamofire 4's; \(four)"
            ),
            (
                ", \"version\": \"4.9.1\", \"evaluators\": {}",
                "policy, /evaluators: Alamofire 4.9.1 has no evaluators: they are Alamofire 5's; \(five)"
            ),
            (", \"version\": \"4.9.1\", \"policies\": {}", nil), (", \"version\": \"5.9.1\", \"evaluators\": {}", nil),
        ]
        for (more, expected) in cases { #expect(complaint(profile(more)) == expected) }

        func name(_ more: String, _ version: LibraryVersion) throws(PolicyFileError) -> String {
            try load(profile(more)).appPolicy(in: environment(version: version)).name
        }
        let (old, new) = (LibraryVersion(4, 9), LibraryVersion(5, 9))
        for (more, version, field) in [
            (", \"policies\": {}", new, "policies"), (", \"evaluators\": {}", old, "evaluators"),
            (", \"allHostsMustBeEvaluated\": false", old, "allHostsMustBeEvaluated"),
        ] {
            let error = #expect(throws: PolicyFileError.self) { try name(more, version) }
            #expect(error?.place == .key([field]))
        }
        #expect(try name(", \"policies\": {}", old) == "Alamofire 4.9.0")
        #expect(try name(", \"evaluators\": {}", new) == "Alamofire 5.9.0")
        // Without a map either will do: the session has no manager.
        #expect(try name("", old) == "Alamofire 4.9.0")
        #expect(try name(", \"version\": \"4.9.1\"", new) == "Alamofire 5.9.0")
    }

    @Test("OkHttp's and urllib3's fields")
    func others() throws {
        let okHttp = try load(
            """
            {"library": "okhttp", "version": "4.12.0", "runtime": "android",
             "pins": {"example.com": ["sha256/\(digest(0xAA))"]}}
            """)
        #expect(try okHttp.appPolicy(in: environment()).name == "OkHttp 4.12.0 on Android")
        #expect(try okHttp.verdict(on: "example.com", in: environment()).decision == .reject)

        let fingerprint = String(repeating: "01:", count: 31) + "01"
        let certificate = try Self.certificate()
        let urllib3 = try load(
            """
            {"library": "urllib3", "assert_fingerprint": "\(fingerprint)", "cert_reqs": "CERT_NONE",
             "ca_certs": "ca.pem"}
            """, beside: ["ca.pem": Array(certificate.pem.utf8)])
        let app = try urllib3.appPolicy(in: environment())
        #expect(app.name == "urllib3")
        #expect(app.redirects == RedirectConduct(limit: 30, changesScheme: true))
        let policy = try #require(app.policy as? UrllibFingerprintPolicy)
        #expect(policy.fingerprint == fingerprint && !policy.verifiesChain)
        #expect(policy.authorities == [CertificateFacts(certificate)])
        #expect(throws: PolicyFileError.self) { try urllib3.appPolicy(in: environment(.android)) }
    }

    @Test("what a profile cannot say is an error with the field and the nearest name")
    func errors() {
        let libraries = "afnetworking, alamofire, okhttp, urllib3"
        let cases: [(String, String)] = [
            (
                "{\"library\": \"afnetworkin\"}",
                "policy, /library: no library that is emulated is named \"afnetworkin\"; did you mean afnetworking?"
            ),
            (
                "{\"library\": \"volley\"}",
                "policy, /library: no library that is emulated is named \"volley\"; it is one of \(libraries)"
            ),
            (
                "{\"library\": \"afnetworking\", \"validateDomainName\": true}",
                "policy, /validateDomainName: there is no such field; did you mean validatesDomainName?"
            ),
            (
                "{\"library\": \"afnetworking\", \"SSLPinningMode\": \"Certificate\"}",
                "policy, /SSLPinningMode: there is no mode \"Certificate\"; did you mean AFSSLPinningModeCertificate?"
            ),
            (
                "{\"library\": \"afnetworking\", \"allowInvalidCertificates\": \"YES\"}",
                "policy, /allowInvalidCertificates: a text where true or false is expected"
            ),
            (
                "{\"library\": \"afnetworking\", \"version\": \"v3\"}",
                "policy, /version: \"v3\" is no release; such as 3.2.1"
            ),
            (
                "{\"library\": \"afnetworking\", \"certificates\": \"none\"}",
                "policy, /certificates: there is no folder \"none\""
            ),
            (
                "{\"library\": \"alamofire\", \"policies\": {}, \"evaluators\": {}}",
                """
                policy, /policies: policies are Alamofire 4's and evaluators Alamofire 5's; keep those of the release
                """
            ),
            (
                "{\"library\": \"alamofire\", \"evaluators\": {\"a.test\": \"DefaultEvaluator\"}}",
                "policy, /evaluators/a.test: there is no \"DefaultEvaluator\"; did you mean DefaultTrustEvaluator?"
            ),
            (
                "{\"library\": \"alamofire\", \"evaluators\": {\"a.test\": \"PublicKeysTrustEvaluator\"}}",
                """
                policy, /evaluators/a.test/PublicKeysTrustEvaluator: certificates is missing; name the folder with the \
                certificates' files
                """
            ),
            ("{\"library\": \"okhttp\"}", "policy: pins is missing; it is an object of patterns with arrays of pins"),
            (
                "{\"library\": \"urllib3\", \"assert_fingerprint\": \"01:02\"}",
                """
                policy, /assert_fingerprint: 01:02 is no fingerprint by MD5, SHA-1 or SHA-256; write 32, 40 or 64 \
                hexadecimal digits, with colons or without
                """
            ),
            (
                "{\"library\": \"urllib3\", \"cert_reqs\": \"NONE\"}",
                "policy, /cert_reqs: there is no \"NONE\"; it is CERT_NONE, CERT_OPTIONAL or CERT_REQUIRED"
            ),
        ]
        for (text, expected) in cases { #expect(complaint(text) == expected) }
    }
}
