import Crypto
import Engine
import TestSupport
import Testing
import Transcript
import Wire

/// Reading, writing and ending over a bare stream and over TLS.
@Suite struct ChannelTests {
    @Test func plainBytesGoBothWays() async throws {
        let it = try await ChannelFixture()
        try await it.channel.send(Array("out".utf8))
        #expect(try await it.peer.receive(3) == Array("out".utf8))
        try await it.peer.send("in")
        try await it.channel.received("in")
        try await it.peer.sendFIN()
        try await it.channel.wait("the end") { $0.ends == [.fin] }
        // The other direction is still open.
        try await it.channel.send(Array("more".utf8))
        #expect(try await it.peer.receive(4) == Array("more".utf8))
    }

    @Test(arguments: [0x0303, 0x0304] as [UInt16])
    func tlsBytesGoBothWays(_ version: UInt16) async throws {
        for it in [try await ChannelFixture.accepted(version: version), try await .connected(version: version)] {
            #expect(it.peer.seen.facts?.version == version)
            try await it.channel.send(Array("out".utf8))
            #expect(try await it.peer.receive(3) == Array("out".utf8))
            try await it.peer.send("in")
            try await it.channel.received("in")
        }
    }

    /// What was read before TLS began is part of the session: the hello of a CONNECT's client.
    @Test func bytesThatWereReadBeforeBelongToTheSession() async throws {
        let it = try await ChannelFixture()
        try await it.peer.beginTLS(to: .required(testHost), it.clientContext())
        try await it.channel.wait("the hello") { $0.received.count > 100 }
        try await it.channel.accept(.server(), identity: it.identity)
        try await it.peer.secured()
        try await it.channel.wait("the handshake") { $0.isSecured }
    }

    /// What was written before TLS began and is still waiting goes out first.
    @Test func bytesThatWaitWhenTLSBeginsGoOutFirst() async throws {
        let it = try await ChannelFixture()
        try await it.channel.perform { channel in channel.write(raw: Array("first".utf8)) }
        try await it.channel.connect(it.clientContext(), to: .required(testHost))
        let bytes = try await it.peer.receive(100)
        #expect(Array(bytes.prefix(5)) == Array("first".utf8))
        #expect(bytes.dropFirst(5).first == 0x16)
    }

    /// More than the kernel takes: nothing is lost, and the channel says when it is full and when it is not.
    @Test func largeAmountsArriveWhole() async throws {
        let it = try await ChannelFixture.accepted(peerBuffer: 4096)
        let bytes = pattern(6 << 20)
        try await it.peer.setReading(false)
        try await it.channel.send(bytes)
        try await it.channel.wait("the channel to be full") { $0.isFull }
        try await it.peer.setReading(true)
        expectSame(try await it.peer.receive(bytes.count), bytes)
        try await it.channel.wait("the channel to be empty") { !$0.isFull }
        try await it.peer.send(bytes)
        try await it.channel.wait("all bytes") { $0.received.count == bytes.count }
        expectSame(it.channel.seen.received, bytes)
    }

    /// close_notify comes before FIN, both after the bytes, and reading goes on (RFC 8446 section 6.1).
    @Test(arguments: [0x0303, 0x0304] as [UInt16])
    func closeNotifyThenFINEndOneDirectionOnly(_ version: UInt16) async throws {
        let it = try await ChannelFixture.accepted(version: version)
        try await it.channel.send(Array("last".utf8))
        try await it.channel.finish(.closeNotify)
        #expect(try await it.peer.receive(4) == Array("last".utf8))
        try await it.peer.wait("close_notify") { $0.sawCloseNotify }
        #expect(it.peer.seen.end == nil)
        #expect(it.channel.seen.endings == 1)
        try await it.peer.send("still")
        try await it.channel.received("still")
        try await it.channel.finish(.fin)
        #expect(try await it.peer.ended() == .fin)
        #expect(it.channel.seen.endings == 2)
        try await it.peer.send(" here")
        try await it.channel.received("still here")
    }

    @Test func finAloneIsATruncation() async throws {
        let it = try await ChannelFixture.accepted()
        try await it.channel.finish(.fin)
        #expect(try await it.peer.ended() == .fin)
        #expect(it.peer.seen.alerts == [])
    }

    /// The proxy's own end is one ending, though it is two steps.
    @Test func politeEndIsCloseNotifyAndFIN() async throws {
        let it = try await ChannelFixture.accepted()
        try await it.channel.finish(.proxy)
        #expect(try await it.peer.ended() == .fin)
        #expect(it.peer.seen.alerts == [0])
        #expect(it.channel.seen.endings == 1)
    }

    @Test func endingsWaitForTheBytesBefore() async throws {
        let it = try await ChannelFixture.accepted(peerBuffer: 4096)
        let bytes = pattern(6 << 20)
        try await it.peer.setReading(false)
        try await it.channel.send(bytes)
        try await it.channel.finish(.closeNotify, .fin)
        #expect(it.channel.seen.isFull)
        #expect(it.channel.seen.endings == 0)
        try await it.peer.setReading(true)
        #expect(try await it.peer.ended() == .fin)
        #expect(it.peer.seen.alerts == [0])
        expectSame(it.peer.take(), bytes)
        #expect(it.channel.seen.endings == 2)
    }

