public import Wire

extension Side {
    /// The side whose peer sends: requests come from the client, responses from the origin.
    public init(_ sender: HTTPSender) { self = sender == .client ? .client : .origin }

    /// Who sends there.
    public var sender: HTTPSender { self == .client ? .client : .origin }
}
