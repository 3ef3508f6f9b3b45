internal import Crypto

extension FuzzTarget {
    /// `IdentityReader`, with the password "secret" for those who ask.
    static let identity = FuzzTarget("identity") { contents throws(BrokenProperty) in
        var limits = IdentityLimits()
        // Work that one input may cause without taking the time from others.
        limits.rounds = 5000
        limits.parts = 100
        limits.keys = 8
        var questions = 0
        let result = Result {
            try IdentityReader.read([contents], at: 1_796_000_000, allowsWeakKeys: true, limits: limits) {
                questions += 1
                return Array("secret".utf8)
            }
        }
        try require(questions <= 1, "the password is asked for once")
        switch result {
        case .failure(let error):
            guard let error = error as? IdentityError else {
                throw BrokenProperty(description: "reading fails with \(error)")
            }
            try require(isPrintable(error.description), "errors are one printable line: \(error)")
        case .success(let contents):
            try require(!contents.candidates.isEmpty, "there is an identity or an error")
            for candidate in contents.candidates { try check(candidate, of: contents) }
            try require(contents.warnings.map(\.description).allSatisfy(isPrintable), "warnings are one printable line")
        }
    }

    private static func check(
        _ candidate: IdentityCandidate, of contents: IdentityContents
    ) throws(BrokenProperty) {
        let chain = candidate.identity.chain
        try require(candidate.identity.key.belongs(to: chain[0]), "the key is the leaf's")
        for (certificate, issuer) in zip(chain, chain.dropFirst()) {
            try require(certificate.isIssued(by: issuer), "each certificate issued the one before")
            try require(!issuer.isSelfSigned, "the root is left out")
        }
        try require(
            (try? contents.select(candidate.fingerprint))?.fingerprint == candidate.fingerprint,
            "an identity answers to its fingerprint")
        try require(isPrintable(candidate.description), "descriptions are one printable line")
    }

    private static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
    }
}
