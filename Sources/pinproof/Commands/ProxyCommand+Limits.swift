internal import Engine
internal import Interception
internal import Reactor

extension ProxyCommand {
    /// Sets what the options say of time and size.
    ///
    /// - Throws: What writing the warning throws that there are too few descriptors.
    static func setLimits(of configuration: inout ProxyConfiguration, _ options: ProxyOptions) throws {
        configuration.limits.greeting = options.greetingTimeout
        configuration.limits.connect = options.connectTimeout
        configuration.limits.silence = options.silenceTimeout
        configuration.limits.hello = options.helloTimeout
        configuration.limits.handshake = options.handshakeTimeout
        configuration.limits.idle = options.idleTimeout
        configuration.limits.drain = options.drainTimeout
        configuration.sizes.greeting = options.maxGreeting
        configuration.sizes.hello = options.maxHello
        configuration.chainSize = options.maxChain
        configuration.relayBuffer = options.maxBuffer

        let room = connections(withDescriptors: DescriptorLimit.raise())
        configuration.maxConnections = options.maxConnections ?? min(room, usualConnections)
        guard configuration.maxConnections > room else { return }
        try StandardStream.error.write(
            "pinproof: warning: open files are limited to so many that \(room) connections fit, not "
                + "\(configuration.maxConnections): raise the hard limit (ulimit -Hn)\n")
    }

    /// How many connections fit into so many descriptors: two for each, but for what else needs some.
    static func connections(withDescriptors limit: Int) -> Int { max((limit - reservedDescriptors) / 2, 1) }

    private static let usualConnections = 10_000
    /// For loops, files, name servers and what runs beside them.
    private static let reservedDescriptors = 64
}
