/// Draws the steps of a connection between three lines: the client, the proxy, and the origin.
struct LadderDrawing {
    private let colour: Bool
    /// The columns between the client's line and the proxy's, and between the proxy's and the origin's.
    private let gap: Int

    private static let timeWidth = 8
    /// What a diagram needs at least to be one.
    private static let narrowest = 24

    /// Says how the diagram is to look.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - colour: Whether to mark steps with control sequences.
    init(width: Int, colour: Bool) {
        self.colour = colour
        // Three lines, and a blank after the time.
        gap = max(Self.narrowest, min((width - Self.timeWidth - 4) / 2, 60))
    }

    /// The diagram, with a newline at the end of each line.
    ///
    /// - Parameters:
    ///   - steps: What happened.
    ///   - start: The time that counts as zero.
    /// - Returns: Its lines.
    func text(for steps: [LadderStep], start: UInt64) -> String {
        var lines = [heading]
        for step in steps {
            let texts = step.figure == .remark ? remark(step) : [arrow(step)]
            for (index, line) in (texts + facts(step)).enumerated() {
                let time = index == 0 ? Self.milliseconds(step.time >= start ? step.time - start : 0) : ""
                lines.append(Self.padded(time, to: Self.timeWidth) + " " + line)
            }
        }
        return lines.map { line in
            String(line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex)]) + "\n"
        }.joined()
    }

    /// The names above the lines: the first at its line, the second in the middle, the last before its line.
    private var heading: String {
        let left = gap + 1 - "client".count - "proxy".count / 2
        let right = gap + 1 - ("proxy".count - "proxy".count / 2) - "origin".count + 1
        let names = "client" + Self.blanks(left) + "proxy" + Self.blanks(right) + "origin"
        return Self.padded("ms", to: Self.timeWidth) + " " + Style.heading.applied(to: names, colour: colour)
    }

    /// The line with a step's arrow.
    private func arrow(_ step: LadderStep) -> String {
        let length = step.span == .both ? 2 * gap + 1 : gap
        let label = TerminalText.clip(TerminalText.escape(step.label), to: length - 6)
        let stroke: Character = step.isEncrypted ? "═" : "─"
        let rest = String(repeating: stroke, count: max(0, length - 5 - TerminalText.width(label)))
        let ends = step.figure == .right ? ("\(stroke)\(stroke)", "►") : ("◄\(stroke)", "\(stroke)")
        let body = "\(ends.0) \(step.style.applied(to: label, colour: colour)) \(rest)\(ends.1)"
        return line(body, step.span)
    }

    /// The lines with a remark.
    private func remark(_ step: LadderStep) -> [String] { texts([step.label], step, margin: 2, style: step.style) }

    /// The lines below an arrow or remark.
    private func facts(_ step: LadderStep) -> [String] { texts(step.facts, step, margin: 4, style: .plain) }

    private func texts(_ paragraphs: [String], _ step: LadderStep, margin: Int, style: Style) -> [String] {
        let length = step.span == .both ? 2 * gap + 1 : gap
        let lines = paragraphs.flatMap { paragraph in
            LineWrap.lines(of: TerminalText.escape(paragraph), width: length - margin - 1).prefix(Self.longestFact)
        }
        return lines.map { text in
            let padding = Self.blanks(length - margin - TerminalText.width(text))
            return line(Self.blanks(margin) + style.applied(to: text, colour: colour) + padding, step.span)
        }
    }

    /// Puts the body of a line between the lines of those whom it is about.
    private func line(_ body: String, _ span: LadderStep.Span) -> String {
        switch span {
        case .client: "│\(body)│\(Self.blanks(gap))│"
        case .origin: "│\(Self.blanks(gap))│\(body)│"
        case .both: "│\(body)│"
        }
    }

    /// How many lines a fact may take.
    private static let longestFact = 4

    /// A time as milliseconds with one decimal, or without any where that is too long.
    private static func milliseconds(_ nanoseconds: UInt64) -> String {
        let tenths = nanoseconds / 100_000
        let whole = tenths / 10
        if whole < 100_000 { return "\(whole).\(tenths % 10)" }
        if whole < 100_000_000 { return "\(whole)" }
        return whole < 1_000_000_000 ? "\(whole / 1000) s" : "\(whole / 86_400_000) d"
    }

    private static func padded(_ text: String, to width: Int) -> String { blanks(width - text.count) + text }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
