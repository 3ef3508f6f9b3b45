import Transcript

/// Draws a chain of certificates: the leaf at the top, below each the one that issued it.
struct ChainDrawing {
    private let width: Int
    private let colour: Bool

    /// Says how the drawing is to look.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - colour: Whether to mark what is wrong with control sequences.
    init(width: Int, colour: Bool) {
        self.width = width
        self.colour = colour
    }

    /// The drawing, with a newline at the end of each line.
    ///
    /// - Parameters:
    ///   - chain: The certificates, leaf first, as digests.
    ///   - certificates: What is known of them.
    ///   - wall: When the chain was shown, in microseconds since 1970; nil if that is not known.
    /// - Returns: Its lines.
    func text(of chain: [String], certificates: [String: CertificateOutline], at wall: Int64?) -> String {
        var text = ""
        for (index, digest) in chain.enumerated() {
            let isLast = index == chain.count - 1
            let outline = certificates[digest]
            let next = isLast ? nil : certificates[chain[index + 1]]
            let link = outline.flatMap { Self.link(from: $0, to: next, isLast: isLast) }
            text += row("●", outline?.subject ?? "a certificate that the transcript does not hold")
            let margin = link == nil && isLast ? " " : "│"
            for (fact, style) in facts(of: digest, outline, at: wall, isLeaf: index == 0) {
                text += row(margin, fact, style: style)
            }
            if let link { text += row(isLast ? "┆" : "▼", link.text, style: link.style) }
        }
        return text
    }

    /// What joins a certificate to the one below it; nil for one that nothing follows and that needs nothing.
    private static func link(
        from certificate: CertificateOutline, to next: CertificateOutline?, isLast: Bool
    ) -> (text: String, style: Style)? {
        if isLast {
            return certificate.subject == certificate.issuer
                ? nil : ("issued by \(certificate.issuer), not in the chain", .plain)
        }
        guard let next else { return ("issued by \(certificate.issuer)", .plain) }
        return next.subject == certificate.issuer
            ? ("issued by", .plain)
            : ("issued by \(certificate.issuer): not by the one that follows", .warning)
    }

    private func facts(
        of digest: String, _ outline: CertificateOutline?, at wall: Int64?, isLeaf: Bool
    ) -> [(String, Style)] {
        let shortDigest = digest.count > 20 ? "\(digest.prefix(8))…\(digest.suffix(8))" : digest
        guard let outline else { return [("SHA-256 \(shortDigest)", .plain)] }
        var facts: [(String, Style)] = [
            ("\(outline.key), SHA-256 \(shortDigest)", .plain), (outline.validity, .plain),
        ]
        if let wall {
            let seconds = wall / 1_000_000
            if seconds > outline.notAfter { facts.append(("expired when it was shown", .bad)) }
            if seconds < outline.notBefore { facts.append(("not valid yet when it was shown", .bad)) }
        }
        if isLeaf, !outline.names.isEmpty {
            let shown = outline.names.prefix(Self.namesShown).joined(separator: ", ")
            let others = outline.names.count - Self.namesShown
            facts.append((shown + (others > 0 ? " and \(others) more" : ""), .plain))
        }
        if outline.isSelfSigned { facts.append(("self-signed", isLeaf ? .warning : .plain)) }
        return facts
    }

    private func row(_ mark: String, _ fact: String, style: Style = .plain) -> String {
        let lines = LineWrap.lines(of: TerminalText.escape(fact), width: max(20, width - 4))
        return lines.enumerated().map { index, line in
            let margin = index == 0 ? mark : (mark == "●" ? "│" : mark == "▼" ? " " : mark)
            return "  \(margin) ".trimmed(before: line) + style.applied(to: line, colour: colour) + "\n"
        }.joined()
    }

    private static let namesShown = 8
}

extension String {
    /// The margin of a line, without the blanks at its end if the line is empty.
    fileprivate func trimmed(before line: String) -> String {
        line.isEmpty ? String(self[..<(lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex)]) : self
    }
}
