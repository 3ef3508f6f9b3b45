internal import PinClient
internal import Pinning

extension CheckOptions {
    /// Refuses options that contradict each other, or say nothing beside the others.
    func checkTogether() throws(CommandError) {
        guard !listsPolicies else {
            guard url == nil, tutorial == nil, policyFile == nil else {
                let superfluous = url != nil ? "--url" : tutorial != nil ? "--policy" : "POLICY"
                throw CommandError("--list-policies checks nothing", mend: "leave \(superfluous) out")
            }
            return
        }
        try checkPolicy()
        if chain != nil {
            try checkBesideChain()
        } else {
            try checkTarget()
        }
    }

    private func checkPolicy() throws(CommandError) {
        if let policyFile {
            try refuse("contradicts POLICY", "\(policyFile) says it itself", securityPolicyOptions)
            try refuse("contradicts POLICY", "leave one of them out", [("policy", tutorial != nil)])
        } else {
            try refuse("needs POLICY", "name the policy's file", [("as", format != nil)])
        }
        if let tutorial {
            try check(beside: tutorial)
        } else {
            let options = [("policy-host", !tutorialHosts.isEmpty), ("policy-password", tutorialPassword != nil)]
            try refuse("needs --policy", "'pinproof check --list-policies' lists them", options)
            guard policyFile != nil || pins.isEmpty || (mode ?? PinningMode.none) != PinningMode.none else {
                throw CommandError(
                    "--pin says nothing in mode none", mend: "add --af-mode certificate or --af-mode publickey")
            }
        }
    }

    /// The options that say what `AFSecurityPolicy` is.
    private var securityPolicyOptions: [(name: String, isGiven: Bool)] {
        [
            ("af-mode", mode != nil), ("pin", !pins.isEmpty), ("allow-invalid", allowsInvalidCertificates),
            ("no-validate-domain", !validatesDomainName),
        ]
    }

    /// A tutorial's code is what it is: it sets what the options of the other policy set.
    private func check(beside tutorial: Tutorial) throws(CommandError) {
        try refuse(
            "contradicts --policy", "\(tutorial.name) sets that itself",
            securityPolicyOptions.filter { $0.name != "pin" } + [("library-version", libraryVersion != nil)])
        let superfluous = [
            ("pin", !pins.isEmpty && tutorial.pinUse == .none, "pins nothing"),
            ("policy-host", !tutorialHosts.isEmpty && !tutorial.usesHostList, "has no list of hosts"),
            ("policy-password", tutorialPassword != nil && tutorial.identity == nil, "has no client identity"),
        ]
        for (name, isGiven, reason) in superfluous where isGiven {
            throw CommandError("--\(name) says nothing in \(tutorial.name), which \(reason)", mend: "leave it out")
        }
    }

    /// A saved chain is judged without any connection.
    private func checkBesideChain() throws(CommandError) {
        guard host != nil else {
            throw CommandError("missing option", at: "--host", mend: "say who sent the chain: --host NAME")
        }
        try refuse(
            "contradicts --chain", "nothing is connected to",
            [
                ("url", url != nil), ("proxy", proxy != nil), ("intercept", intercepts), ("resolve", !resolve.isEmpty),
                ("max-redirects", maxRedirects != nil), ("identity", identity != nil),
            ])
    }

    private func checkTarget() throws(CommandError) {
        try refuse("needs --chain", "with --url the URL says it", [("host", host != nil)])
        guard let url else {
            throw CommandError(
                "missing option", at: "--url", mend: "name what to fetch: --url https://HOST/, or a saved --chain")
        }
        try refuse("contradicts --proxy", "leave one of them out", [("intercept", intercepts && proxy != nil)])
        guard url.scheme == .https || policyFile != nil || tutorial?.hasPlainBranch == true else {
            throw CommandError(
                "not an https URL", at: "--url: \(url)",
                mend: CheckURLError.notHTTPS(scheme: url.scheme.rawValue).description)
        }
    }

    private func refuse(
        _ fault: String, _ remedy: String, _ options: [(name: String, isGiven: Bool)]
    ) throws(CommandError) {
        for (name, isGiven) in options where isGiven { throw CommandError("--\(name) \(fault)", mend: remedy) }
    }
}
