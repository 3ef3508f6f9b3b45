internal import Pinning
internal import Wire

/// Reads an app's Info.plist, or a file that holds TrustKit's configuration alone.
struct InformationLoader {
    let context: LoadingContext

    init(_ context: LoadingContext) { self.context = context }

    /// Reads the file's contents.
    func load(_ contents: [UInt8]) throws(PolicyFileError) -> AppleInformation {
        guard let root = try PropertyListReader.read(contents, context).entries else {
            throw context.error("its outermost value is no dictionary")
        }
        let trustKit = TrustKitLoader(context)
        if root["TSKPinnedDomains"] != nil, root["TSKConfiguration"] == nil {
            return AppleInformation(trustKit: try trustKit.load(root, at: []))
        }
        var information = AppleInformation()
        if let value = root["TSKConfiguration"] {
            guard let entries = value.entries else {
                throw context.error(
                    "\(value.kindName) where TrustKit wants a dictionary", at: .key(["TSKConfiguration"]))
            }
            information.trustKit = try trustKit.load(entries, at: ["TSKConfiguration"])
        } else if let near = root.keys.sorted().first(where: { NearestName.of($0, among: ["TSKConfiguration"]) != nil })
        {
            context.remark("the key is skipped; did you mean TSKConfiguration?", at: .key([near]))
        }
        TransportSecurityRemarks(context).note(root)
        information.pinnedDomains = PinnedDomains(information: root)
        information.transportSecurity = TransportSecurity(
            properties: root["NSAppTransportSecurity"]?.entries ?? [:])
        return information
    }
}

extension PropertyValue {
    /// What kind of value it is, for messages.
    var kindName: String {
        switch self {
        case .boolean: "a boolean"
        case .integer, .real: "a number"
        case .string: "a text"
        case .data: "data"
        case .date: "a date"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }
}
