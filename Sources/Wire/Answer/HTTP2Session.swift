internal import CNghttp2

/// What happens on an HTTP/2 connection, as `HTTP2Session` tells it.
///
/// Calls come while the session receives or sends; of the session they may call `respond` and `sendContinue` only.
protocol HTTP2SessionEvents: AnyObject {
    /// A request's head begins. Heads never interleave (RFC 9113 section 4.3).
    func headBegan()
    /// A field of that head; both pointers are valid only during the call.
    func headField(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>)
    /// The head is complete and well-formed, and opens `stream`.
    func headEnded(on stream: Int32, requestEnded: Bool)
    /// A piece of the request's body; the pointer is valid only during the call.
    func bodyArrived(_ bytes: UnsafeRawBufferPointer, on stream: Int32)
    /// The request is complete.
    func requestEnded(on stream: Int32)
    /// Room for the next octets of the response's body; nil if there is no such body.
    func fillBody(_ room: UnsafeMutableRawBufferPointer, on stream: Int32) -> (count: Int, isAtEnd: Bool)?
    /// The stream is gone, whether it was answered or not.
    func streamClosed(_ stream: Int32)
    /// The session ended the connection because of what the peer did.
    func connectionFailed(_ fault: WireError)
}

/// The owner of a server's `nghttp2_session`: frames, HPACK, flow control and stream states (RFC 9113, RFC 7541).
///
/// nghttp2 itself checks the frames and the form of the messages, resets bad streams, acknowledges, and bounds floods
/// of acknowledgements, settings, continuations and resets. The settings here bound the rest.
///
/// **Ownership:** owns the handle; `events` is not held. **Thread:** confined to one thread.
final class HTTP2Session {
    /// The streams that a peer may have open at once.
    static let maximumStreams: UInt32 = 128
    /// The window of one stream: what is received is shown and forgotten, so a large one costs no memory, and an upload
    /// never waits for a round trip.
    static let streamWindow: UInt32 = 4 << 20
    /// The window of the connection.
    static let connectionWindow: Int32 = 16 << 20

    /// Whom to tell what happens.
    weak var events: (any HTTP2SessionEvents)?

    private let raw: OpaquePointer

    /// Starts a connection and queues the server's SETTINGS.
    init() {
        var callbacks: OpaquePointer?
        // Only lack of memory makes these fail.
        precondition(nghttp2_session_callbacks_new(&callbacks) == 0, "nghttp2_session_callbacks_new")
        defer { nghttp2_session_callbacks_del(callbacks) }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, onBeginHeaders)
        nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrameReceived)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onDataChunkReceived)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onStreamClosed)
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, onFrameSent)

        // The context of the callbacks is set below: there is no `self` yet.
        var session: OpaquePointer?
        precondition(nghttp2_session_server_new(&session, callbacks, nil) == 0, "nghttp2_session_server_new")
        guard let session else { preconditionFailure("nghttp2_session_server_new made no session") }
        raw = session
        // Unretained: the session ends with this object, and makes no call after that.
        nghttp2_session_set_user_data(raw, Unmanaged.passUnretained(self).toOpaque())

        let settings = [
            nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, Self.maximumStreams),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, Self.streamWindow),
            nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, UInt32(HTTP2RequestHead.limit)),
        ]
        precondition(nghttp2_submit_settings(raw, none, settings, settings.count) == 0, "nghttp2_submit_settings")
        precondition(
            nghttp2_session_set_local_window_size(raw, none, 0, Self.connectionWindow) == 0,
            "nghttp2_session_set_local_window_size")
    }

    deinit { nghttp2_session_del(raw) }

    /// Whether frames wait that may be sent now.
    var wantsToSend: Bool { nghttp2_session_want_write(raw) != 0 }

    /// Whether the connection goes on: false once GOAWAY was exchanged and the last stream has ended.
    var wantsToReceive: Bool { nghttp2_session_want_read(raw) != 0 }

    /// The number of frames that wait, DATA not counted.
    var queuedFrames: Int { nghttp2_session_get_outbound_queue_size(raw) }

    /// Feeds bytes from the peer to `nghttp2_session_mem_recv`, which takes all of them.
    ///
    /// - Returns: Whether the session can take more; if not, `connectionFailed` was called and GOAWAY is queued.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let taken = nghttp2_session_mem_recv(raw, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        guard taken < 0 else { return true }
        let isFlood = taken == Int(NGHTTP2_ERR_FLOODED.rawValue)
        let code = isFlood ? NGHTTP2_ENHANCE_YOUR_CALM : NGHTTP2_PROTOCOL_ERROR
        // Fails for want of memory only, and then there is nothing to say to the peer either.
        _ = nghttp2_session_terminate_session(raw, code.rawValue)
        events?.connectionFailed(.malformed(field: "HTTP/2: " + String(cString: nghttp2_strerror(Int32(taken)))))
        return false
    }

    /// Lends the next bytes to send, at most a frame, to `body`; `body` is not called if there are none.
    ///
    /// - Returns: Whether there were any.
    func send(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
        var piece: UnsafePointer<UInt8>?
        let count = nghttp2_session_mem_send(raw, &piece)
        guard count > 0 else { return false }
        body(UnsafeRawBufferPointer(start: piece, count: count))
        return true
    }

    /// Queues the response on `stream`; its body is asked for by `fillBody` when it can be sent.
    ///
    /// This, like `sendContinue`, fails for want of memory only.
    func respond(_ message: AnswerMessage, on stream: Int32) {
        withNameValues([HTTPHeader(name: ":status", value: String(message.status))] + message.fields) { values in
            if message.body.length == 0 {
                _ = nghttp2_submit_response(raw, stream, values.baseAddress, values.count, nil)
            } else {
                var provider = nghttp2_data_provider()
                provider.read_callback = readBody
                _ = nghttp2_submit_response(raw, stream, values.baseAddress, values.count, &provider)
            }
        }
    }

    /// Queues an interim `100 Continue` on `stream`.
    func sendContinue(on stream: Int32) {
        withNameValues([HTTPHeader(name: ":status", value: "100")]) { values in
            _ = nghttp2_submit_headers(raw, none, stream, nil, values.baseAddress, values.count, nil)
        }
    }

    /// Lends `fields` in nghttp2's form; nghttp2 copies what it is given, and writes names in lower case.
    private func withNameValues(_ fields: [HTTPHeader], _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Void) {
        var octets = fields.flatMap { Array($0.name.utf8) + Array($0.value.utf8) }
        octets.withUnsafeMutableBufferPointer { octets in
            // Every name has an octet, so there is an address.
            guard var next = octets.baseAddress else { return }
            let values = fields.map { field in
                let (name, value) = (field.name.utf8.count, field.value.utf8.count)
                defer { next += name + value }
                return nghttp2_nv(name: next, value: next + name, namelen: name, valuelen: value, flags: none)
            }
            values.withUnsafeBufferPointer(body)
        }
    }
}

