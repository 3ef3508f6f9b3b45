public import Transcript
internal import Wire

/// An event and the line that it must become, written by hand.
public struct EventSample: Sendable, CustomStringConvertible {
    /// The event.
    public let event: Event
    /// Its line, with the newline.
    public let line: String

    /// The beginning of the line, for the names of test cases.
    public var description: String { String(line.prefix(100)) }

    /// A sample of connection 12, one and a half microseconds after the start.
    public init(_ kind: Event.Kind, _ members: String) {
        event = Event(connection: 12, monotonic: 1500, wall: 1_772_373_727_123_456, kind: kind)
        line = #"{"t":1500,"time":"2026-03-01T14:02:07.123456Z","connection":12,"# + members + "}\n"
    }

    /// A sample of the run itself.
    public init(run kind: Event.Kind, monotonic: UInt64, _ members: String) {
        event = Event(connection: nil, monotonic: monotonic, wall: 1_772_373_727_123_456, kind: kind)
        line = #"{"t":\#(monotonic),"time":"2026-03-01T14:02:07.123456Z","connection":null,"# + members + "}\n"
    }

    /// The digest of a leaf.
    public static let leafDigest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    /// The digest of who issued it.
    public static let issuerDigest = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"

    /// One sample of every kind of event; these lines are the examples in `docs/events.md`.
    public static let everyKind: [EventSample] = run + connection + tls

