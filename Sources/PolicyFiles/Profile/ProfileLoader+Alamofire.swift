internal import Pinning
internal import Wire

/// Alamofire's maps of hosts.
extension ProfileLoader {
    /// Reads `policies` (4) or `evaluators` (5).
    func alamofire(
        _ fields: inout JSONObject, _ version: LibraryVersion?
    ) throws(PolicyFileError) -> Profile.Policy {
        let folder = try fields.text("certificates", what: "a folder")
        let place = fields.place("certificates")
        let policies = fields.value("policies")
        let evaluators = fields.value("evaluators")
        if policies != nil, evaluators != nil {
            throw context.error(
                "policies are Alamofire 4's and evaluators Alamofire 5's", at: fields.place("policies"),
                mend: "keep those of the release")
        }
        var hosts = AlamofireHosts()
        hosts.policies = try policies.map { (value) throws(PolicyFileError) in
            try map(value, "policies") { (member, path) throws(PolicyFileError) in
                try policy(member, folder, place, at: path)
            }
        }
        hosts.evaluators = try evaluators.map { (value) throws(PolicyFileError) in
            try map(value, "evaluators") { (member, path) throws(PolicyFileError) in
                try evaluator(member, folder, place, at: path)
            }
        }
        if policies == nil { hosts.allHostsMustBeEvaluated = try fields.flag("allHostsMustBeEvaluated") }
        if let slip = version.flatMap(hosts.slip) {
            throw context.error(slip.reason, at: fields.place(slip.field), mend: slip.mend)
        }
        return .alamofire(hosts)
    }

    private func map<Value>(
        _ value: JSONValue, _ name: String, _ read: (JSONValue, [String]) throws(PolicyFileError) -> Value
    ) throws(PolicyFileError) -> [String: Value] {
        let object = try JSONObject(value, at: [name], context, what: "an object of hosts")
        var values: [String: Value] = [:]
        for member in object.members {
            let path = [name, member.name]
            if member.name != member.name.lowercased() || member.name.contains(where: { "*:/".contains($0) }) {
                context.remark("hosts are compared letter by letter: it matches no URL's host", at: .key(path))
            }
            values[member.name] = try read(member.value, path)
        }
        return values
    }

    /// Takes a name, alone or as the only member of an object with what it is told.
    private func named(
        _ value: JSONValue, of names: [String], at path: [String]
    ) throws(PolicyFileError) -> (name: String, told: JSONValue?) {
        let found: (name: String, told: JSONValue?)
        switch value {
        case .string(let name): found = (name, nil)
        case .object(let members) where members.count == 1: found = (members[0].name, members[0].value)
        default:
            throw context.error(
                "\(value.kindName) where a name is expected, or an object with one name and what it is told",
                at: .key(path))
        }
        guard names.contains(found.name) else {
            let near = NearestName.of(found.name, among: names)
            throw context.error(
                "there is no \(found.name.quoted)", at: .key(path),
                mend: near.map { "did you mean \($0)?" } ?? "it is one of \(names.joined(separator: ", "))")
        }
        return found
    }

    private func fields(_ named: (name: String, told: JSONValue?), at path: [String]) throws(PolicyFileError)
        -> JSONObject
    {
        try JSONObject(named.told ?? .object([]), at: path + [named.name], context, what: "an object of arguments")
    }

    private func pins(
        _ fields: inout JSONObject, _ folder: String?, _ place: PolicyFileError.Place
    ) throws(PolicyFileError) -> [CertificatePin] {
        if let own = try fields.text("certificates", what: "a folder") {
            return try folders.pins(in: own, of: .alamofire, at: fields.place("certificates"))
        }
        guard let folder else {
            throw context.error(
                "certificates is missing", at: .key(fields.path), mend: "name the folder with the certificates' files")
        }
        return try folders.pins(in: folder, of: .alamofire, at: place)
    }

    // MARK: Alamofire 4

