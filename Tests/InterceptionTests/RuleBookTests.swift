import Interception
import Testing
import Transcript
import Wire

@Suite struct RuleBookTests {
    private func decide(_ rules: [(String, Decision)], _ target: String) throws -> Decision {
        let book = RuleBook(try rules.map { Rule(try #require(HostPattern($0.0)), $0.1) })
        return book.decide(try #require(Endpoint(target))).decision
    }

    @Test func everyHostIsInterceptedUnlessARuleSaysOtherwise() throws {
        #expect(try decide([], "api.example.com:443") == .intercept)
        #expect(try decide([("example.com", .refuse)], "api.example.com:443") == .intercept)
    }

    @Test func theMostSpecificRuleDecidesWhateverTheOrder() throws {
        let rules: [(String, Decision)] = [
            ("api.example.com", .intercept), ("*", .refuse), ("*.example.com", .tunnel),
            ("www.example.com:8443", .refuse),
        ]
        for rules in [rules, rules.reversed()] {
            #expect(try decide(rules, "api.example.com:443") == .intercept)
            #expect(try decide(rules, "cdn.example.com:443") == .tunnel)
            #expect(try decide(rules, "www.example.com:443") == .tunnel)
            #expect(try decide(rules, "www.example.com:8443") == .refuse)
            #expect(try decide(rules, "example.com:443") == .refuse)
        }
    }

    @Test func ofEqualRulesTheLastDecides() throws {
        #expect(try decide([("a.test", .refuse), ("a.test", .tunnel)], "a.test:443") == .tunnel)
        #expect(try decide([("a.test", .tunnel), ("a.test", .refuse)], "a.test:443") == .refuse)
    }

    @Test func theRuleThatDecidedIsWrittenAsAnOption() throws {
        let book = RuleBook([Rule(try #require(HostPattern("*.Example.com")), .tunnel)])
        let decided = book.decide(try #require(Endpoint("a.example.com:443")))
        #expect(decided.rule?.description == "--tunnel *.example.com")
    }
}
