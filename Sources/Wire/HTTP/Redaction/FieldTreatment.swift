/// What is done with a field's value before it is recorded.
enum FieldTreatment {
    /// The whole value is a secret.
    case secret
    /// A scheme, which stays, and credentials (RFC 9110 section 11.4).
    case credentials
    /// Pairs of a client's cookies, whose names stay (RFC 6265 section 4.2).
    case cookies
    /// A cookie with its attributes, which stay (RFC 6265 section 4.1).
    case cookieSetting
    /// A host and a port, with a userinfo that does not belong there.
    case authority
    /// Names of subprotocols, among which browsers hide tokens: they can set no other field of a WebSocket.
    case protocols
    /// What holds no secret by its meaning; only tokens that are known by their look are taken out.
    case harmless
    /// Anything: it is looked through for schemes with credentials, tokens, URLs and parameters.
    case open

    /// Finds what is to be done with a field of this name, in any case.
    init(_ name: String) {
        let name = Array(name.utf8)
        let lowered = name.map(\.asciiLowercased)
        if let known = Self.known[lowered] {
            self = known
        } else if Self.harmlessPrefixes.contains(where: { lowered.starts(with: $0) }) {
            self = .harmless
        } else if SecretNames.isSecret(name[...], isParameter: false) {
            // X-Forwarded-Authorization and the like have schemes too.
            self =
                Self.ending.count <= lowered.count && lowered.suffix(Self.ending.count).elementsEqual(Self.ending)
                ? .credentials : .secret
        } else {
            self = .open
        }
    }

    private static let ending = Array("authorization".utf8)

    /// Fields whose names would say something else than they mean, or nothing.
    private static let known: [[UInt8]: FieldTreatment] = {
        let names: [(FieldTreatment, [String])] = [
            (.cookies, ["cookie"]),
            (.cookieSetting, ["set-cookie"]),
            (.authority, ["host"]),
            (.protocols, ["sec-websocket-protocol"]),
            (
                .harmless,
                [
                    "cache-control", "content-security-policy", "content-security-policy-report-only", "content-type",
                    "date", "etag", "feature-policy", "permissions-policy", "proxy-authenticate", "user-agent", "vary",
                    "www-authenticate", "cache-key", "idempotency-key", "sec-websocket-key", "surrogate-key",
                    "x-cache-key",
                ]
            ),
        ]
        let pairs = names.flatMap { treatment, names in names.map { (Array($0.utf8), treatment) } }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    private static let harmlessPrefixes = ["accept", "access-control-"].map { Array($0.utf8) }
}
