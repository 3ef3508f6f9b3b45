/// What a piece of text means to the reader; on a terminal with colours it is shown.
public enum Style: Sendable, Equatable {
    /// Nothing special.
    case plain
    /// A heading.
    case heading
    /// As it should be.
    case good
    /// Worth a look.
    case warning
    /// Not as it should be.
    case bad

    /// Puts the control sequence of this style around a text, if colours are wanted (ECMA-48, SGR).
    func applied(to text: String, colour: Bool) -> String {
        let parameter: String
        switch self {
        case .plain: return text
        case .heading: parameter = "1"
        case .good: parameter = "32"
        case .warning: parameter = "33"
        case .bad: parameter = "31"
        }
        return colour && !text.isEmpty ? "\u{1B}[\(parameter)m\(text)\u{1B}[0m" : text
    }
}
