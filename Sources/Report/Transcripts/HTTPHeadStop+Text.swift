import Wire

extension HTTPHeadStop {
    /// Why heads are not followed any further, in a few words.
    var explained: String {
        switch self {
        case .malformed: "these bytes are no HTTP that can be understood"
        case .headTooLarge: "a head is larger than what is recorded"
        case .tableTooLarge: "the table of compressed fields is larger than what is kept"
        case .lengthUnclear: "where a message ends cannot be told"
        case .tooManyWaiting: "more waits for an answer than is remembered"
        case .requestUnknown: "a response whose request was not seen"
        }
    }
}
