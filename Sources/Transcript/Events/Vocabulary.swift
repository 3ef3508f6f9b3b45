/// One of the two sessions of an intercepted connection.
public enum Side: String, Sendable, Equatable, CaseIterable {
    /// Between the client and the proxy.
    case client
    /// Between the proxy and the origin.
    case origin
}

/// Which way bytes went, seen from the proxy.
public enum Direction: String, Sendable, Equatable {
    /// From the peer to the proxy.
    case received
    /// From the proxy to the peer.
    case sent
}

/// Who did something, or is at fault.
public enum Party: String, Sendable, Equatable {
    /// The app under test.
    case client
    /// The real server.
    case origin
    /// Pinproof itself, or its configuration.
    case proxy
}

/// Where in its life a connection is.
public enum Phase: String, Sendable, Equatable, CaseIterable {
    /// Nothing understood yet.
    case greeting
    /// Resolving and connecting to the origin.
    case connecting
    /// Waiting for the client's whole ClientHello.
    case hello
    /// TLS with the origin.
    case originHandshake
    /// Minting the leaf.
    case forging
    /// TLS with the client.
    case clientHandshake
    /// Carrying application bytes.
    case relay
    /// One side has ended; what is left is being delivered.
    case closing
}

/// What the rules decided for a connection.
public enum Decision: String, Sendable, Equatable {
    /// Terminate the client's TLS and re-originate it.
    case intercept
    /// Relay the bytes untouched.
    case tunnel
    /// Do not serve it.
    case refuse
    /// Terminate the client's TLS and answer in the origin's place.
    case answer
}