    private static let policyNames = [
        "performDefaultEvaluation", "performRevokedEvaluation", "pinCertificates", "pinPublicKeys", "disableEvaluation",
    ]

    private func policy(
        _ value: JSONValue, _ folder: String?, _ place: PolicyFileError.Place, at path: [String]
    ) throws(PolicyFileError) -> Alamofire4Session.ServerTrustPolicy {
        let named = try named(value, of: Self.policyNames, at: path)
        var fields = try fields(named, at: path)
        let policy: Alamofire4Session.ServerTrustPolicy
        switch named.name {
        case "performDefaultEvaluation":
            policy = .performDefaultEvaluation(validateHost: try fields.flag("validateHost") ?? true)
        case "performRevokedEvaluation":
            policy = .performRevokedEvaluation(
                validateHost: try fields.flag("validateHost") ?? true,
                requirePositiveResponse: try fields.flag("requirePositiveResponse") ?? false)
        case "pinCertificates":
            policy = .pinCertificates(
                try pins(&fields, folder, place),
                validateCertificateChain: try fields.flag("validateCertificateChain") ?? true,
                validateHost: try fields.flag("validateHost") ?? true)
        case "pinPublicKeys":
            policy = .pinPublicKeys(
                try pins(&fields, folder, place),
                validateCertificateChain: try fields.flag("validateCertificateChain") ?? true,
                validateHost: try fields.flag("validateHost") ?? true)
        default:
            policy = .disableEvaluation
        }
        try fields.finish()
        return policy
    }

    // MARK: Alamofire 5

    private static let evaluatorNames = [
        "DefaultTrustEvaluator", "RevocationTrustEvaluator", "PinnedCertificatesTrustEvaluator",
        "PublicKeysTrustEvaluator", "CompositeTrustEvaluator", "DisabledTrustEvaluator", "DisabledEvaluator",
    ]

    private func evaluator(
        _ value: JSONValue, _ folder: String?, _ place: PolicyFileError.Place, at path: [String]
    ) throws(PolicyFileError) -> Alamofire5Session.Evaluator {
        let named = try named(value, of: Self.evaluatorNames, at: path)
        if named.name == "CompositeTrustEvaluator" {
            guard case .array(let members)? = named.told else {
                throw context.error("an array of evaluators is expected", at: .key(path + [named.name]))
            }
            var evaluators: [Alamofire5Session.Evaluator] = []
            for (index, member) in members.enumerated() {
                evaluators.append(
                    try evaluator(member, folder, place, at: path + [named.name, String(index)]))
            }
            return .composite(evaluators)
        }
        var fields = try fields(named, at: path)
        let evaluator: Alamofire5Session.Evaluator
        switch named.name {
        case "DefaultTrustEvaluator":
            evaluator = .default(validateHost: try fields.flag("validateHost") ?? true)
        case "RevocationTrustEvaluator":
            evaluator = .revocation(
                performDefaultValidation: try fields.flag("performDefaultValidation") ?? true,
                validateHost: try fields.flag("validateHost") ?? true,
                requirePositiveResponse: try fields.flag("requirePositiveResponse") ?? false)
        case "PinnedCertificatesTrustEvaluator":
            evaluator = .pinnedCertificates(
                try pins(&fields, folder, place),
                acceptSelfSignedCertificates: try fields.flag("acceptSelfSignedCertificates") ?? false,
                performDefaultValidation: try fields.flag("performDefaultValidation") ?? true,
                validateHost: try fields.flag("validateHost") ?? true)
        case "PublicKeysTrustEvaluator":
            evaluator = .publicKeys(
                try pins(&fields, folder, place),
                performDefaultValidation: try fields.flag("performDefaultValidation") ?? true,
                validateHost: try fields.flag("validateHost") ?? true)
        default:
            evaluator = .disabled
        }
        try fields.finish()
        return evaluator
    }
}
