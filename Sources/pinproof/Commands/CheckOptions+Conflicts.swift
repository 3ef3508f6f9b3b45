internal import PinClient
internal import Pinning

extension CheckOptions {
    /// Refuses options that contradict each other, or say nothing beside the others.
    func checkTogether() throws(CommandError) {
        guard !listsPolicies else {
            guard url == nil, tutorial == nil else {
                throw CommandError(
                    "--list-policies checks nothing", mend: "leave \(url == nil ? "--policy" : "--url") out")
            }
            return
        }
        guard let url else {
            throw CommandError("missing option", at: "--url", mend: "name what to fetch: --url https://HOST/")
        }
        guard url.scheme == .https || tutorial?.hasPlainBranch == true else {
            throw CommandError(
                "not an https URL", at: "--url: \(url)",
                mend: CheckURLError.notHTTPS(scheme: url.scheme.rawValue).description)
        }
        if let tutorial {
            try check(beside: tutorial)
        } else {
            try checkWithoutTutorial()
        }
    }

    /// A tutorial's code is what it is: it sets what the options of the other policy set.
    private func check(beside tutorial: Tutorial) throws(CommandError) {
        let contradictions = [
            ("af-mode", mode != nil), ("allow-invalid", allowsInvalidCertificates),
            ("no-validate-domain", !validatesDomainName),
        ]
        for (name, isGiven) in contradictions where isGiven {
            throw CommandError("--\(name) contradicts --policy", mend: "\(tutorial.name) sets that itself")
        }
        let superfluous = [
            ("pin", !pins.isEmpty && tutorial.pinUse == .none, "pins nothing"),
            ("policy-host", !tutorialHosts.isEmpty && !tutorial.usesHostList, "has no list of hosts"),
            ("policy-password", tutorialPassword != nil && tutorial.identity == nil, "has no client identity"),
        ]
        for (name, isGiven, reason) in superfluous where isGiven {
            throw CommandError("--\(name) says nothing in \(tutorial.name), which \(reason)", mend: "leave it out")
        }
    }

    private func checkWithoutTutorial() throws(CommandError) {
        for (name, isGiven) in [("policy-host", !tutorialHosts.isEmpty), ("policy-password", tutorialPassword != nil)]
        where isGiven {
            throw CommandError("--\(name) needs --policy", mend: "'pinproof check --list-policies' lists them")
        }
        guard pins.isEmpty || (mode ?? PinningMode.none) != PinningMode.none else {
            throw CommandError(
                "--pin says nothing in mode none", mend: "add --af-mode certificate or --af-mode publickey")
        }
    }
}

extension ValueFormat<Tutorial> {
    /// The name of a tutorial's policy.
    static var tutorial: ValueFormat {
        ValueFormat(
            placeholder: "POLICY",
            parse: { (text) throws(ValueError) in
                guard let tutorial = Tutorial.named(text) else {
                    let nearest = NearestName.of(text, among: Tutorial.all.map(\.name))
                    throw ValueError(
                        what: "not a policy",
                        remedy: nearest.map { "did you mean \($0)?" } ?? "'pinproof check --list-policies' lists them")
                }
                return tutorial
            },
            describe: { $0.name })
    }
}
