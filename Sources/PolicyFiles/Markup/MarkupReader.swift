internal import Foundation
internal import FoundationXML

/// Reads XML into elements, within bounds, with errors of its own that name the line.
///
/// Entities from outside are never read, and a file that declares entities of its own is refused before it is parsed.
enum MarkupReader {
    /// How deep elements may be nested; the formats that are read need about a dozen levels.
    static let depthLimit = 64
    /// How many elements there may be.
    static let elementLimit = 20_000

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - contents: What is in it.
    ///   - context: For errors.
    ///   - allowsDocumentType: Whether a document type declaration may be there, if nothing is declared in it.
    /// - Returns: The outermost element.
    /// - Throws: What is wrong with the XML, and in which line.
    static func read(
        _ contents: [UInt8], _ context: LoadingContext, allowsDocumentType: Bool
    ) throws(PolicyFileError) -> MarkupElement {
        try context.expectUTF8(contents)
        if let encoding = MarkupEncoding.foreign(in: contents) {
            throw context.error(
                "the encoding \(encoding.quoted) is not read", at: .line(1), mend: "save it as UTF-8, and say so")
        }
        guard let prolog = MarkupProlog(contents) else { throw context.error("it is no XML") }
        if let line = prolog.documentTypeLine, !allowsDocumentType || prolog.hasInternalSubset {
            throw documentType(line, context)
        }
        // Blanks before the declaration are an error to the parser, and to Android's and Apple's.
        let parser = XMLParser(data: Data(contents))
        parser.shouldResolveExternalEntities = false
        let builder = MarkupBuilder()
        parser.delegate = builder
        _ = parser.parse()
        // The parser goes on behind errors and may call that success.
        if let fault = builder.fault { throw context.error(fault.reason, at: .line(fault.line), mend: fault.mend) }
        guard let root = builder.root else { throw context.error("it holds no element") }
        return root
    }

    /// The error of a document type declaration.
    static func documentType(_ line: Int, _ context: LoadingContext) -> PolicyFileError {
        context.error(
            "a document type declaration, which may declare entities, is not read", at: .line(line), mend: "remove it")
    }
}

/// Builds elements of what the parser finds.
private final class MarkupBuilder: NSObject, XMLParserDelegate {
    struct Fault {
        var line: Int
        var reason: String
        var mend: String?
    }

    private(set) var root: MarkupElement?
    private(set) var fault: Fault?
    private var open: [MarkupElement] = []
    private var count = 0

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        count += 1
        guard open.count < MarkupReader.depthLimit else { return stop(parser, "elements are nested too deeply") }
        guard count <= MarkupReader.elementLimit else { return stop(parser, "there are too many elements") }
        open.append(MarkupElement(name: name, attributes: attributes, line: parser.lineNumber))
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard let element = open.popLast() else { return }
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { append(text) }

    func parser(_ parser: XMLParser, foundCDATA block: Data) { append(String(decoding: block, as: UTF8.self)) }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        let code = (error as NSError).code
        guard fault == nil, !MarkupFault.warnings.contains(code) else { return }
        let known = MarkupFault.texts[code]
        fault = Fault(
            line: max(1, parser.lineNumber),
            reason: known?.reason ?? "it is no well-formed XML (libxml2 error \(code))",
            mend: known?.mend)
        parser.abortParsing()
    }

    private func append(_ text: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += text
    }

    private func stop(_ parser: XMLParser, _ reason: String) {
        if fault == nil { fault = Fault(line: max(1, parser.lineNumber), reason: reason) }
        parser.abortParsing()
    }
}

/// What libxml2's error numbers mean; Foundation has no text for them here.
private enum MarkupFault {
    /// Numbers of what is no error (`XML_WAR_`).
    static let warnings = 97...100

    static let texts: [Int: (reason: String, mend: String?)] = [
        5: ("the file ends before its elements do, or something follows them", nil),
        6: ("a reference to a character is none", nil),
        9: ("a character that XML does not allow", nil),
        26: ("an entity that is not declared", "XML knows &amp; &lt; &gt; &quot; and &apos; only"),
        32: ("the encoding is not known", "save it as UTF-8"),
        38: ("an attribute's value holds a <, or does not end", nil),
        39: (
            "an attribute's value does not begin with a quotation mark",
            "typographic quotation marks are none: write \" or '"
        ),
        40: ("an attribute's value does not end", nil),
        41: ("an attribute without a value", nil),
        42: ("an attribute is there twice", nil),
        46: ("a processing instruction does not begin as one does", nil),
        64: ("the XML declaration is not at the file's beginning", "remove what stands before <?xml"),
        65: ("a blank is missing between attributes", nil),
        68: ("a name is missing behind < or &", "write &lt; and &amp; for the characters themselves"),
        73: ("a tag does not end", nil),
        76: ("an element ends with another one's tag", nil),
        77: ("an element does not end", nil),
        80: ("a comment holds two hyphens in a row", nil),
        81: ("it is not in the encoding that it names, or not in UTF-8", "save it as UTF-8"),
        201: ("a name's prefix is not declared", "declare it with xmlns:"),
    ]
}
