internal import Crypto
internal import Interception
internal import Reactor
internal import Transcript
internal import Wire

// Answering the client with a page of ours, inside its forged session.
extension ProxyConnection {
    func serve(_ page: Page, _ version: PageProtocol) {
        let source = PageSource(page) { [unowned self] in
            noteFirstData(.client)
            record(.answered(status: page.status, reason: page.reason))
        }
        answering = AnsweringStream(
            client, version: version == .http2 ? .http2 : .http1, source: source,
            unanswered: identity.unanswered ?? []
        ) { [unowned self] bytes in
            moved(.client, bytes.count)
            content?.observe(.client, bytes)
        }
        if content == nil { tapContent(version == .http2 ? "h2" : nil) }
        identity.unanswered = nil
        clientReading = .page
        read(.client, true)
        advancePage()
    }

    func advancePage() {
        guard let answering else { return }
        let progress = answering.advance()
        flushTaps()
        let isFull = if case .full = progress { true } else { false }
        client.stream.wantsReadable = !isFull && !client.hasEnded
        switch progress {
        case .waiting, .full: break
        case .more: pumpLater(.client)
        case .delivered: submit(.pageDelivered)
        case .ended(let end): ended(.client, end)
        case .failed(let failure): broke(.client, failure)
        }
    }
}

/// Answers every request with the same page.
private final class PageSource: AnswerSource {
    private let page: Page
    private let onAnswer: () -> Void

    init(_ page: Page, onAnswer: @escaping () -> Void) {
        self.page = page
        self.onAnswer = onAnswer
    }

    func received(_ bytes: UnsafeRawBufferPointer, of request: HTTPRequest) {}

    func answer(_ request: HTTPRequest, bodyLength: UInt64) -> Answer {
        onAnswer()
        return .page(
            status: page.status, title: page.title, text: page.text,
            headers: [HTTPHeader(name: page.header, value: page.reason)])
    }
}
