import Foundation
import PinClient
import Pinning
import PolicyFiles
import Testing
import Wire

@testable import pinproof

/// `pinproof check --policy`: its options, and the list of policies.
@Suite struct PolicyOptionsTests {
    private func complaint(_ arguments: String...) -> String? {
        do throws(CommandError) {
            _ = try CheckCommand.options(from: arguments)
            return nil
        } catch {
            return error.description
        }
    }

    private func options(_ arguments: String...) throws -> CheckOptions {
        guard case .values(let options) = try CheckCommand.options(from: arguments) else {
            throw CommandError("help")
        }
        return options
    }

    @Test func `every policy is taken by its name`() throws {
        for tutorial in Tutorial.all {
            #expect(try options("--url", "https://a.test/", "--policy", tutorial.name).tutorial == tutorial)
        }
    }

    @Test func `all options of a policy`() throws {
        let given = try options(
            "--url", "https://a.test/", "--policy", "tutorial-004-one-cert", "--policy-host", "a.test",
            "--policy-host", "192.0.2.1", "--policy-password", "empty")
        #expect(given.tutorialHosts.map(\.text) == ["a.test", "192.0.2.1"])
        #expect(given.tutorialPassword == .empty)
        #expect(!given.listsPolicies)
    }

    @Test func `http is for policies that have something to say of it`() throws {
        #expect(try options("--url", "http://a.test/", "--policy", "tutorial-002").url?.scheme == .http)
        #expect(
            complaint("--url", "http://a.test/", "--policy", "tutorial-000b")
                == "pinproof: not an https URL: --url: http://a.test/; "
                + "the scheme is http: only https has a certificate to check")
    }

    @Test func `the list needs no URL`() throws {
        #expect(try options("--list-policies").listsPolicies)
        #expect(try options("--list-policies", "--json").json)
        #expect(
            complaint("--list-policies", "--url", "https://a.test/")
                == "pinproof: --list-policies checks nothing; leave --url out")
        #expect(
            complaint("--list-policies", "--policy", "tutorial-002")
                == "pinproof: --list-policies checks nothing; leave --policy out")
    }

    @Test(arguments: [
        (
            ["--policy", "tutorial-00b"],
            "not a policy: --policy: tutorial-00b; did you mean tutorial-000b?"
        ),
        (
            ["--policy", "strict"],
            "not a policy: --policy: strict; 'pinproof check --list-policies' lists them"
        ),
        (
            ["--policy", "tutorial-000b", "--af-mode", "none"],
            "--af-mode contradicts --policy; tutorial-000b sets that itself"
        ),
        (
            ["--policy", "tutorial-000b", "--allow-invalid"],
            "--allow-invalid contradicts --policy; tutorial-000b sets that itself"
        ),
        (
            ["--policy", "tutorial-000b", "--no-validate-domain"],
            "--no-validate-domain contradicts --policy; tutorial-000b sets that itself"
        ),
        (
            ["--policy", "tutorial-000a", "--pin", "a.cer"],
            "--pin says nothing in tutorial-000a, which pins nothing; leave it out"
        ),
        (
            ["--policy", "tutorial-004-one-cert", "--pin", "a.cer"],
            "--pin says nothing in tutorial-004-one-cert, which pins nothing; leave it out"
        ),
        (
            ["--policy", "tutorial-004-two-certs", "--policy-host", "a.test"],
            "--policy-host says nothing in tutorial-004-two-certs, which has no list of hosts; leave it out"
        ),
        (
            ["--policy", "tutorial-003-session", "--policy-password", "wrong"],
            "--policy-password says nothing in tutorial-003-session, which has no client identity; leave it out"
        ),
        (
            ["--policy", "tutorial-000c", "--policy-password", "123456"],
            "not one of the choices: --policy-password: 123456; use right, wrong, empty"
        ),
        (
            ["--policy-host", "a.test"],
            "--policy-host needs --policy; 'pinproof check --list-policies' lists them"
        ),
        (
            ["--policy-password", "wrong"],
            "--policy-password needs --policy; 'pinproof check --list-policies' lists them"
        ),
        (
            ["--pin", "a.cer"],
            "--pin says nothing in mode none; add --af-mode certificate or --af-mode publickey"
        ),
    ])
    func complains(arguments: [String], expected: String) {
        do throws(CommandError) {
            _ = try CheckCommand.options(from: ["--url", "https://a.test/"] + arguments)
            Issue.record("\(arguments) was taken")
        } catch {
            #expect(error.description == "pinproof: \(expected)")
        }
    }

    @Test func `pins that are never looked at are taken, as the tutorials' authors did`() throws {
        for name in ["tutorial-001-2x", "tutorial-001-2x-dead-policy", "tutorial-002-overtaken"] {
            #expect(try options("--url", "https://a.test/", "--policy", name, "--pin", "a.cer").pins == ["a.cer"])
        }
    }

    @Test func `the list as users read it`() throws {
        #expect(PolicyList.text == (try Repository.golden("check-policies")))
        for line in PolicyList.text.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
    }

    @Test func `the list as JSON`() throws {
        let rows = try #require(
            JSONSerialization.jsonObject(with: Data(PolicyList.json())) as? [[String: Any]])
        #expect(rows.compactMap { $0["name"] as? String } == Tutorial.all.map(\.name))
        let last = try #require(rows.last)
        #expect(last["rule"] as? String == "PS-11-10")
        #expect(last["hosts"] as? [String] == ["192.168.1.112", "www.hangge.com"])
        #expect(last["pins"] as? String == "none")
        #expect(last["otherChallenges"] as? String == "cancel")
        #expect((last["identity"] as? [String: Any])?["given"] as? String == "whenAsked")
        #expect((last["identity"] as? [String: Any])?["leafOnly"] as? Bool == false)
        #expect((last["lesson"] as? String)?.hasPrefix("Wrong: ") == true)
        #expect(last["http"] as? Bool == false)
        #expect(last["notConfirmed"] == nil)
    }

    @Test func `a saved chain and a file with a policy`() throws {
        let given = try options(
            "policy.json", "--chain", "saved.pem", "--host", "API.example.com.", "--time", "2026-12-01", "--trust-kind",
            "user", "--user-trust", "user.pem", "--apple-epoch", "legacy", "--target-sdk", "23", "--debuggable",
            "--library-version", "3.13", "--as", "okhttp", "--platform", "ios")
        #expect(given.policyFile == "policy.json")
        #expect(given.host == "API.example.com.")
        // 2026-12-01 00:00 UTC.
        #expect(given.time == 1_796_083_200)
        #expect(given.trustKind == .user)
        #expect(given.epoch == .legacy)
        #expect(given.targetSDK == 23 && given.isDebuggable)
        #expect(given.libraryVersion == LibraryVersion(3, 13))
        #expect(given.format == .okHttp && given.platform == .ios)
        #expect(try options("--url", "https://a.test/").time == nil)
    }

    @Test(arguments: [
        ("2026-12-01T12:00:00Z", 1_796_126_400), ("2026-12-01T13:00:00+01:00", 1_796_126_400), ("0", 0),
    ])
    func `moments`(text: String, seconds: Int64) throws {
        #expect(try options("--chain", "c.pem", "--host", "a.test", "--time", text).time == seconds)
    }

    @Test(arguments: [
        "2026-12-01T", "2026-12-01T12:00:00", "2026-13-01", "2026-02-30", "2026-12-01T24:00:00Z", "yesterday", "-1", "",
    ])
    func `what is no moment`(text: String) {
        let complaint = complaint("--chain", "c.pem", "--host", "a.test", "--time", text)
        #expect(complaint?.contains("not a moment: --time") == true, "\(complaint ?? "accepted")")
    }

    @Test(arguments: [
        (["policy.json"], "missing option: --url; name what to fetch: --url https://HOST/, or a saved --chain"),
        (["--chain", "c.pem"], "missing option: --host; say who sent the chain: --host NAME"),
        (
            ["--chain", "c.pem", "--host", "a.test", "--url", "https://a.test/"],
            "--url contradicts --chain; nothing is connected to"
        ),
        (
            ["--chain", "c.pem", "--host", "a.test", "--intercept"],
            "--intercept contradicts --chain; nothing is connected to"
        ),
        (["--url", "https://a.test/", "--host", "a.test"], "--host needs --chain; with --url the URL says it"),
        (
            ["--url", "https://a.test/", "--intercept", "--proxy", "127.0.0.1:8080"],
            "--intercept contradicts --proxy; leave one of them out"
        ),
        (["--url", "https://a.test/", "--as", "okhttp"], "--as needs POLICY; name the policy's file"),
        (
            ["p.json", "--url", "https://a.test/", "--pin", "leaf.cer"],
            "--pin contradicts POLICY; p.json says it itself"
        ),
        (
            ["p.json", "--url", "https://a.test/", "--policy", "tutorial-002"],
            "--policy contradicts POLICY; leave one of them out"
        ),
        (
            ["--url", "https://a.test/", "--policy", "tutorial-002", "--library-version", "3"],
            "--library-version contradicts --policy; tutorial-002 sets that itself"
        ),
        (["--list-policies", "p.json"], "--list-policies checks nothing; leave POLICY out"),
        (
            ["--url", "https://a.test/", "--library-version", "v3"],
            "not a release: --library-version: v3; write one to three numbers, such as 3.2.1"
        ),
    ])
    func `what contradicts itself`(arguments: [String], text: String) {
        do throws(CommandError) {
            _ = try CheckCommand.options(from: arguments)
            Issue.record("accepted")
        } catch {
            #expect(error.description == "pinproof: \(text)")
        }
    }

    @Test func `http will do where a platform has something to say of it`() throws {
        #expect(try options("nsc.xml", "--url", "http://a.test/").url?.scheme == .http)
        #expect(complaint("--url", "http://a.test/") != nil)
    }
}
