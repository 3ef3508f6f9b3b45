extension PolicyReason {
    /// The reason as one word for programs, such as `pinMatched` or `trustKit.expired`: the name of its kind, and behind a
    /// point that of a library's own finding.
    public var code: String {
        var names = [Self.name(of: kind)]
        switch kind {
        case .alamofire(let finding): names.append(Self.name(of: finding))
        case .trustKit(let finding): names.append(Self.name(of: finding))
        case .pinnedDomains(let finding): names.append(Self.name(of: finding))
        case .transportSecurity(let finding): names.append(Self.name(of: finding))
        case .invalidConfiguration(let fault): names.append(Self.name(of: fault.kind))
        default: break
        }
        return names.joined(separator: ".")
    }

    /// The name of an enumeration's case, without its values.
    private static func name(of value: some Any) -> String {
        Mirror(reflecting: value).children.first?.label ?? "\(value)"
    }
}