    // MARK: Reset

    /// A RST destroys what the peer's kernel has not got: it is kept back until that is nothing.
    @Test func resetWaitsUntilTheKernelHasDelivered() async throws {
        let it = try await ChannelFixture.accepted(peerBuffer: 4096)
        let bytes = pattern(200_000)
        try await it.peer.setReading(false)
        try await it.channel.send(bytes)
        try await it.channel.wait("the kernel to have it") { !$0.isFull }
        try await it.channel.finish(.reset)
        #expect(it.channel.seen.endings == 0)
        #expect(try await it.channel.perform { $0.isEnding })
        try await it.peer.setReading(true)
        try await it.peer.wait("all bytes") { $0.count == bytes.count }
        #expect(it.peer.seen.end == nil)
        // The kernel tells nobody that it has delivered; owners ask again after a moment.
        try await repeatedly(until: "the ending") {
            try await it.channel.flush()
            return it.channel.seen.endings > 0
        }
        #expect(try await it.peer.ended() == .reset)
        expectSame(it.peer.take(), bytes)
    }

    /// A reset that was asked for is not turned into a clean end by closing.
    @Test func closingWhileAResetIsKeptBackResets() async throws {
        let it = try await ChannelFixture.accepted(peerBuffer: 4096)
        try await it.peer.setReading(false)
        try await it.channel.send(pattern(200_000))
        try await it.channel.finish(.reset)
        #expect(it.channel.seen.endings == 0)
        try await it.channel.perform { $0.close() }
        try await it.peer.setReading(true)
        #expect(try await it.peer.ended() == .reset)
    }

    // MARK: The peer's end

    @Test(arguments: [0x0303, 0x0304] as [UInt16])
    func theEndComesAfterTheBytes(_ version: UInt16) async throws {
        let it = try await ChannelFixture.accepted(version: version)
        try await it.channel.setReading(false)
        let bytes = pattern(100_000)
        try await it.peer.send(bytes)
        try await it.peer.sendCloseNotify()
        try await it.peer.sendFIN()
        try await it.channel.setReading(true)
        let view = try await it.channel.wait("both ends") { $0.ends.count == 2 }
        #expect(view.ends == [.closeNotify, .fin])
        expectSame(view.received, bytes)
    }

    @Test func resetComesAfterTheBytes() async throws {
        let it = try await ChannelFixture.accepted()
        try await it.channel.setReading(false)
        let bytes = pattern(20_000)
        try await it.peer.send(bytes)
        try await it.peer.delivered()
        try await it.peer.reset()
        try await it.channel.setReading(true)
        let view = try await it.channel.wait("the reset") { !$0.ends.isEmpty }
        #expect(view.ends == [.reset])
        expectSame(view.received, bytes)
    }

    /// What follows a close_notify is ignored (RFC 8446 section 6.1).
    @Test func bytesAfterCloseNotifyAreIgnored() async throws {
        let it = try await ChannelFixture.accepted()
        try await it.peer.send("counts")
        try await it.peer.sendCloseNotify()
        try await it.peer.send(raw: pattern(100_000))
        try await it.peer.sendFIN()
        let view = try await it.channel.wait("both ends") { $0.ends.count == 2 }
        #expect(view.ends == [.closeNotify, .fin])
        #expect(view.received == Array("counts".utf8))
    }

    @Test func discardDropsBytesAndTellsTheEnd() async throws {
        let it = try await ChannelFixture.accepted()
        try await it.channel.discard()
        try await it.peer.send(pattern(1 << 20))
        try await it.peer.wait("all to be sent") { $0.isSent }
        #expect(it.channel.seen.ends == [])
        try await it.peer.sendFIN()
        let view = try await it.channel.wait("the end") { !$0.ends.isEmpty }
        #expect(view.ends == [.fin])
        #expect(view.received == [])
    }

    /// A peer that says why it goes and then resets: the reason is not lost to a write that finds it gone.
    @Test func whatThePeerSaidBeforeItWentIsReadWhenAWriteFails() async throws {
        let it = try await ChannelFixture.accepted()
        try await it.channel.setReading(false)
        try await it.peer.send("why")
        try await it.peer.sendCloseNotify()
        try await it.peer.delivered()
        try await it.peer.reset()
        // The first write may still be taken by the kernel; the reset makes a later one fail.
        try await repeatedly(until: "the end") {
            try await it.channel.send([1])
            return !it.channel.seen.ends.isEmpty
        }
        let view = try await it.channel.wait("the end") { $0.ends.contains(.reset) }
        #expect(view.received == Array("why".utf8))
        #expect(view.ends == [.closeNotify, .reset])
        // Later writes and endings go nowhere, and are done at once.
        try await it.channel.send([2])
        try await it.channel.finish(.fin)
        #expect(it.channel.seen.endings == 1)
        #expect(!it.channel.seen.isFull)
    }
}
