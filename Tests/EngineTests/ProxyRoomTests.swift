import Authority
import Crypto
import Engine
import Glibc
import Interception
import Reactor
import TestSupport
import Testing
import Transcript
import Wire

/// How many connections there may be, and what happens when there is no room for more.
@Suite struct ProxyRoomTests {
    @Test(arguments: [1, 2]) func furtherConnectionsWaitUntilOneEnds(_ workers: Int) async throws {
        let stage = try await Stage {
            $0.workers = workers
            $0.maxConnections = 3
        }
        var clients: [Peer] = []
        for _ in 0..<3 { clients.append(try await stage.client()) }
        try await stage.log.first("the pause", of: nil) {
            if case .acceptingPaused(.connections(3)) = $0 { true } else { nil }
        }
        // It waits in the kernel's queue, and so does what it says.
        let waiting = try await stage.client(sending: "CONNECT elsewhere.pinproof.test:443 HTTP/1.1\r\n\r\n")
        try await waiting.turns(100)
        #expect(stage.recorder.connectionCount == 3)
        #expect(waiting.seen.count == 0)
        try await clients[1].close()
        #expect(try await waiting.ended() == .fin)
        #expect(waiting.seen.text.hasPrefix("HTTP/1.1 403 "))
        try await stage.log.first("the end of the pause", of: nil) {
            if case .acceptingResumed = $0 { true } else { nil }
        }
    }

    /// An origin's certificate with as many names as fit into the limit, and one with more.
    @Test(arguments: [(100, true), (400, false)]) func certificatesAboveTheLimitAreRefused(
        _ names: Int, _ isTaken: Bool
    ) async throws {
        let stage = try await Stage { $0.chainSize = 8192 }
        let client = try await stage.connectedClient()
        try await client.beginTLS(to: .required(testHost), stage.clientContext(), alpn: ["http/1.1"])
        let origin = try await stage.origin.accept()
        let others = (0..<names).map { AlternativeName.dns("name-number-\($0).pinproof.test") }
        let identity = try stage.publicAuthority.issue(
            .server(names: [.dns(testHost)] + others, notBefore: stage.now - 60, notAfter: stage.now + 60))
        try await origin.beginTLS(.server(), identity: identity)
        try await client.secured()
        guard !isTaken else { return try await origin.secured() }
        let page = try await client.fetchPage("http/1.1")
        #expect(page.contains("are longer than the limit (0A000098)"))
        #expect(page.contains("To mend it: raise the limit with --max-chain"))
    }

    /// In a process of its own, since the limit is the process's.
    @Test func withoutDescriptorsThePauseIsRecordedAndThoseWhoWaitAreServed() async {
        await #expect(processExitsWith: .success) {
            let stage = try await Stage { $0.decision = .tunnel }
            let (client, origin) = try await stage.tunnelledPair()
            // The other end of the next connection is this process's too.
            var former: rlim_t = 0
            let waiting = try connectedSocket(to: stage.proxy.address) { former = setDescriptorLimit(0) }
            try await stage.log.first("the pause", of: nil) {
                if case .acceptingPaused(.system(errno: EMFILE)) = $0 { true } else { nil }
            }
            // Those who are served go on being served.
            try await client.send("ping")
            #expect(try await origin.receive(4) == Array("ping".utf8))
            _ = setDescriptorLimit(former)
            try await stage.log.first("the end of the pause", of: nil) {
                if case .acceptingResumed = $0 { true } else { nil }
            }
            try await repeatedly(until: "the connection") { stage.recorder.connectionCount == 2 }
            _ = consume waiting
        }
    }

    /// In a process of its own, since the limit is the process's.
    @Test func withoutDescriptorsForTheOriginTheProxyIsAtFault() async {
        await #expect(processExitsWith: .success) {
            let stage = try await Stage()
            let client = try await stage.client()
            try await stage.log.first("the connection") { if case .opened = $0 { true } else { nil } }
            let former = setDescriptorLimit(0)
            try await client.send("CONNECT \(testHost):443 HTTP/1.1\r\n\r\n")
            #expect(try await client.ended() == .fin)
            _ = setDescriptorLimit(former)
            #expect(client.seen.text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
            try await client.close()
            let story = try await stage.log.story()
            #expect(story.lines.contains("failed outOfResources by proxy in connecting"))
        }
    }
}

/// Sets how many descriptors the process may have, and returns how many it might.
private func setDescriptorLimit(_ limit: rlim_t) -> rlim_t {
    var limits = rlimit()
    precondition(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
    let former = limits.rlim_cur
    limits.rlim_cur = limit
    precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
    return former
}
