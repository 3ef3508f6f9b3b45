public struct ObservedHead: Sendable, Equatable {
    public var sender: HTTPHeadWatch.Sender
    public var exchange: UInt64
    public var version: String
    public var method: String?
    public var scheme: String?
    public var authority: String?
    public var target: String?
    public var status: Int?
    public var fields: [HTTPHeader]
    public var length: UInt64
}
public struct HTTPHeadWatch {
    public enum Sender: Sendable { case client, origin }
    public enum Observation: Sendable, Equatable {
        case head(ObservedHead)
        case contentEnded(Sender, exchange: UInt64, bytes: UInt64)
    }
    public init(applicationProtocol: String?) {}
    public mutating func observe(_ sender: Sender, _ bytes: UnsafeRawBufferPointer) -> [Observation] { [] }
    public mutating func finish(_ sender: Sender) -> [Observation] { [] }
    public var isWatching: Bool { false }
}
