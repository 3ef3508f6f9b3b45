/// Finds what somebody meant who wrote a name that does not exist.
enum NearestName {
    /// The known name that is written most alike.
    ///
    /// - Parameters:
    ///   - name: What was written.
    ///   - known: The names that exist.
    /// - Returns: The nearest; nil if all are too far away to be meant.
    static func of(_ name: String, among known: some Sequence<String>) -> String? {
        let letters = Array(name.lowercased().utf8.prefix(lengthLimit))
        let nearest = known.map { ($0, distance(letters, Array($0.lowercased().utf8))) }.min {
            ($0.1, $0.0) < ($1.1, $1.0)
        }
        guard let nearest, nearest.1 <= max(2, letters.count / 3) else { return nil }
        return nearest.0
    }

    /// The question that an error ends with; empty if no name is near.
    static func question(_ name: String, among known: some Sequence<String>) -> String {
        of(name, among: known).map { "; did you mean \($0)?" } ?? ""
    }

    private static let lengthLimit = 100

    /// How many letters have to be put in, taken out or replaced (Levenshtein).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let above = row[column + 1]
                row[column + 1] = min(above + 1, row[column] + 1, diagonal + (letter == other ? 0 : 1))
                diagonal = above
            }
        }
        return row[right.count]
    }
}
