internal import Foundation
internal import Pinning
internal import Wire

/// What `pinproof check --list-policies` prints.
enum PolicyList {
    /// A paragraph for each policy.
    static var text: String {
        Tutorial.all.map { tutorial in
            var paragraph = "\(tutorial.name) (\(tutorial.rule))\n" + TextLayout.wrap(tutorial.lesson, indent: 4)
            for note in notes(on: tutorial) { paragraph += TextLayout.wrap(note, indent: 4) }
            return paragraph
        }.joined(separator: "\n")
    }

    /// The same as one JSON document.
    static func json() throws -> [UInt8] {
        let document = Tutorial.all.map { tutorial in
            var row: [String: Any] = [
                "name": tutorial.name, "rule": tutorial.rule.description, "lesson": tutorial.lesson,
                "pins": tutorial.pinUse.rawValue, "http": tutorial.hasPlainBranch,
                "identity": description(tutorial.identity?.conduct ?? .never),
            ]
            if tutorial.usesHostList { row["hosts"] = Tutorial.listedHosts.map(\.text) }
            if let identity = tutorial.identity { row["otherChallenges"] = identity.otherChallenges.rawValue }
            if let unconfirmed = tutorial.unconfirmed { row["notConfirmed"] = unconfirmed }
            return row
        }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return [UInt8](try JSONSerialization.data(withJSONObject: document, options: options)) + [0x0A]
    }

    /// A conduct for JSON.
    static func description(_ conduct: IdentityConduct) -> [String: Any] {
        switch conduct {
        case .never: ["given": "never"]
        case .whenAsked(let leafOnly): ["given": "whenAsked", "leafOnly": leafOnly]
        case .always: ["given": "always"]
        }
    }

    private static func notes(on tutorial: Tutorial) -> [String] {
        var notes: [String] = []
        switch tutorial.pinUse {
        case .needed: notes.append("Pins: needed (--pin).")
        case .ignored: notes.append("Pins: accepted, and never looked at.")
        case .none: break
        }
        if tutorial.usesHostList {
            notes.append("Hosts: \(Tutorial.listedHosts.map(\.text).joined(separator: ", ")) (--policy-host).")
        }
        if let identity = tutorial.identity { notes.append("Identity: \(identity.file); \(identity.conduct).") }
        if let unconfirmed = tutorial.unconfirmed { notes.append("Not confirmed: \(unconfirmed).") }
        return notes
    }
}
