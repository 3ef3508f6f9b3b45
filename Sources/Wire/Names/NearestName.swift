/// The name that was probably meant.
public enum NearestName {
    /// Finds the candidate with the smallest edit distance to `word`, whatever the case of letters.
    ///
    /// - Parameters:
    ///   - word: What was written.
    ///   - candidates: The names that there are.
    /// - Returns: The nearest one, the first of several; nil if more than a third of the letters (of one letter, in
    ///   short words) would have to change.
    public static func of(_ word: String, among candidates: some Sequence<String>) -> String? {
        let written = word.lowercased()
        let ranked = candidates.map { (name: $0, distance: editDistance(written, $0.lowercased())) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, min(word.count, best.name.count) / 3) ? best.name : nil
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other
    /// (the optimal string alignment distance).
    package static func editDistance(_ left: String, _ right: String) -> Int {
        // A word longer than any name gets nowhere near one; cutting it bounds the work.
        let (left, right) = (Array(left.prefix(64)), Array(right.prefix(64)))
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
