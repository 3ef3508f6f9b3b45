public import Transcript
import Wire

/// What was expected of an experiment and what came of it, as the XML that CI systems read as JUnit's.
///
/// A test case for each expectation; without any, one for each finding. What was not decided is never a pass: it is an
/// error where something was expected, and skipped where nothing was.
public struct FindingsJUnit: Sendable {
    /// Creates a report; it keeps nothing.
    public init() {}

    /// The document.
    ///
    /// - Parameters:
    ///   - findings: The findings.
    ///   - outcomes: What came of what was expected; nil if nothing was.
    ///   - problem: Why the whole proves nothing; nil if it may.
    ///   - label: The name that the user gave the experiment.
    ///   - digest: The closing digest of the transcript that holds it; nil without one.
    /// - Returns: The text.
    public func text(
        for findings: [Finding], outcomes: [Expectations.Outcome]?, problem: String?, label: String? = nil,
        digest: String? = nil
    ) -> String {
        var cases = outcomes.map { $0.map(testCase) } ?? findings.map(testCase)
        if let problem { cases.append(Case(name: "experiment", stack: nil, kind: .error, message: problem, text: "")) }
        let counts = [Case.Kind.failure, .error, .skipped].map { kind in cases.count { $0.kind == kind } }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="\(name(label))" tests="\(cases.count)" failures="\(counts[0])" errors="\(counts[1])" \
            skipped="\(counts[2])">

            """ + (digest.map(Self.properties) ?? "") + cases.map(\.xml).joined() + "</testsuite>\n"
    }

    private static func properties(_ digest: String) -> String {
        """
          <properties><property name="pinproof.transcript.digest" value="\(digest.xmlEscaped)"/></properties>

        """
    }

    private func name(_ label: String?) -> String {
        label.map { "pinproof: \($0)".xmlEscaped } ?? "pinproof run"
    }

    private func testCase(_ outcome: Expectations.Outcome) -> Case {
        let name = outcome.finding?.unit.host.text ?? outcome.pattern?.description ?? "-"
        let found = outcome.finding.map { $0.conclusion.label.joined(separator: ": ") } ?? "never asked for"
        let kind: Case.Kind? =
            switch outcome.result {
            case .asExpected: nil
            case .differs: .failure
            case .undecided: .error
            }
        return Case(
            name: "\(name) is \(outcome.expected.rawValue)", stack: outcome.finding?.unit.stack, kind: kind,
            message: "found \(found)", text: outcome.finding?.sentence ?? "")
    }

    private func testCase(_ finding: Finding) -> Case {
        let kind: Case.Kind? =
            switch finding.conclusion {
            case .pinned, .notPinned, .brokenValidation: nil
            case .inconclusive, .notExercised: .skipped
            }
        return Case(
            name: finding.unit.host.text, stack: finding.unit.stack, kind: kind,
            message: finding.conclusion.label.joined(separator: ": "), text: finding.sentence)
    }
}

/// A test case.
private struct Case {
    /// What is wrong with it.
    enum Kind: String {
        case failure, error, skipped
    }

    let name: String
    let stack: String?
    let kind: Kind?
    let message: String
    let text: String

    var xml: String {
        let open = "  <testcase classname=\"\((stack ?? "-").xmlEscaped)\" name=\"\(name.xmlEscaped)\">\n"
        let state = kind.map { "    <\($0.rawValue) message=\"\(message.xmlEscaped)\"/>\n" } ?? ""
        let said = text.isEmpty ? "" : "    <system-out>\(text.xmlEscaped)</system-out>\n"
        return open + state + said + "  </testcase>\n"
    }
}

extension String {
    /// The text as XML has it; what XML 1.0 cannot hold (section 2.2) becomes U+FFFD.
    fileprivate var xmlEscaped: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
