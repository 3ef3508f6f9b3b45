internal import Authority
internal import Crypto
internal import Engine
internal import Foundation
internal import PinClient
internal import Pinning
internal import PolicyFiles
internal import Reactor
internal import Wire

extension CheckCommand {
    /// Performs the check and prints what it showed.
    static func run(_ options: CheckOptions) async throws -> ExitCode {
        guard !options.listsPolicies else {
            try StandardStream.output.write(options.json ? try PolicyList.json() : Array(PolicyList.text.utf8))
            return .asExpected
        }
        let report: CheckReport
        do {
            report = try await perform(options)
        } catch let error as PolicyFileError {
            // The library would not get over it either: that is a verdict.
            let output =
                options.json
                ? try CheckReport.json(of: error, expected: options.expected) : Array(CheckReport.text(of: error).utf8)
            try StandardStream.output.write(output)
            guard let expected = options.expected else { return .usage }
            return expected == .configError ? .asExpected : .finding
        }
        let output = options.json ? try report.json(expected: options.expected) : Array(report.text.utf8)
        try StandardStream.output.write(output)
        return report.exitCode(expected: options.expected)
    }

    private static func perform(_ options: CheckOptions) async throws -> CheckReport {
        let now = options.time ?? Int64(Date.now.timeIntervalSince1970)
        let interception = options.intercepts ? try CheckInterception() : nil
        let platform = try CheckPlatform(options, trusting: interception?.authority.certificate, time: now)
        let subject = try CheckSubject(options, platform)
        let judge = subject.judge(on: platform)
        if let chain = options.chain, let spelling = options.host {
            let sent = try CertificateFile.read(chain)
            let server = ServerTrust(
                sent: sent.map(CertificateFacts.init), host: HostName(spelling), spelling: spelling, time: now,
                userAnchors: platform.userAnchors)
            return CheckReport(
                subject: subject, target: .chain(file: chain, host: spelling, time: now, sent: sent),
                result: judge.judgeOffline(server))
        }
        guard let url = options.url else { preconditionFailure("the table asks for a URL") }
        var check = Check(url: url, judge: judge, time: now)
        check.userAnchors = platform.userAnchors
        check.identityConduct = subject.tutorial?.identityConduct ?? .whenAsked(leafOnly: false)
        if var location = options.identity {
            location.allowsWeak = options.allowsWeakIdentity
            let source = try IdentitySource(location, readingPasswordFrom: options.identityPassword)
            check.identity = try source.current().identity
        }
        check.limits = CheckLimits(each: options.timeout)
        var overrides = ResolveOverrides()
        for override in options.resolve { overrides.add(override) }
        let proxy = try interception?.start(trusting: platform.originTrust, overrides)
        check.proxy = proxy.map { Endpoint(host: $0.address.host, port: $0.address.port) } ?? options.proxy
        if proxy == nil {
            let table = overrides
            check.override = { table.address(for: $0) }
        }
        var redirects = subject.redirects
        if let limit = options.maxRedirects { redirects.limit = limit }

        let loop = try EventLoop.onOwnThread(name: "client")
        defer {
            loop.stop()
            loop.join()
        }
        let journey = try await check.journey(redirects, on: loop)
        try proxy?.drain()
        let route: CheckReport.Route =
            proxy == nil ? options.proxy.map { .proxy($0) } ?? .direct : .interception
        return CheckReport(
            subject: subject, target: .url(url, route, journey, check.identityConduct), result: journey.result)
    }
}
