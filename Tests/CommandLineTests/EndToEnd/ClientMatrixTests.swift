import Foundation
import Testing

extension EndToEnd {
    /// What every client at hand says of a forged certificate: with our CA it takes it, without it does not.
    @Suite struct ClientMatrixTests {
        /// What may matter to a verifier.
        enum Forgery: String, CaseIterable {
            /// A root that signs leaves.
            case root
            /// An intermediate that signs them, for a client that knows the root only (C33).
            case intermediate
            /// A host that does not fit a common name, so that the leaf has no subject (C61).
            case longName
        }

        private let stage: Stage

        init() throws { stage = try EndToEnd.stage }

        @Test(.needs(.curl), arguments: Forgery.allCases)
        func `C32, C33, C61: curl`(forgery: Forgery) async throws { try await judge(.curl, forgery) }

        @Test(.needs(.wget), arguments: Forgery.allCases)
        func `C32, C33, C61: wget`(forgery: Forgery) async throws { try await judge(.wget, forgery) }

        @Test(.needs(.python), arguments: Forgery.allCases)
        func `C32, C33, C61: Python`(forgery: Forgery) async throws { try await judge(.python, forgery) }

        @Test(.needs(.python), arguments: Forgery.allCases)
        func `C32, C33, C61: Python with VERIFY_X509_STRICT`(forgery: Forgery) async throws {
            try await judge(.strictPython, forgery)
        }

        @Test(.needs(.node), arguments: Forgery.allCases)
        func `C32, C33, C61: Node`(forgery: Forgery) async throws { try await judge(.node, forgery) }

        @Test(.needs(.javac), arguments: Forgery.allCases)
        func `C32, C33, C61: Java`(forgery: Forgery) async throws { try await judge(.java, forgery) }

        @Test(.needs(.go), arguments: Forgery.allCases)
        func `C32, C33, C61: Go`(forgery: Forgery) async throws { try await judge(.go, forgery) }

        @Test(.needs(.gnutls), arguments: Forgery.allCases)
        func `C32, C33, C61: GnuTLS`(forgery: Forgery) async throws { try await judge(.gnutls, forgery) }

        @Test(.needs(.openssl), arguments: Forgery.allCases)
        func `C32, C33, C61: openssl verify -x509_strict`(forgery: Forgery) async throws {
            try await judge(.opensslVerify, forgery)
        }

        @Test(.needs(.chromium), .needs(.certutil), arguments: Forgery.allCases)
        func `C32, C33, C61: Chromium`(forgery: Forgery) async throws { try await judge(.chromium, forgery) }

        /// What was recorded of a handshake that was finished and of one that was refused proves itself.
        private func expectProof(_ transcript: String) throws {
            let proof = try TranscriptProof(of: transcript)
            // Both sides of the finished one; of the refused one the proxy's signature, and the records.
            proof.expect("serverSignature", "serverFinished", "plainRecords", "sealedRecords", "verdict", proven: 2)
            proof.expect("clientFinished", "chainSignatures", "authority", "lines", "completeness", proven: 1)
        }

        private func judge(_ client: VerifyingClient, _ forgery: Forgery) async throws {
            let folder = try TemporaryFolder()
            var (options, authority): ([String], String) = ([], stage.proxyCA)
            if forgery == .intermediate {
                let state = folder.path("state")
                authority = folder.path("root.pem")
                let made = try Executable.run("ca", "init", "--state", state, "--intermediate")
                try #require(made.code == 0, "\(made.error)")
                try #require(try Executable.run("ca", "export", "--state", state, "--out", authority).code == 0)
                options = ["--state", state]
            }
            let host =
                forgery == .longName
                ? String(repeating: "long-", count: 11) + "name.\(Stage.domain)" : try stage.newHost()
            // Browsers have hosts of their own to call; the proxy reaches none of them.
            let proxy = try await stage.startProxy(
                resolving: [host],
                options + ["--refuse", "*", "--intercept", host, "--transcript", folder.path("run.jsonl")])

            let page = #""serverName":"\#(host)""#
            let accepted = try await client.fetch(host, through: proxy.port, trusting: authority)
            #expect(accepted.contains(client == .opensslVerify ? ": OK\n" : page), "\(accepted)")
            #expect(!accepted.contains(client.complaint), "\(accepted)")

            let refused = try await client.fetch(host, through: proxy.port, trusting: stage.publicCA)
            #expect(refused.contains(client.complaint), "\(refused)")
            #expect(!refused.contains(client == .opensslVerify ? ": OK\n" : page), "\(refused)")
            try await proxy.stop()
            try expectProof(folder.path("run.jsonl"))
        }
    }
}
