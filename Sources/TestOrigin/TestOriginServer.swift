public import Crypto
internal import Engine
public import Reactor
internal import Wire

/// A small HTTPS server that says what it saw: the other end of every demonstration and test.
///
/// It speaks HTTP/1.1 and HTTP/2, serves any number of connections at once on a loop of its own, and answers
/// `/bytes/SIZE` with a body of that size and everything else with JSON about the request and the TLS session.
///
/// **Thread:** usable from any thread.
public final class TestOriginServer: Sendable {
    private let loop: EventLoop
    private let service: LoopBound<OriginService>
    /// The address that is listened on, with the port that was taken.
    public let address: SocketAddress

    /// Listens, and serves from then on.
    ///
    /// - Parameters:
    ///   - listen: Where to listen; port 0 takes any free one.
    ///   - identity: What the server proves itself with.
    ///   - clients: What it wants of its clients.
    ///   - minimumVersion: The lowest TLS version, as on the wire; nil for OpenSSL's limit.
    ///   - maximumVersion: The highest one; nil for OpenSSL's limit.
    /// - Throws: `ReactorError` if the address cannot be listened on, `OpenSSLError` if TLS cannot be set up.
    public init(
        listen: SocketAddress, identity: TLSIdentity, clients: OriginClients = OriginClients(),
        minimumVersion: UInt16? = nil, maximumVersion: UInt16? = nil
    ) throws {
        let context = try TLSContext.server(minimumVersion: minimumVersion, maximumVersion: maximumVersion)
        let loop = try EventLoop.onOwnThread(name: "origin")
        self.loop = loop
        do {
            (service, address) = try loop.call {
                let service = try OriginService(
                    loop: loop, listen: listen, context: context, identity: identity, clients: clients)
                return (LoopBound(service, loop: loop), service.address)
            }
        } catch {
            loop.stop()
            loop.join()
            throw error
        }
    }

    /// Stops listening and ends all connections.
    public func stop() {
        let service = service
        loop.execute { service.value.close() }
        loop.stop()
        loop.join()
    }
}

/// The listener and the connections of a test origin.
///
/// **Thread:** confined to its loop.
final class OriginService {
    let loop: EventLoop
    let context: TLSContext
    let identity: TLSIdentity
    let clients: OriginClients
    private var listener: Listener?
    private var connections: [ObjectIdentifier: OriginConnection] = [:]

    init(
        loop: EventLoop, listen: SocketAddress, context: TLSContext, identity: TLSIdentity, clients: OriginClients
    ) throws {
        self.clients = clients
        self.loop = loop
        self.context = context
        self.identity = identity
        listener = try Listener(loop: loop, address: listen, reusePort: false) { [unowned self] socket, _ in
            let connection = OriginConnection(SocketStream(loop: self.loop, socket: socket), service: self)
            connections[ObjectIdentifier(connection)] = connection
            connection.start()
        }
    }

    var address: SocketAddress {
        guard let listener else { preconditionFailure("the address of a closed service") }
        return listener.localAddress
    }

    /// Lets go of a connection that is over; it may be in the middle of a call, so it lives until the loop's next turn.
    func forget(_ connection: OriginConnection) {
        guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        loop.later { withExtendedLifetime(connection) {} }
    }

    func close() {
        listener?.close()
        listener = nil
        for connection in connections.values { connection.close() }
    }
}
