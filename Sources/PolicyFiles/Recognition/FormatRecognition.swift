extension PolicyFormat {
    /// Recognises a file by its contents.
    ///
    /// - Parameters:
    ///   - contents: What is in it.
    ///   - context: For errors.
    /// - Throws: What was seen, and which formats there are.
    init(recognising contents: [UInt8], _ context: LoadingContext) throws(PolicyFileError) {
        if ByteOrderMark.wideEncoding(of: contents) != nil { try context.expectUTF8(contents) }
        if PropertyListReader.recognises(contents) {
            self = .infoPlist
        } else if let prolog = MarkupProlog(contents) {
            guard prolog.rootName == "network-security-config" else {
                if prolog.rootName == nil, prolog.hasInternalSubset, let line = prolog.documentTypeLine {
                    throw MarkupReader.documentType(line, context)
                }
                let name = prolog.rootName.map { ", whose outermost element is <\($0.filter { $0.isASCII })>" } ?? ""
                throw Self.unknown("XML\(name)", context)
            }
            self = contents.contains(Array("<trustkit-config".utf8)) ? .trustKitAndroid : .networkSecurityConfig
        } else {
            if contents.starts(with: ByteOrderMark.utf8) {
                throw context.error("it begins with a byte order mark", at: .line(1), mend: ByteOrderMark.advice)
            }
            let start = contents.first { !MarkupProlog.isBlank($0) }
            switch start {
            case nil: throw Self.unknown("nothing", context)
            case UInt8(ascii: "{")?: self = try Self.json(try JSONValue(contents, context), context)
            case UInt8(ascii: "[")?: throw Self.unknown("a JSON array, perhaps", context)
            default:
                guard !contents.prefix(4).contains(0), CurlArguments.recognises(contents) else {
                    throw Self.unknown(Self.kind(of: contents), context)
                }
                self = .curl
            }
        }
    }

    private static func json(_ value: JSONValue, _ context: LoadingContext) throws(PolicyFileError) -> PolicyFormat {
        guard case .object(let members) = value else { throw unknown("JSON", context) }
        if members.contains(where: { $0.name == "library" }) { return .profile }
        if let key = members.map(\.name).first(where: { ["TSKConfiguration", "TSKPinnedDomains"].contains($0) }) {
            throw context.error(
                "TrustKit's configuration is a property list, and this is JSON", at: .key([key]),
                mend: "convert it with plutil -convert xml1")
        }
        guard let first = members.first else { throw unknown("an empty JSON object", context) }
        let kind = first.value.kindName
        switch first.value {
        case .array where members.allSatisfy({ $0.value.kindName == kind }): return .okHttp
        case .object where members.allSatisfy({ $0.value.kindName == kind }): return .reactNative
        default:
            throw unknown("a JSON object, whose member \(first.name.quoted) is \(kind)", context)
        }
    }

    private static func kind(of contents: [UInt8]) -> String {
        if contents.contains(PEMMarks.begin) { return "PEM, which is no policy but may be named in one" }
        if contents.first == 0x30 { return "DER, perhaps, which is no policy but may be named in one" }
        guard !contents.prefix(4).contains(0),
            let text = String(validating: contents.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        else {
            return "no text"
        }
        return "text that begins with \(text.quoted)"
    }

    private static func unknown(_ seen: String, _ context: LoadingContext) -> PolicyFileError {
        let formats = allCases.map(\.rawValue).joined(separator: ", ")
        return context.error(
            "it is none of the formats that are recognised; it holds \(seen)",
            mend: "the formats are \(formats): name the right one")
    }
}
