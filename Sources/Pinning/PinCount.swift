/// How many certificates or keys of a path are pinned, and how many were asked for: AFNetworking 2.x counts.
public struct PinCount: Hashable, Sendable {
    /// What was counted.
    public enum Unit: String, Sendable {
        /// Certificates of the path that are pins.
        case certificates
        /// Pairs of a key of the path and an equal key of a pin: pins that share a key count twice.
        case keyPairs
    }

    /// How many were asked for.
    public enum Demand: Hashable, Sendable {
        /// As many as the path has certificates.
        case all
        /// One less than that.
        case allButOne
        /// One at least.
        case any
    }

    /// What was counted.
    public let unit: Unit
    /// How many there are.
    public let count: Int
    /// How many certificates the path has.
    public let pathLength: Int
    /// How many were asked for.
    public let demand: Demand

    /// Joins a count and what was asked for.
    public init(_ unit: Unit, count: Int, pathLength: Int, demand: Demand) {
        self.unit = unit
        self.count = count
        self.pathLength = pathLength
        self.demand = demand
    }

    /// Whether there are as many as were asked for.
    public var isMet: Bool {
        switch demand {
        // No key at all is never enough (PS-1.2-2); no certificate at all is a path that no pin anchors.
        case .all: count == pathLength && count > 0
        case .allButOne: count == pathLength - 1
        case .any: count > 0
        }
    }
}

extension PinCount: CustomStringConvertible {
    /// The count and the demand in one line.
    public var description: String {
        let counted =
            switch unit {
            case .certificates: "\(count) of the path's \(pathLength) certificates \(count == 1 ? "is" : "are") pinned"
            case .keyPairs: "\(count) \(count == 1 ? "pair" : "pairs") of equal keys on a path of \(pathLength)"
            }
        let wanted =
            switch demand {
            case .all: "\(pathLength), one for each certificate"
            case .allButOne: "\(pathLength - 1), one less than the path has"
            case .any: "at least 1"
            }
        return "\(counted); the library wants \(wanted)"
    }
}
