import Interception
import Testing
import Wire

@testable import pinproof

/// `--scenario [PATTERN=]NAME` of `pinproof proxy`.
@Suite struct ScenarioOptionTests {
    private func scenarios(_ arguments: String...) throws -> [HostValue<Scenario>] {
        guard case .values(let options) = try ProxyCommand.options(from: arguments) else { return [] }
        return options.scenarios
    }

    private func complaint(_ value: String) -> String? {
        do throws(CommandError) {
            _ = try ProxyCommand.options(from: ["--scenario", value])
            return nil
        } catch {
            return error.description
        }
    }

    private func value(_ pattern: String, _ scenario: Scenario) throws -> HostValue<Scenario> {
        HostValue(pattern: try #require(HostPattern(pattern)), value: scenario)
    }

    @Test("C53: for some hosts, or for all without a pattern")
    func patterns() throws {
        #expect(
            try scenarios("--scenario", "mirror", "--scenario", "*.a.test:8443=trusted", "--scenario", "b.test=mirror")
                == [value("*", .mirror), value("*.a.test:8443", .trusted), value("b.test", .mirror)])
        #expect(try scenarios() == [])
    }

    @Test("C53: what is no scenario is told with the nearest and with all")
    func unknown() {
        #expect(
            complaint("miror")
                == "pinproof: not a scenario: --scenario: miror; did you mean mirror? the scenarios are trusted, mirror"
        )
        #expect(
            complaint("a.test=everything")
                == "pinproof: not a scenario: --scenario: a.test=everything; the scenarios are trusted, mirror")
        #expect(complaint("Mirror")?.contains("did you mean mirror?") == true)
    }

    @Test("C53: a pattern without a scenario, a scenario without a pattern, and no pattern at all")
    func malformed() {
        #expect(complaint("a.test=")?.hasPrefix("pinproof: no value for a host: --scenario: a.test=; ") == true)
        #expect(complaint("=mirror")?.hasPrefix("pinproof: no host before the value: --scenario: =mirror; ") == true)
        #expect(complaint("a b=mirror")?.hasPrefix("pinproof: not a host pattern: --scenario: a b=mirror; ") == true)
        #expect(complaint("")?.hasPrefix("pinproof: ") == true)
    }
}
