internal import Authority
internal import Crypto
internal import Glibc

extension CaIssueCommand {
    static func run(_ options: CaIssueOptions) throws -> ExitCode {
        let now = Int64(time(nil))
        let password = try options.password?.read() ?? []
        try PasswordSource.warn(about: password)
        let base = options.effectiveBase
        try IssuedCertificate.requireAbsent(in: options.out, base: base)
        let issued = try issue(options, now: now)
        let files = try issued.write(to: options.out, base: base, password: password)
        let report = IssueReport(
            issued: issued, files: files, hasEmptyPassword: password.isEmpty, order: options.order, now: now)
        try StandardStream.output.write(options.json ? report.json : [UInt8](report.text.utf8))
        return .asExpected
    }

    private static func issue(_ options: CaIssueOptions, now: Int64) throws -> IssuedCertificate {
        if options.isRoot { return try CertificateAuthority.issueRoot(options.order, now: now) }
        let (authority, warnings) = try CertificateAuthority.load(
            authority: options.authority, key: options.authorityKey, state: options.state, now: now)
        let (issued, others) = try authority.issue(options.order, now: now)
        for warning in warnings + others { try StandardStream.error.write("pinproof: warning: \(warning)\n") }
        return issued
    }
}

extension CaIssueOptions {
    /// What is asked of the CA.
    var order: CertificateOrder {
        let subject: CertificateOrder.Subject =
            if isRoot { .root } else if let client { .client(client) } else { .server(servers) }
        return CertificateOrder(subject, name: self.subject, days: days, key: key)
    }

    /// What the files' names begin with.
    var effectiveBase: String { base ?? (isRoot ? "root" : (client ?? servers.first?.text ?? "").asFileName) }
}

extension String {
    /// The text with "_" for all that does not belong into the name of a file: "*.example.com" is "_.example.com".
    fileprivate var asFileName: String {
        let name = prefix(100).map { character in
            character.isASCII && (character.isLetter || character.isNumber || "._-@".contains(character))
                ? character : "_"
        }
        return name.first.map { "-.".contains($0) } == true ? "_" + String(name.dropFirst()) : String(name)
    }
}

extension CertificateAuthority {
    /// Loads the CA that `--ca` and `--ca-key` name, or the one in the state folder.
    static func load(
        authority: String?, key: String?, state: String?, now: Int64
    ) throws -> (authority: CertificateAuthority, warnings: [String]) {
        if let authority, let key { return try load(certificateFile: authority, keyFile: key, now: now) }
        let folder = try StateFolder(state)
        try folder.expectAuthority()
        return try load(certificateFile: folder.certificate, keyFile: folder.key, now: now)
    }
}
