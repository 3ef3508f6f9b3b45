internal import Authority
internal import Crypto
internal import Foundation
internal import PinClient
internal import Pinning
internal import Reactor
internal import Wire

/// One cell of the demo's table: what was expected and what happened.
struct DemoCell: Sendable {
    let client: DemoClient
    let route: DemoRoute
    let expected: DemoExpectation
    let actual: DemoObservation

    /// Whether the client decided as expected, and for the reason that was expected.
    var isAsExpected: Bool {
        guard let rule = actual.rule else { return false }
        return actual.outcome == expected.outcome && expected.rule.hasSuffix(rule)
    }
}

/// What a client did.
struct DemoObservation: Sendable {
    /// What it decided; nil if it came to no decision.
    var outcome: DemoOutcome?
    /// By which rule or exit code.
    var rule: String?
    /// Why, in one line.
    let why: String

    /// As the table has it.
    var text: String { [outcome?.rawValue ?? "no decision", rule].compactMap(\.self).joined(separator: ", ") }
}

/// Sends every client of the demo on every way.
struct DemoRun {
    private let stage: DemoStage
    private let curl: CurlClient?
    private let loop: EventLoop
    private let platform: PathBuilder
    private let libraries: DemoLibraries

    /// Prepares the clients.
    ///
    /// - Parameters:
    ///   - stage: What they talk to.
    ///   - folder: A private folder for what curl needs as a file.
    /// - Throws: What keeps the clients from being prepared.
    init(_ stage: DemoStage, folder: URL) throws {
        self.stage = stage
        let trusted = [stage.publicAuthority.certificate, stage.proxyAuthority.certificate]
        platform = PathBuilder(platform: try TrustStore(anchors: trusted))
        libraries = DemoLibraries(
            pinning: stage.leaf, on: DemoStage.endpoint.host, trusting: trusted, platform,
            now: Int64(Date.now.timeIntervalSince1970))
        let bundle = folder.appending(path: "trusted.pem")
        try Files.create(bundle.path, Array(trusted.map(\.pem).joined().utf8))
        curl = CurlClient(trust: bundle)
        loop = try EventLoop.onOwnThread(name: "client")
    }

    /// Runs all cells in the order of the table.
    func cells() async throws -> [DemoCell] {
        defer {
            loop.stop()
            loop.join()
        }
        var cells: [DemoCell] = []
        for client in DemoClient.allCases {
            for route in DemoRoute.allCases {
                let actual = try await visit(client, route)
                cells.append(DemoCell(client: client, route: route, expected: .of(client, route), actual: actual))
            }
        }
        return cells
    }

    private func visit(_ client: DemoClient, _ route: DemoRoute) async throws -> DemoObservation {
        switch client {
        case .curl: try await fetch(route, pin: nil)
        case .curlPinned: try await fetch(route, pin: stage.leaf)
        case .afNone: try await check(AFSecurityPolicy(), route)
        case .afLeaf: try await check(AFSecurityPolicy(mode: .certificate, pins: pins(stage.leaf)), route)
        case .afAuthority:
            try await check(AFSecurityPolicy(mode: .certificate, pins: pins(stage.publicAuthority.certificate)), route)
        case .afPublicKey: try await check(AFSecurityPolicy(mode: .publicKey, pins: pins(stage.leaf)), route)
        case .afAllowInvalid: try await check(AFSecurityPolicy(allowInvalidCertificates: true), route)
        case .afAllowAnything:
            try await check(AFSecurityPolicy(allowInvalidCertificates: true, validatesDomainName: false), route)
        case .afWrongPin: try await check(AFSecurityPolicy(mode: .publicKey, pins: pins(stage.stranger)), route)
        case .appRight, .appNone, .appStranger, .appSeen: try await identify(client, route)
        case .alamofire4, .alamofire5, .trustKit, .trustKitAndroid, .networkSecurityConfig, .pinnedDomains, .okHttp,
            .reactNative, .urllib3:
            try await visit(asLibraryOf: client, route)
        }
    }

    /// Goes to the origin with a library that pins it.
    private func visit(asLibraryOf client: DemoClient, _ route: DemoRoute) async throws -> DemoObservation {
        guard let judge = try libraries.judge(of: client) else { preconditionFailure("every library has its policy") }
        let result = try await visit(judge, route)
        var observation = observation(of: result)
        guard observation.outcome == .reject, let reason = result.verdict?.reason, let rule = observation.rule else {
            return observation
        }
        // Some libraries have one rule for both.
        if case .chainInvalid = reason.kind {
            observation.rule = "\(rule) chain"
        } else {
            observation.rule = "\(rule) pin"
        }
        return observation
    }