/// `NGHTTP2_FLAG_NONE` and `NGHTTP2_NV_FLAG_NONE`, in the type that nghttp2's functions take.
private let none: UInt8 = 0

extension nghttp2_settings_entry {
    fileprivate init(_ setting: nghttp2_settings_id, _ value: UInt32) {
        self.init(settings_id: Int32(setting.rawValue), value: value)
    }
}

// MARK: - Callbacks

/// Whom to tell, from the context that nghttp2 hands to a callback.
private func events(_ context: UnsafeMutableRawPointer?) -> (any HTTP2SessionEvents)? {
    context.flatMap { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue().events }
}

/// Whether a frame is the HEADERS that open a request, not its trailers.
private func opensRequest(_ frame: nghttp2_frame) -> Bool {
    frame.hd.type == UInt8(NGHTTP2_HEADERS.rawValue) && frame.headers.cat == NGHTTP2_HCAT_REQUEST
}

private func onBeginHeaders(
    _: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, context: UnsafeMutableRawPointer?
) -> CInt {
    if let frame, opensRequest(frame.pointee) { events(context)?.headBegan() }
    return 0
}

private func onHeader(
    _: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, name: UnsafePointer<UInt8>?, nameLength: Int,
    value: UnsafePointer<UInt8>?, valueLength: Int, _: UInt8, context: UnsafeMutableRawPointer?
) -> CInt {
    if let frame, opensRequest(frame.pointee) {
        events(context)?.headField(
            name: UnsafeBufferPointer(start: name, count: nameLength),
            value: UnsafeBufferPointer(start: value, count: valueLength))
    }
    return 0
}

private func onFrameReceived(
    _: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, context: UnsafeMutableRawPointer?
) -> CInt {
    guard let frame = frame?.pointee, let events = events(context) else { return 0 }
    let carriesRequest =
        frame.hd.type == UInt8(NGHTTP2_HEADERS.rawValue) || frame.hd.type == UInt8(NGHTTP2_DATA.rawValue)
    let endsRequest = carriesRequest && frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    if opensRequest(frame) {
        events.headEnded(on: frame.hd.stream_id, requestEnded: endsRequest)
    }
    if endsRequest { events.requestEnded(on: frame.hd.stream_id) }
    return 0
}

private func onDataChunkReceived(
    _: OpaquePointer?, _: UInt8, stream: Int32, data: UnsafePointer<UInt8>?, length: Int,
    context: UnsafeMutableRawPointer?
) -> CInt {
    events(context)?.bodyArrived(UnsafeRawBufferPointer(start: data, count: length), on: stream)
    return 0
}

private func onStreamClosed(
    _: OpaquePointer?, stream: Int32, _: UInt32, context: UnsafeMutableRawPointer?
) -> CInt {
    events(context)?.streamClosed(stream)
    return 0
}

/// nghttp2 answers most breaches of the protocol itself, with a GOAWAY that names the fault: this is where it shows.
private func onFrameSent(
    _: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, context: UnsafeMutableRawPointer?
) -> CInt {
    guard let frame = frame?.pointee, frame.hd.type == UInt8(NGHTTP2_GOAWAY.rawValue) else { return 0 }
    let goAway = frame.goaway
    guard goAway.error_code != NGHTTP2_NO_ERROR.rawValue else { return 0 }
    let detail = UnsafeBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len)
    let name = String(cString: nghttp2_http2_strerror(goAway.error_code))
    let reason = detail.isEmpty ? name : "\(name), \(String(decoding: detail, as: UTF8.self))"
    events(context)?.connectionFailed(.malformed(field: "HTTP/2: " + reason))
    return 0
}

private func readBody(
    _: OpaquePointer?, stream: Int32, buffer: UnsafeMutablePointer<UInt8>?, length: Int,
    flags: UnsafeMutablePointer<UInt32>?, _: UnsafeMutablePointer<nghttp2_data_source>?,
    context: UnsafeMutableRawPointer?
) -> Int {
    let room = UnsafeMutableRawBufferPointer(start: buffer, count: length)
    guard let events = events(context), let (count, isAtEnd) = events.fillBody(room, on: stream) else {
        return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    if isAtEnd { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return count
}
