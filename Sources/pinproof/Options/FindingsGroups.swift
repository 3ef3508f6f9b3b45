/// Rows that commands which come to findings share.
extension OptionTable.Group where Values: FindingsValues {
    /// What is expected, and of which hosts.
    static var expectations: Self {
        .init(
            "Expectations",
            [
                .value(
                    "expect", .path("FILE"), \.findings.expectations,
                    "Compare with FILE: lines of 'pinned', 'unpinned', 'tunnelled' or 'refused' and a PATTERN"),
                .value("default", .word, \.findings.fallback, "Expect this of hosts that no line names"),
                .repeated(
                    "only", .pattern, \.findings.only,
                    "Report these hosts alone; others still show what the client trusts"),
            ])
    }
}

extension Option where Values: FindingsValues {
    /// `--json FILE`: the findings for programs.
    static var findingsJSON: Option {
        .value("json", .path("FILE"), \.findings.json, "Write the findings as JSON Lines; '-' for standard output")
    }

    /// `--label NAME`: what the experiment is called.
    static var label: Option {
        .value("label", .name, \.findings.label, "Call it NAME in the transcript and the findings, such as a build")
    }

    /// `--junit FILE`: the findings for CI.
    static var findingsJUnit: Option {
        .value(
            "junit", .path("FILE"), \.findings.junit,
            "Write the findings as JUnit's XML, for CI; '-' for standard output")
    }
}

extension ValueFormat<String> {
    /// What something is called, for people.
    fileprivate static var name: ValueFormat {
        ValueFormat(
            placeholder: "NAME",
            parse: { (text) throws(ValueError) in
                guard text.contains(where: { !$0.isWhitespace }), text.utf8.count <= 200 else {
                    throw ValueError(what: "not a name", remedy: "use up to 200 octets of text")
                }
                return text
            })
    }
}
