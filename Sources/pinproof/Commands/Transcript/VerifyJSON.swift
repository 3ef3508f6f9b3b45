internal import Recheck
internal import Transcript
internal import Wire

/// What came of checking a transcript as JSON Lines; the fields: `docs/VERIFY.md`.
enum VerifyJSON {
    /// The line of a connection.
    static func line(for check: ConnectionCheck) -> String {
        object { json in
            json.member("record", "checkedConnection")
            json.member("connection", check.number)
            json.member("incomplete", check.incompleteness)
            json.key("claims")
            json.beginArray()
            for claim in check.claims { write(claim, to: &json) }
            json.endArray()
        }
    }

    /// The line of the whole.
    static func line(for summary: CheckSummary) -> String {
        object { json in
            json.member("record", "checkedTranscript")
            json.member("lines", summary.lines)
            json.member("connections", summary.connections)
            json.member("incomplete", summary.incomplete)
            json.member("closingDigest", Hex.encode(summary.closingDigest))
            json.member("exitCode", VerifyCommand.exitCode(of: summary).rawValue)
            json.key("claims")
            json.beginArray()
            for kind in Claim.Kind.allCases {
                guard let row = summary.rows[kind] else { continue }
                json.beginObject()
                json.member("claim", kind)
                json.member("proven", row.proven)
                json.member("notProven", row.notProven)
                json.member("false", row.failed)
                json.key("reasons")
                json.beginArray()
                for (reason, count) in row.reasons.sorted(by: { $0.key < $1.key }) {
                    json.beginObject()
                    json.member("reason", reason)
                    json.member("count", count)
                    json.endObject()
                }
                json.endArray()
                json.endObject()
            }
            json.endArray()
            json.key("failures")
            json.beginArray()
            for failure in summary.failures {
                json.beginObject()
                json.member("file", failure.file)
                json.member("connection", failure.connection)
                writeMembers(of: failure.claim, to: &json)
                json.endObject()
            }
            json.endArray()
        }
    }

    private static func object(_ body: (inout JSONWriter) -> Void) -> String {
        var line: [UInt8] = []
        JSONWriter.appendObject(to: &line, body)
        return String(decoding: line, as: UTF8.self) + "\n"
    }

    private static func write(_ claim: Claim, to json: inout JSONWriter) {
        json.beginObject()
        writeMembers(of: claim, to: &json)
        json.endObject()
    }

    private static func writeMembers(of claim: Claim, to json: inout JSONWriter) {
        json.member("claim", claim.kind)
        json.member("side", claim.side)
        json.member("line", claim.line)
        json.member("result", claim.result.name)
        json.member("reason", claim.result.reason)
    }
}

extension Claim.Result {
    /// The word for it.
    fileprivate var name: String {
        switch self {
        case .proven: "proven"
        case .notProven: "notProven"
        case .failed: "false"
        }
    }
}
