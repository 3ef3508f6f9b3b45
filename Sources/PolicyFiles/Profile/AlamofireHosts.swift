internal import Pinning

/// The maps of hosts of Alamofire's two major releases, of which a session has one.
struct AlamofireHosts: Sendable {
    /// `policies` (4); nil if they are not given.
    var policies: [String: Alamofire4Session.ServerTrustPolicy]?
    /// `evaluators` (5); nil if they are not given.
    var evaluators: [String: Alamofire5Session.Evaluator]?
    /// `allHostsMustBeEvaluated` (5); nil if it is not given.
    var allHostsMustBeEvaluated: Bool?

    /// The last release that has the fields.
    var newest: LibraryVersion { policies == nil ? LibraryVersion(5, 12) : LibraryVersion(4, 9, 1) }

    /// A field that a release does not have.
    struct Slip {
        let field: String
        let reason: String
        let mend: String
    }

    /// The field that belongs to the other major release; nil if there is none.
    func slip(in version: LibraryVersion) -> Slip? {
        let isFour = version.major == 4
        let fields: [(name: String, isGiven: Bool)] =
            isFour
            ? [("evaluators", evaluators != nil), ("allHostsMustBeEvaluated", allHostsMustBeEvaluated != nil)]
            : [("policies", policies != nil)]
        guard let field = fields.first(where: \.isGiven)?.name else { return nil }
        return Slip(
            field: field, reason: "Alamofire \(version) has no \(field): they are Alamofire \(isFour ? 5 : 4)'s",
            mend: isFour ? "write policies, or name a release of 5" : "write evaluators, or name a release of 4")
    }
}
