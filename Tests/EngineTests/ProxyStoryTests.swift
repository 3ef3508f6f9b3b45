import Crypto
import TestSupport
import Testing
import Transcript
import Wire

@Suite struct ProxyStoryTests {
    /// The events of a TLS 1.3 connection, written down from RFC 8446 section 2 and docs/events.md.
    @Test func everythingIsRecordedInOrder() async throws {
        let stage = try await Stage()
        let (client, origin) = try await stage.interceptedPair(alpn: "http/1.1", offering: ["h2", "http/1.1"])
        try await client.send("ping")
        #expect(try await origin.receive(4) == Array("ping".utf8))
        try await origin.send("answer")
        #expect(try await client.receive(6) == Array("answer".utf8))
        try await client.sendCloseNotify()
        try await client.sendFIN()
        #expect(try await origin.ended() == .fin)
        #expect(origin.seen.sawCloseNotify)
        try await origin.sendCloseNotify()
        try await origin.sendFIN()
        #expect(try await client.ended() == .fin)
        #expect(client.seen.sawCloseNotify)
        let story = try await stage.log.story()
        #expect(
            story.lines == [
                "opened", "requested CONNECT api.pinproof.test:443",
                "decided intercept by --intercept api.pinproof.test", "connected", "hello",
                "message origin sent 1", "wire origin sent", "message origin received 2", "message origin received 8",
                "message origin received 11", "message origin received 15", "message origin received 20",
                "wire origin received", "message origin sent 20", "wire origin sent", "chain origin 1",
                "secured origin http/1.1", "forged api.pinproof.test EC P-256", "chain client 1",
                "message client received 1", "wire client received", "message client sent 2", "message client sent 8",
                "message client sent 11", "message client sent 15", "message client sent 20", "wire client sent",
                "message client received 20", "wire client received", "secured client http/1.1",
                "first data client", "first data origin",
                "alert client received 1 0", "ended client closeNotify relay", "alert origin sent 1 0",
                "ended client fin closing", "alert origin received 1 0", "ended origin closeNotify closing",
                "alert client sent 1 0",
                "closed by client in relay client closeNotify origin closeNotify bytes 4 6",
            ])
    }
}
