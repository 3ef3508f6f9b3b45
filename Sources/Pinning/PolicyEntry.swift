/// The part of a configuration that is for one host.
public struct PolicyEntry: Hashable, Sendable {
    /// What it is for, as it is written: a host, a domain or a pattern; several where a library joins them.
    public let names: [String]
    /// The pins that it asks for, as they are written, or by the names of their files.
    public let pins: [String]

    /// Joins names and pins.
    public init(names: [String], pins: [String]) {
        self.names = names
        self.pins = pins
    }
}
