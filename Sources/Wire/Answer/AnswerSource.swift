/// Decides what is answered; `AnswerSession` calls it while it reads and writes.
///
/// **Thread:** called on the thread that called the session, and must not call back into the session.
public protocol AnswerSource: AnyObject {
    /// Looks at a piece of a request's body as it arrives; the pointer is valid only during the call.
    ///
    /// An HTTP/2 connection carries several requests at once: `request.streamID` tells them apart.
    func received(_ bytes: UnsafeRawBufferPointer, of request: HTTPRequest)

    /// Answers a request that has arrived in full, with `bodyLength` octets of body.
    func answer(_ request: HTTPRequest, bodyLength: UInt64) -> Answer
}
