internal import Glibc
public import Wire

/// Turns host names into addresses on a loop.
///
/// - Addresses are answered as they are, and `localhost` and names below it with loopback (RFC 6761, section 6.3).
/// - Names below `invalid` do not exist, and nobody is asked (RFC 6761, section 6.4).
/// - The system's hosts file comes next, as it was when the loop's first resolver was made.
/// - Then the name servers of the system's resolv.conf. Its search domains are tried for names without a dot only: a name
///   with a dot is never asked for with something appended.
///
/// IPv4 addresses come first: they work where the machine has no IPv6. **Thread:** its loop's.
public final class Resolver {
    private let loop: EventLoop
    private let files: ResolverFiles
    private let absolute: NameService

    /// Makes a resolver with the system's configuration; a missing or empty resolv.conf is not an error.
    ///
    /// - Throws: `ReactorError` if there is no memory for it.
    public convenience init(loop: EventLoop) throws(ReactorError) {
        try self.init(loop: loop, files: ResolverFiles())
    }

    /// Makes a resolver that reads other files than the system's, for tests.
    package convenience init(loop: EventLoop, configuration: String, hosts: String) throws(ReactorError) {
        try self.init(loop: loop, files: ResolverFiles(configuration: configuration, hosts: hosts))
    }

    private init(loop: EventLoop, files: ResolverFiles) throws(ReactorError) {
        loop.preconditionCurrent()
        self.loop = loop
        self.files = files
        absolute = try loop.names.service(files, searches: false)
    }

    /// Looks a host up.
    ///
    /// - Parameters:
    ///   - host: A name or an address.
    ///   - port: The port that the addresses are to have.
    ///   - timeout: How long it may take; then the completion gets `ETIMEDOUT`.
    ///   - completion: Gets at least one address, or the reason, once, never inside this call.
    /// - Returns: The resolution; releasing it cancels it.
    public func resolve(
        _ host: HostName, port: UInt16, timeout: Duration,
        _ completion: @escaping (Result<[SocketAddress], ReactorError>) -> Void
    ) -> Resolution {
        loop.preconditionCurrent()
        let resolution = Resolution(loop: loop, name: host.text, completion)
        if let answer = ownAnswer(host, port: port) {
            resolution.finish(answer)
            return resolution
        }
        do throws(ReactorError) {
            let isAbsolute = host.text.utf8.contains(UInt8(ascii: "."))
            let service = isAbsolute ? absolute : try loop.names.service(files, searches: true)
            resolution.start(port: port, with: service, timeout: timeout)
        } catch {
            resolution.finish(.failure(error))
        }
        return resolution
    }

    /// What needs no look into anything.
    private func ownAnswer(_ host: HostName, port: UInt16) -> Result<[SocketAddress], ReactorError>? {
        if let address = SocketAddress(host, port: port) { return .success([address]) }
        switch host.text.split(separator: ".").last {
        case "localhost":
            let loopback: [SocketAddress.Family] = [.ipv4(0x7f00_0001), .ipv6(high: 0, low: 1, scope: 0)]
            return .success(loopback.map { SocketAddress($0, port: port) })
        case "invalid":
            return .failure(ReactorError(operation: "resolve \(host.text)", code: .resolution(EAI_NONAME)))
        default:
            return nil
        }
    }
}

@available(*, unavailable)
extension Resolver: Sendable {}  // confined to its loop

/// A name that is being looked up.
///
/// **Ownership:** hold it: a resolution that is released is cancelled. **Thread:** its loop's.
public final class Resolution {
    private let loop: EventLoop
    private let name: String
    private var completion: ((Result<[SocketAddress], ReactorError>) -> Void)?
    private var lookup: Lookup?
    private var isFinished = false
    /// The time limit; when there is an answer, its delivery.
    private var timer: LoopTimer?

    fileprivate init(
        loop: EventLoop, name: String, _ completion: @escaping (Result<[SocketAddress], ReactorError>) -> Void
    ) {
        self.loop = loop
        self.name = name
        self.completion = completion
    }

    deinit { cancel() }

    /// Gives up; the completion will not be called.
    ///
    /// Without effect if it was called.
    public func cancel() {
        loop.preconditionReleasable(Resolution.self)
        lookup?.cancel()
        lookup = nil
        timer = nil
        completion = nil
    }

    fileprivate func start(port: UInt16, with service: NameService, timeout: Duration) {
        timer = loop.timer(after: timeout) { [unowned self] in
            finish(.failure(ReactorError(operation: "resolve \(name)", code: .system(ETIMEDOUT))))
        }
        let lookup = loop.names.look(up: name, port: port, with: service) { [unowned self] result in finish(result) }
        // An answer may have come inside the call.
        if !isFinished { self.lookup = lookup }
    }

    /// Delivers the answer in the loop's next turn.
    fileprivate func finish(_ result: Result<[SocketAddress], ReactorError>) {
        isFinished = true
        lookup?.cancel()
        lookup = nil
        timer = loop.timer(after: .zero) { [unowned self] in
            let completion = self.completion
            cancel()
            completion?(result)
        }
    }
}

@available(*, unavailable)
extension Resolution: Sendable {}  // confined to its loop
