internal import Engine
internal import Interception
internal import Reactor

extension InterceptionOptions {
    /// Sets what the options say of time and size.
    ///
    /// - Throws: What writing the warning throws that there are too few descriptors.
    func setLimits(of configuration: inout ProxyConfiguration) throws {
        configuration.limits.greeting = greetingTimeout
        configuration.limits.connect = connectTimeout
        configuration.limits.silence = silenceTimeout
        configuration.limits.hello = helloTimeout
        configuration.limits.handshake = handshakeTimeout
        if let idleTimeout { configuration.limits.idle = idleTimeout }
        configuration.sizes.greeting = maxGreeting
        configuration.sizes.hello = maxHello
        configuration.chainSize = maxChain
        configuration.relayBuffer = maxBuffer

        let room = Self.connections(withDescriptors: DescriptorLimit.raise())
        configuration.maxConnections = maxConnections ?? min(room, Self.usualConnections)
        // The search is part of the handshake, which is to end with its reason and not with its own limit.
        configuration.limits.issuers = min(configuration.limits.issuers, handshakeTimeout / 2)
        guard configuration.maxConnections > room || room < Self.scarce else { return }
        try StandardStream.error.write(
            "pinproof: warning: open files are limited to so many that \(room) connection\(room == 1 ? " fits" : "s fit"): "
                + "raise the limit (ulimit -n)\n")
    }

    /// How many connections fit into so many descriptors: two for each, but for what else needs some.
    static func connections(withDescriptors limit: Int) -> Int { max((limit - reservedDescriptors) / 2, 1) }

    private static let usualConnections = 10_000
    /// For loops, files, name servers and what runs beside them.
    private static let reservedDescriptors = 32
    /// So few that one client may need all of them.
    private static let scarce = 100
}