    private static let run: [EventSample] = [
        EventSample(
            run: .runStarted(
                RunStarted(
                    tool: "0.1.0", openssl: "OpenSSL 3.0.22", listeners: ["127.0.0.1:8080", "[::1]:8080"],
                    authorities: [leafDigest], label: "build 1234")),
            monotonic: 0,
            #""event":"runStarted","formatVersion":1,"tool":"0.1.0","openssl":"OpenSSL 3.0.22","#
                + #""listeners":["127.0.0.1:8080","[::1]:8080"],"#
                + #""authorities":["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],"#
                + #""label":"build 1234","rotatesPhases":false"#),
        EventSample(
            run: .runEnded(RunEnded(connections: 12, lost: .max)), monotonic: .max,
            #""event":"runEnded","connections":12,"lost":18446744073709551615"#),
        EventSample(
            run: .runContinued(
                RunContinued(
                    run: RunStarted(
                        tool: "0.1.0", openssl: "OpenSSL 3.0.22", listeners: ["127.0.0.1:8080"],
                        authorities: [leafDigest]),
                    file: 2)),
            monotonic: 1500,
            #""event":"runContinued","formatVersion":1,"tool":"0.1.0","openssl":"OpenSSL 3.0.22","#
                + #""listeners":["127.0.0.1:8080"],"#
                + #""authorities":["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],"#
                + #""label":null,"rotatesPhases":false,"file":2"#),
        EventSample(run: .gap(lost: 3), monotonic: 1500, #""event":"gap","lost":3"#),
        EventSample(
            run: .acceptingPaused(.connections(1000)), monotonic: 1500,
            #""event":"acceptingPaused","reason":"connections","connections":1000,"errno":null"#),
        EventSample(
            run: .acceptingResumed(nanoseconds: 20_500_000), monotonic: 1500,
            #""event":"acceptingResumed","nanoseconds":20500000"#),
        EventSample(
            run: .commandStarted(
                CommandStarted(
                    phase: .untrusted, authority: leafDigest, run: 2, isControl: false, listener: "127.0.0.1:40123",
                    controlHosts: ["example.com"])),
            monotonic: 1500,
            #""event":"commandStarted","phase":"untrusted","#
                + #""authority":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","#
                + #""run":2,"control":false,"listener":"127.0.0.1:40123","controlHosts":["example.com"]"#),
        EventSample(
            run: .commandEnded(CommandEnded(ending: .exit(0), nanoseconds: 153_000_000)), monotonic: 1500,
            #""event":"commandEnded","how":"exit","number":0,"nanoseconds":153000000"#),
    ]

    private static let connection: [EventSample] = [
        EventSample(
            .opened(client: "127.0.0.1:50312", listener: "127.0.0.1:8080"),
            #""event":"opened","client":"127.0.0.1:50312","listener":"127.0.0.1:8080""#),
        EventSample(
            .requested(
                method: "CONNECT", target: "API.example.com.:443", endpoint: Endpoint("API.example.com.:443")),
            #""event":"requested","method":"CONNECT","target":"API.example.com.:443","#
                + #""host":"api.example.com","port":443"#),
        EventSample(.firstRequest(protocol: "h2"), #""event":"firstRequest","protocol":"h2""#),
        EventSample(
            .phase(.untrusted, authority: leafDigest),
            #""event":"phase","phase":"untrusted","#
                + #""authority":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08""#),
        EventSample(
            .decided(.tunnel, rule: "--tunnel *.example.com"),
            #""event":"decided","decision":"tunnel","rule":"--tunnel *.example.com""#),
        EventSample(
            .connected(origin: "[2001:db8::1]:443", nanoseconds: 20_500_000, local: "[2001:db8::2]:40112"),
            #""event":"connected","origin":"[2001:db8::1]:443","nanoseconds":20500000,"#
                + #""local":"[2001:db8::2]:40112""#),
        EventSample(
            .withheldHTTP2(after: .alert(120), offered: ["http/1.1"]),
            #""event":"withheldHTTP2","end":{"how":"alert","code":120,"name":"no_application_protocol"},"#
                + #""offered":["http/1.1"]"#),
        EventSample(.notTLS(.originFirst), #""event":"notTLS","content":"originFirst""#),
        EventSample(
            .framing(.client, .lengthBesideCoding),
            #""event":"framing","side":"client","oddity":"lengthBesideCoding""#),
        EventSample(.firstData(.client), #""event":"firstData","side":"client""#),
        EventSample(
            .answered(status: 502, reason: "originExpired"),
            #""event":"answered","status":502,"reason":"originExpired""#),
        EventSample(
            .ended(.client, .alert(48), .clientHandshake),
            #""event":"ended","side":"client","end":{"how":"alert","code":48,"name":"unknown_ca"},"#
                + #""phase":"clientHandshake""#),
        EventSample(
            .failed(
                Failure(
                    party: .origin, code: .originExpired, phase: .originHandshake,
                    detail: "the certificate expired on 2026-02-28",
                    hint: "--origin-pin accepts exactly this certificate")),
            #""event":"failed","party":"origin","code":"originExpired","phase":"originHandshake","#
                + #""detail":"the certificate expired on 2026-02-28","#
                + #""hint":"--origin-pin accepts exactly this certificate""#),
        EventSample(
            .head(
                ObservedHead(
                    sender: .client, exchange: 1, version: "h2", method: "GET", scheme: "https",
                    authority: "api.example.com", target: "/v1/items",
                    fields: [HTTPHeader(name: "authorization", value: "(redacted)")], length: 61)),
            #""event":"head","side":"client","exchange":1,"version":"h2","method":"GET","scheme":"https","#
                + #""authority":"api.example.com","target":"/v1/items","status":null,"#
                + #""fields":[{"name":"authorization","value":"(redacted)"}],"length":61"#),
        EventSample(
            .contentEnded(.origin, exchange: 1, bytes: 5120),
            #""event":"contentEnded","side":"origin","exchange":1,"bytes":5120"#),
        EventSample(
            .headsStopped(.origin, .headTooLarge),
            #""event":"headsStopped","side":"origin","reason":"headTooLarge""#),
        EventSample(
            .data(.client, offset: 4096, [0x47, 0x45, 0x54]),
            #""event":"data","side":"client","offset":4096,"bytes":"R0VU""#),
        EventSample(
            .verdict(
                RecordedVerdict(name: "rejected", text: "rejected: unknown_ca (48) in the handshake")),
            #""event":"verdict","verdict":"rejected","text":"rejected: unknown_ca (48) in the handshake""#),
        EventSample(
            .closed(
                Closed(
                    by: .client, phase: .relay, client: .closeNotify, origin: .error(104), clientBytes: 1234,
                    originBytes: 3_456_789, nanoseconds: 210_000_000)),
            #""event":"closed","by":"client","phase":"relay","client":{"how":"closeNotify"},"#
                + #""origin":{"how":"error","errno":104},"clientBytes":1234,"originBytes":3456789,"#
                + #""nanoseconds":210000000"#),
    ]

    private static let tls: [EventSample] = [
        EventSample(.hello(HelloRecord.sample), HelloRecord.sampleMembers),
        EventSample(
            .originHello(HelloRecord.sample),
            HelloRecord.sampleMembers.replacing(#""event":"hello""#, with: #""event":"originHello""#)),
        EventSample(.serverHello(.origin, ServerHelloRecord.sample), ServerHelloRecord.sampleMembers),
        EventSample(
            .secret(
                .client,
                SessionSecret(
                    label: "SERVER_HANDSHAKE_TRAFFIC_SECRET", clientRandom: [0xAB, 0xCD], secret: [0x01, 0x02, 0x03])),
            #""event":"secret","side":"client","label":"SERVER_HANDSHAKE_TRAFFIC_SECRET","#
                + #""clientRandom":"abcd","secret":"010203""#),
        EventSample(
            .traffic(.origin, .received, offset: 4096, [0x17, 0x03, 0x03]),
            #""event":"traffic","side":"origin","direction":"received","offset":4096,"bytes":"FwMD""#),
        EventSample(
            .wire(.client, .received, [0x16, 0x03, 0x01, 0x00, 0x01]),
            #""event":"wire","side":"client","direction":"received","bytes":"FgMBAAE=""#),
        EventSample(
            .message(.origin, .sent, [0x01, 0x00, 0x00, 0x00]),
            #""event":"message","side":"origin","direction":"sent","type":1,"name":"client_hello","#
                + #""version":null,"decoded":null,"bytes":"AQAAAA==""#),
        EventSample(
            .alert(.client, .received, level: 2, code: 46),
            #""event":"alert","side":"client","direction":"received","level":2,"code":46,"#
                + #""name":"certificate_unknown""#),
        EventSample(
            .certificate(digest: leafDigest, der: [0x30, 0x82, 0x01]),
            #""event":"certificate","#
                + #""digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","der":"MIIB""#),
        EventSample(
            .chain(.origin, [leafDigest, issuerDigest]),
            #""event":"chain","side":"origin","digests":["#
                + #""9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","#
                + #""60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"]"#),
        EventSample(
            .issuerFetched(
                IssuerFetched(
                    url: "http://pki.example.com:80/ca.cer", digests: [issuerDigest], fromCache: false, fault: nil)),
            #""event":"issuerFetched","url":"http://pki.example.com:80/ca.cer","digests":["#
                + #""60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752"],"#
                + #""fromCache":false,"fault":null"#),
        EventSample(
            .identity(
                IdentityExchange(
                    side: .origin, authorities: ["CN=Clients,O=Example"], chain: [leafDigest], source: "app.p12#app",
                    fault: nil)),
            #""event":"identity","side":"origin","authorities":["CN=Clients,O=Example"],"#
                + #""chain":["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],"#
                + #""source":"app.p12#app","fault":null"#),
        EventSample(
            .forged(
                host: "api.example.com", digest: leafDigest, key: "EC P-256", fromCache: true,
                mirrors: [.expired, .wrongName]),
            #""event":"forged","host":"api.example.com","#
                + #""digest":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","#
                + #""key":"EC P-256","fromCache":true,"mirroredFaults":["expired","wrongName"]"#),
        EventSample(
            .secured(
                .client,
                TLSParameters(
                    version: 0x0304, cipherSuite: 0x1301, cipherSuiteName: "TLS_AES_128_GCM_SHA256",
                    group: "x25519", alpn: "h2", serverName: "api.example.com", resumed: false)),
            #""event":"secured","side":"client","version":{"number":"0x0304","name":"TLS 1.3"},"#
                + #""cipherSuite":{"number":"0x1301","name":"TLS_AES_128_GCM_SHA256"},"group":"x25519","#
                + #""alpn":"h2","serverName":"api.example.com","resumed":false,"proof":null"#),
    ]

    /// Values that the examples leave out: what is absent, and every way to end.
    public static let variants: [EventSample] = [
        EventSample(
            .requested(method: "GET", target: "/", endpoint: nil),
            #""event":"requested","method":"GET","target":"/","host":null,"port":null"#),
        EventSample(
            .requested(method: "CONNECT", target: "[::1]:8443", endpoint: Endpoint("[::1]:8443")),
            #""event":"requested","method":"CONNECT","target":"[::1]:8443","host":"::1","port":8443"#),
        EventSample(.decided(.intercept, rule: nil), #""event":"decided","decision":"intercept","rule":null"#),
        EventSample(.decided(.refuse, rule: "*"), #""event":"decided","decision":"refuse","rule":"*""#),
        EventSample(
            .message(.client, .received, []),
            #""event":"message","side":"client","direction":"received","type":null,"name":null,"#
                + #""version":null,"decoded":null,"bytes":"""#),
        EventSample(
            .message(
                .client, .sent, [0x0F, 0x00, 0x00, 0x05, 0x04, 0x03, 0x00, 0x01, 0xAB], version: 0x0304),
            #""event":"message","side":"client","direction":"sent","type":15,"name":"certificate_verify","version":"0x0304","#
                + #""decoded":{"scheme":{"number":"0x0403","name":"ecdsa_secp256r1_sha256"}},"#
                + #""bytes":"DwAABQQDAAGr""#),
        EventSample(
            .message(
                .client, .sent, [0x08, 0x00, 0x00, 0x06, 0x00, 0x04, 0x00, 0x10, 0x00, 0x00], version: 0x0304),
            #""event":"message","side":"client","direction":"sent","type":8,"name":"encrypted_extensions","version":"0x0304","#
                + #""decoded":{"extensions":[{"type":"0x0010","name":"application_layer_protocol_negotiation","body":""}]},"#
                + #""bytes":"CAAABgAEABAAAA==""#),
        EventSample(
            .message(
                .client, .sent, [0x0B, 0x00, 0x00, 0x09, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x00, 0x00],
                version: 0x0304),
            #""event":"message","side":"client","direction":"sent","type":11,"name":"certificate","version":"0x0304","#
                + #""decoded":{"certificates":1},"#
                + #""bytes":"CwAACQAAAAUAAAAAAA==""#),
        EventSample(
            .message(
                .client, .sent,
                [
                    0x0D, 0x00, 0x00, 0x0E, 0x01, 0x40, 0x00, 0x02, 0x04, 0x03, 0x00, 0x06, 0x00, 0x04, 0x30, 0x02,
                    0x05, 0x00,
                ], version: 0x0303),
            #""event":"message","side":"client","direction":"sent","type":13,"name":"certificate_request","version":"0x0303","#
                + #""decoded":{"signatureAlgorithms":[{"number":"0x0403","name":"ecdsa_secp256r1_sha256"}],"authorities":["30020500"]},"#
                + #""bytes":"DQAADgFAAAIEAwAGAAQwAgUA""#),
        EventSample(
            .message(
                .client, .sent, [0x0C, 0x00, 0x00, 0x0A, 0x03, 0x00, 0x1D, 0x01, 0xAB, 0x04, 0x03, 0x00, 0x01, 0xCD],
                version: 0x0303),
            #""event":"message","side":"client","direction":"sent","type":12,"name":"server_key_exchange","version":"0x0303","#
                + #""decoded":{"group":{"number":"0x001d","name":"x25519"},"scheme":{"number":"0x0403","name":"ecdsa_secp256r1_sha256"}},"#
                + #""bytes":"DAAACgMAHQGrBAMAAc0=""#),
        EventSample(
            .message(
                .client, .sent,
                [
                    0x04, 0x00, 0x00, 0x0F, 0x00, 0x00, 0x1C, 0x20, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x05,
                    0x06, 0x00, 0x00,
                ], version: 0x0304),
            #""event":"message","side":"client","direction":"sent","type":4,"name":"new_session_ticket","version":"0x0304","#
                + #""decoded":{"lifetime":7200,"maxEarlyData":null},"#
                + #""bytes":"BAAADwAAHCAAAAAAAAACBQYAAA==""#),
        EventSample(
            .message(
                .client, .sent, [0x14, 0x00, 0x00, 0x02, 0xAB, 0xCD], version: 0x0303),
            #""event":"message","side":"client","direction":"sent","type":20,"name":"finished","version":"0x0303","#
                + #""decoded":{"verifyData":"abcd"},"#
                + #""bytes":"FAAAAqvN""#),
        EventSample(
            .message(
                .client, .sent, [0x18, 0x00, 0x00, 0x01, 0x01], version: 0x0304),
            #""event":"message","side":"client","direction":"sent","type":24,"name":"key_update","version":"0x0304","#
                + #""decoded":{"isRequested":true},"#
                + #""bytes":"GAAAAQE=""#),
        EventSample(
            .withheldHTTP2(after: nil, offered: ["http/1.1", "http/1.0"]),
            #""event":"withheldHTTP2","end":null,"offered":["http/1.1","http/1.0"]"#),
        EventSample(.chain(.client, []), #""event":"chain","side":"client","digests":[]"#),
        EventSample(
            .secured(
                .origin,
                TLSParameters(
                    version: 0x0303, cipherSuite: 0xC02F,
                    cipherSuiteName: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", group: nil, alpn: nil,
                    serverName: nil, resumed: true, proof: .pin)),
            #""event":"secured","side":"origin","version":{"number":"0x0303","name":"TLS 1.2"},"#
                + #""cipherSuite":{"number":"0xc02f","name":"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},"#
                + #""group":null,"alpn":null,"serverName":null,"resumed":true,"proof":"pin""#),
        EventSample(
            .ended(.origin, .closeNotify, .relay),
            #""event":"ended","side":"origin","end":{"how":"closeNotify"},"phase":"relay""#),
        EventSample(
            .ended(.client, .fin, .hello),
            #""event":"ended","side":"client","end":{"how":"fin"},"phase":"hello""#),
        EventSample(
            .ended(.client, .reset, .forging),
            #""event":"ended","side":"client","end":{"how":"reset"},"phase":"forging""#),
        EventSample(
            .ended(.client, .timeout, .greeting),
            #""event":"ended","side":"client","end":{"how":"timeout"},"phase":"greeting""#),
        EventSample(
            .ended(.origin, .error(-1), .connecting),
            #""event":"ended","side":"origin","end":{"how":"error","errno":-1},"phase":"connecting""#),
        EventSample(
            .ended(.origin, .proxy, .closing),
            #""event":"ended","side":"origin","end":{"how":"proxy"},"phase":"closing""#),
        EventSample(
            .failed(Failure(party: .proxy, code: .internalError, phase: .originHandshake, detail: "x")),
            #""event":"failed","party":"proxy","code":"internalError","phase":"originHandshake","#
                + #""detail":"x","hint":null"#),
        EventSample(
            .closed(
                Closed(
                    by: .proxy, phase: .greeting, client: nil, origin: nil, clientBytes: 0, originBytes: 0,
                    nanoseconds: 0)),
            #""event":"closed","by":"proxy","phase":"greeting","client":null,"origin":null,"clientBytes":0,"#
                + #""originBytes":0,"nanoseconds":0"#),
    ]
}
