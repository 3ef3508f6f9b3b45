internal import Wire

/// Attributes as Android's resource compiler and its XML parser read them.
extension LoadingContext {
    /// Reads an attribute that is true or false.
    ///
    /// The compiler makes a boolean or a number of some texts; to the platform all others are as good as absent.
    func flag(_ name: String, of element: MarkupElement) -> Bool? {
        guard let text = element.attributes[name] else { return nil }
        switch text {
        case "true", "TRUE", "True": return true
        case "false", "FALSE", "False": return false
        default:
            if let number = Int32(text) { return number != 0 }
            remark("\(name) is \(text.quoted), neither true nor false: it counts as absent", at: element.place)
            return nil
        }
    }

    /// Notes attributes that are not read.
    func noteUnknownAttributes(of element: MarkupElement, known: [String]) {
        for name in element.attributes.keys.sorted() where !known.contains(name) {
            let prefix = name.split(separator: ":").first.map(String.init) ?? ""
            if name == "xmlns" || ["xmlns", "tools", "xml"].contains(prefix) && name.contains(":") { continue }
            let question = NearestName.question(name, among: known)
            remark("<\(element.name)> has no attribute \(name.quoted): it is skipped\(question)", at: element.place)
        }
    }

    /// Notes an element that is skipped with all that is in it.
    func noteSkipped(_ element: MarkupElement, in parent: MarkupElement, known: [String]) {
        if ["certificateTransparency", "domain-encryption", "domainEncryption"].contains(element.name) {
            remark("<\(element.name)> is known to the newest platforms only and not emulated", at: element.place)
            return
        }
        let question = NearestName.question(element.name, among: known)
        remark("<\(element.name)> means nothing in <\(parent.name)>: it is skipped\(question)", at: element.place)
    }
}
