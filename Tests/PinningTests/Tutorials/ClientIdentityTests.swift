import Pinning
import Testing

/// The client's side of the tutorials, by hand from PS-11.
@Suite struct ClientIdentityTests {
    @Test(arguments: [
        // PS-11-1 (a) and (b) are one-way; (c) answers with the leaf only.
        ("tutorial-000a", IdentityConduct.never), ("tutorial-000b", .never),
        ("tutorial-000c", .whenAsked(leafOnly: true)), ("tutorial-000-script", .never),
        // PS-11-3: every challenge, the one about the server too.
        ("tutorial-001-2x", .always), ("tutorial-001-2x-dead-policy", .never),
        ("tutorial-001-3x", .whenAsked(leafOnly: true)), ("tutorial-001-oneway", .never),
        ("tutorial-002", .whenAsked(leafOnly: true)), ("tutorial-002-overtaken", .whenAsked(leafOnly: true)),
        ("tutorial-003-session", .never), ("tutorial-003-session-system", .never),
        ("tutorial-003-af253", .never), ("tutorial-003-af253-key", .never),
        // PS-11-9, PS-11-10: the chain from the file is sent too.
        ("tutorial-004-two-certs", .whenAsked(leafOnly: false)), ("tutorial-004-one-cert", .whenAsked(leafOnly: false)),
    ])
    func conduct(name: String, expected: IdentityConduct) throws {
        #expect(TutorialPolicy(try #require(Tutorial.named(name))).identityConduct == expected)
    }

    @Test(arguments: [
        // PS-11-1: client certificates only.
        ("tutorial-000c", OtherChallenges.platform),
        // PS-11-3, PS-11-4, PS-11-6: any other challenge gets the identity.
        ("tutorial-001-2x", .identity), ("tutorial-001-3x", .identity), ("tutorial-002", .identity),
        // PS-11-9, PS-11-10: other methods are cancelled.
        ("tutorial-004-two-certs", .cancel), ("tutorial-004-one-cert", .cancel),
    ])
    func otherChallenges(name: String, expected: OtherChallenges) throws {
        #expect(try #require(Tutorial.named(name)?.identity).otherChallenges == expected)
    }

    @Test(arguments: [
        // Only the file of PS-11-1 (c) has the empty text for its password.
        ("tutorial-000c", IdentityPassword.empty, true), ("tutorial-000c", .wrong, false),
        ("tutorial-001-3x", .empty, false), ("tutorial-001-3x", .wrong, false),
        ("tutorial-004-two-certs", .empty, false), ("tutorial-004-one-cert", .wrong, false),
        ("tutorial-001-2x", .empty, false), ("tutorial-001-2x", .wrong, false),
        ("tutorial-002", .right, true),
    ])
    func passwords(name: String, password: IdentityPassword, opens: Bool) throws {
        let tutorial = try #require(Tutorial.named(name))
        let conduct = TutorialPolicy(tutorial, password: password).identityConduct
        #expect(conduct == (opens ? tutorial.identity?.conduct : .never))
    }

    @Test(
        "PS-11-3: without an identity the challenge about the server is left to the platform",
        arguments: [IdentityPassword.wrong, .empty])
    func defaultHandling(password: IdentityPassword) throws {
        let policy = TutorialPolicy(try #require(Tutorial.named("tutorial-001-2x")), password: password)
        let verdict = policy.evaluate(TutorialScenario.genuine.server, using: TutorialScenario.platform)
        #expect(verdict.decision == .default)
        #expect(verdict.reason.kind == .identityUnavailable(file: "client.p12", password: password))
        #expect(verdict.reason.rule.description == "PS-11-3")
    }

    @Test("PS-11-3: without an identity nothing of its effect is in doubt")
    func unconfirmed() throws {
        let tutorial = try #require(Tutorial.named("tutorial-001-2x"))
        #expect(TutorialPolicy(tutorial).unconfirmed == tutorial.unconfirmed)
        #expect(TutorialPolicy(tutorial, password: .wrong).unconfirmed == nil)
        let session = try #require(Tutorial.named("tutorial-003-session"))
        #expect(TutorialPolicy(session).unconfirmed != nil, "the code is in doubt, not an identity")
    }

    @Test("PS-11-4: elsewhere the check of the server does not depend on the password")
    func serverCheckStays() throws {
        let scenario = TutorialScenario.genuine
        let policy = TutorialPolicy(
            try #require(Tutorial.named("tutorial-001-3x")),
            pins: [.init(name: "server.cer", certificate: scenario.pinnedLeaf)], password: .wrong)
        #expect(policy.evaluate(scenario.server, using: TutorialScenario.platform).decision == .accept)
    }
}
