internal import CLibevent
internal import Glibc

/// Where the system keeps what a resolver has to know.
struct ResolverFiles: Hashable {
    /// resolv.conf(5).
    var configuration = "/etc/resolv.conf"
    /// hosts(5).
    var hosts = "/etc/hosts"
}

/// The evdns bases of one loop, and the lookups that libevent still owes an answer for.
///
/// All resolvers of a loop share it. A base lives as long as its loop: evdns goes on using one for a moment after it has
/// answered, so it must not go with the last lookup. **Thread:** the loop's.
final class NameServices {
    /// A set of files, and whether the search domains of resolv.conf apply.
    private struct Kind: Hashable {
        let files: ResolverFiles
        let searches: Bool
    }

    private let base: OpaquePointer
    private var services: [Kind: NameService] = [:]
    private var lookups: [ObjectIdentifier: Lookup] = [:]
    private var isShutDown = false

    init(base: OpaquePointer) { self.base = base }

    /// The service that reads `files`, made when first asked for.
    func service(_ files: ResolverFiles, searches: Bool) throws(ReactorError) -> NameService {
        let kind = Kind(files: files, searches: searches)
        if let service = services[kind] { return service }
        let service = try NameService(base: base, files: files, searches: searches)
        services[kind] = service
        return service
    }

    /// Asks for a name's addresses.
    ///
    /// - Returns: The lookup, nil after the loop's end.
    func look(
        up name: String, port: UInt16, with service: NameService,
        _ deliver: @escaping (Result<[SocketAddress], ReactorError>) -> Void
    ) -> Lookup? {
        guard !isShutDown else { return nil }
        let lookup = Lookup(name: name, port: port, owner: self, deliver)
        lookups[ObjectIdentifier(lookup)] = lookup
        lookup.start(service)
        return lookup
    }

    /// Cancels all lookups and frees all bases.
    func shutDown() {
        guard !isShutDown else { return }
        isShutDown = true
        guard !services.isEmpty else { return }
        for lookup in lookups.values { lookup.cancel() }
        // One more turn: libevent frees a cancelled lookup when it has told so.
        event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK)
        lookups = [:]
        for service in services.values { service.free() }
        services = [:]
    }

    fileprivate func remove(_ lookup: Lookup) { lookups[ObjectIdentifier(lookup)] = nil }
}

/// The owner of one `evdns_base`, which goes with its loop: resolvers may outlive that.
final class NameService {
    fileprivate private(set) var raw: OpaquePointer?

    fileprivate init(base: OpaquePointer, files: ResolverFiles, searches: Bool) throws(ReactorError) {
        guard let raw = evdns_base_new(base, 0) else { throw .last("make a resolver") }
        self.raw = raw
        // The value tells a missing or odd file, which leaves the default that resolv.conf(5) names: a server on
        // loopback; and without the hosts file there are just no hosts.
        evdns_base_load_hosts(raw, files.hosts)
        evdns_base_resolv_conf_parse(
            raw, DNS_OPTION_SEARCH | DNS_OPTION_NAMESERVERS | DNS_OPTION_MISC, files.configuration)
        if !searches { evdns_base_search_clear(raw) }
        // To see whether a silent server is back, evdns asks it for a well-known name of its own choice. Nobody wants
        // that in a test's name server log; a server that answers anything is taken back without it.
        evdns_base_set_option(raw, "initial-probe-timeout:", "3600")
    }

    fileprivate func free() {
        // 0: the requests that are left get no callback.
        if let raw = raw.take() { evdns_base_free(raw, 0) }
    }
}

/// One question to evdns.
///
/// **Ownership:** `NameServices` holds it until libevent has answered, cancelled or not.
final class Lookup {
    private let name: String
    private let port: UInt16
    private unowned let owner: NameServices
    private var deliver: ((Result<[SocketAddress], ReactorError>) -> Void)?
    private var request: OpaquePointer?

    fileprivate init(
        name: String, port: UInt16, owner: NameServices,
        _ deliver: @escaping (Result<[SocketAddress], ReactorError>) -> Void
    ) {
        self.name = name
        self.port = port
        self.owner = owner
        self.deliver = deliver
    }

    fileprivate func start(_ service: NameService) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_protocol = Int32(IPPROTO_TCP)
        let context = Unmanaged.passUnretained(self).toOpaque()
        // Nil if it answered at once, inside this call.
        request = evdns_getaddrinfo(service.raw, name, nil, &hints, lookupAnswered, context)
    }

    /// Gives up: nothing will be delivered.
    func cancel() {
        deliver = nil
        guard let request else { return }
        self.request = nil
        evdns_getaddrinfo_cancel(request)
    }

    fileprivate func answered(_ code: Int32, _ list: UnsafeMutablePointer<addrinfo>?) {
        request = nil
        owner.remove(self)
        guard let deliver else { return }
        self.deliver = nil
        var addresses: [SocketAddress] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let raw = entry.ai_addr else { continue }
            guard let address = SocketAddress(raw, length: entry.ai_addrlen, port: port) else { continue }
            addresses.append(address)
        }
        if code == 0 && !addresses.isEmpty {
            deliver(.success(addresses))
        } else {
            let code = code == 0 ? EAI_NONAME : code
            deliver(.failure(ReactorError(operation: "resolve \(name)", code: .resolution(code))))
        }
    }
}

private func lookupAnswered(
    _ code: Int32, _ list: UnsafeMutablePointer<addrinfo>?, _ context: UnsafeMutableRawPointer?
) {
    let lookup: Lookup = owner(of: context)
    lookup.answered(code, list)
    if let list { evutil_freeaddrinfo(list) }
}