    /// Goes to the origin that wants a client certificate, with ordinary validation.
    private func identify(_ client: DemoClient, _ route: DemoRoute) async throws -> DemoObservation {
        guard let host = stage.twoWay.hosts[client] else { preconditionFailure("every row has its host") }
        var check = Check(
            url: try CheckURL("https://\(host)/"), policy: AFSecurityPolicy(), trust: platform,
            time: Int64(Date.now.timeIntervalSince1970))
        check.identity = stage.twoWay.identity(of: client)
        check.identityConduct = .whenAsked(leafOnly: false)
        if let proxy = stage.proxy(route) {
            check.proxy = Endpoint(host: proxy.host, port: proxy.port)
        } else {
            let address = stage.twoWay.address
            check.override = { $0.host == host ? address : nil }
        }
        let before = stage.identitiesSeen(of: client)
        let result = try await check.run(on: loop)
        let isSeen = stage.identitiesSeen(of: client) > before
        if client == .appSeen, route != .direct {
            return DemoObservation(
                outcome: result.verdict?.decision == .accept ? .accept : .reject,
                rule: isSeen ? "seen" : "unseen",
                why: isSeen ? "the app gave its certificate to the proxy" : "the app left before it gave anything")
        }
        if let fault = result.proxyFault {
            let status = result.response.map { "\($0.status)" }
            return DemoObservation(outcome: .reject, rule: status, why: "the proxy's page: \(fault)")
        }
        switch result.failure?.kind {
        case .tls(.peerAlert(let code)):
            return DemoObservation(
                outcome: .reject, rule: "alert \(code)", why: "the origin sent \(TLSNames.alert(code))")
        case .some: return DemoObservation(why: result.failure?.description ?? "")
        case nil: break
        }
        guard let verdict = result.verdict, verdict.decision == .accept else {
            return DemoObservation(
                outcome: .reject, rule: result.verdict?.reason.rule.description,
                why: result.verdict?.reason.explanation ?? "no verdict")
        }
        let status = result.response.map { "\($0.status)" }
        return DemoObservation(outcome: status == nil ? nil : .accept, rule: status, why: "the origin answers")
    }

    private func pins(_ certificate: Certificate) -> [AFSecurityPolicy.Pin] {
        PinFile(name: "demo.cer", contents: certificate.der).pins
    }

    private func check(_ policy: AFSecurityPolicy, _ route: DemoRoute) async throws -> DemoObservation {
        observation(of: try await visit(ServerJudge(policy: policy, trust: platform), route))
    }

    private func visit(_ judge: ServerJudge, _ route: DemoRoute) async throws -> CheckResult {
        var check = Check(
            url: try CheckURL("https://\(DemoStage.endpoint.host)/"), judge: judge,
            time: Int64(Date.now.timeIntervalSince1970))
        if let proxy = stage.proxy(route) {
            check.proxy = Endpoint(host: proxy.host, port: proxy.port)
        } else {
            let address = stage.originAddress
            check.override = { $0 == DemoStage.endpoint ? address : nil }
        }
        return try await check.run(on: loop)
    }

    private func observation(of result: CheckResult) -> DemoObservation {
        if let failure = result.failure { return DemoObservation(why: failure.description) }
        guard let verdict = result.verdict else { return DemoObservation(why: "no verdict") }
        let outcome: DemoOutcome? =
            switch verdict.decision {
            // Accepted is who got an answer.
            case .accept: result.response == nil ? nil : .accept
            case .reject: .reject
            case .default, .configError: nil
            }
        return DemoObservation(outcome: outcome, rule: verdict.reason.rule.description, why: Self.explanation(verdict))
    }

    /// Why, with the pin cut short: a digest in full would fill the column.
    private static func explanation(_ verdict: PolicyVerdict) -> String {
        let text = verdict.reason.explanation
        guard let pin = verdict.match?.pin, pin.count > 20 else { return text }
        return text.replacing(pin, with: "\(pin.prefix(16))...")
    }

    private func fetch(_ route: DemoRoute, pin: Certificate?) async throws -> DemoObservation {
        guard let curl else { return DemoObservation(why: "curl is not installed; run 'make demo', or install curl") }
        let result = try await curl.fetch(
            DemoStage.endpoint, at: stage.originAddress, proxy: stage.proxy(route), pin: pin)
        let rule = "exit \(result.exitCode)"
        return switch result.exitCode {
        case 0: DemoObservation(outcome: .accept, rule: rule, why: "the answer arrived")
        // CURLE_PEER_FAILED_VERIFICATION and CURLE_SSL_PINNEDPUBKEYNOTMATCH.
        case 60, 90: DemoObservation(outcome: .reject, rule: rule, why: result.message)
        default: DemoObservation(why: "\(rule): \(result.message)")
        }
    }
}
