import Pinning
import Testing

/// OkHttp 3.13 as Debian has it: the release that the tables are for.
let okhttpVersion = LibraryVersion(3, 13, 1)

extension Trait where Self == ConditionTrait {
    /// Skips tests where OkHttp, or what runs it, is not installed.
    static var asksOkHttp: Self { asks(.java, .javac, .okhttp, .okio, .openssl) }
}

/// The questions of all tables to OkHttp, and its answers: the JVM starts once.
///
/// What is minted for a table is minted once, too.
struct OkHttpOracle {
    let patterns: [String]
    let pins: [String]
    let hosts: [String]
    let chains: [String]

    private static let shared = Result { try OkHttpOracle() }

    /// What OkHttp said.
    static var answers: OkHttpOracle { get throws { try shared.get() } }

    private init() throws {
        let tables = [
            OkHttpPatternTable.questions, try OkHttpPinTable.minted.get().questions,
            try OkHttpHostTable.minted.get().questions, try OkHttpChainTable.minted.get().questions,
        ]
        let jars = "\(Oracle.okhttp.rawValue):\(Oracle.okio.rawValue)"
        var answers = try Folder().ask(
            .java, ["-XX:TieredStopAtLevel=1", "-cp", jars, Oracle.source("OkHttpOracle.java")],
            tables.flatMap { $0 })[...]
        let divided = tables.map { table in
            defer { answers = answers.dropFirst(table.count) }
            return Array(answers.prefix(table.count))
        }
        (patterns, pins, hosts, chains) = (divided[0], divided[1], divided[2], divided[3])
    }
}

/// A platform that finds every certificate valid, and the path to be what was sent.
struct TrustsEverything: TrustEvaluator {
    func evaluate(
        policy: TrustPolicy, anchors: [CertificateFacts]?, anchorsOnly: Bool, sent: [CertificateFacts], time: Int64
    ) -> TrustResult {
        TrustResult(path: sent, errors: [], notChecked: [])
    }
}
