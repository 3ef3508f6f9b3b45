internal import Crypto
internal import Foundation
internal import PinClient
internal import Pinning
internal import PolicyFiles
internal import Wire

extension CheckReport {
    /// A line for each thing that the check showed.
    var text: String {
        let lines = lines
        let width = lines.map(\.label.count).max() ?? 0
        return lines.map { line in
            let label = line.label.padding(toLength: width, withPad: " ", startingAt: 0)
            return "\(label)  \(line.text.printable)\n"
        }.joined()
    }

    /// A policy that cannot be loaded, in the same form.
    static func text(of error: PolicyFileError) -> String {
        "verdict  config error\nreason   the policy cannot be loaded: \(error.description.printable)\n"
    }

    private typealias Line = (label: String, text: String)

    /// Label and text of each line.
    private var lines: [Line] {
        var lines: [Line] = [("verdict", decision)]
        if let reason = result.verdict?.reason { lines.append(("reason", reason.description)) }
        if let platform = result.platform {
            let errors = platform.errors.map(\.description).joined(separator: "; ")
            lines.append(("platform", platform.valid ? "the chain is valid" : "the chain is not valid: \(errors)"))
        }
        lines.append(("policy", subject.name + (subject.file.map { ", from \($0.path)" } ?? "")))
        if let entry = result.entry {
            let pins = entry.pins.isEmpty ? "no pins" : entry.pins.joined(separator: ", ")
            lines.append(("entry", "\(entry.names.joined(separator: ", ")): \(pins)"))
        }
        lines += subject.remarks.enumerated().map { ($0 == 0 ? "remark" : "", $1) }
        if let failure = result.failure {
            lines.append(("failure", "\(failure) (at fault: \(failure.party.rawValue))"))
        }
        lines += targetLines + pathLines + sessionLines + identityLines
        lines += notChecked.enumerated().map { ($0 == 0 ? "not checked" : "", "\($1.summary) (\($1.rule))") }
        return lines
    }

    private var decision: String {
        guard let verdict = result.verdict else { return "none" }
        guard verdict.decision == .default else { return Self.word(verdict.decision).replacing("_", with: " ") }
        if isWithoutTLS { return "default: nothing was evaluated" }
        return "default: the platform \(result.isAccepted ? "accepts" : "rejects")"
    }

    private var targetLines: [Line] {
        switch target {
        case .chain(let file, let host, let time, _):
            let date = Date(timeIntervalSince1970: Double(time)).formatted(.iso8601)
            return [("chain", "\(file), sent by \(host), on \(date)")]
        case .url(let url, let route, let journey, _):
            let way =
                switch route {
                case .direct: ""
                case .proxy(let proxy): " through \(proxy)"
                case .interception: " through an interception whose CA is trusted"
                }
            var lines = [("url", "\(url)\(way)")]
            for (index, stop) in journey.stops.dropLast().enumerated() {
                let next = journey.stops[index + 1].url
                let verdict = stop.result.verdict.map { Self.word($0.decision) } ?? "none"
                let status = stop.result.response.map { " \($0.status)" } ?? ""
                lines.append(("redirect", "\(stop.url) (\(verdict)) answers\(status) and leads to \(next)"))
            }
            switch journey.ending {
            case .arrived: break
            case .notFollowed(let location, let reason):
                lines.append(("redirect", "to \(location) is not followed: \(reason)"))
            case .tooManyRedirects(let limit):
                lines.append(("redirect", "no end after \(limit) of them, which is as many as the app follows"))
            }
            return lines
        }
    }

    private var pathLines: [Line] {
        var lines: [Line] = (trust?.path ?? []).enumerated().map { depth, certificate in
            let isPinned = result.verdict?.match?.depth == depth && result.verdict?.match?.certificate == certificate
            let pin = Self.pin(of: certificate).map { "  \($0)" } ?? ""
            let mark = isPinned ? "  <- pinned" : ""
            return (depth == 0 ? "path" : "", "\(depth)  \(certificate.subject)\(pin)\(mark)")
        }
        if !sent.isEmpty { lines.append(("sent", sent.count == 1 ? "1 certificate" : "\(sent.count) certificates")) }
        return lines
    }

    private var sessionLines: [Line] {
        var lines: [Line] = []
        if let session = result.parameters {
            lines.append(("TLS", "\(TLSNames.version(session.version)), \(session.cipherSuiteName)"))
        }
        if let alert = result.alert { lines.append(("alert", "\(TLSNames.alert(alert)) (\(alert)) was sent")) }
        if let proxy = result.proxyResponse { lines.append(("proxy", proxy.statusLine)) }
        if let response = result.response { lines.append(("answer", response.statusLine)) }
        if let fault = result.proxyFault {
            lines.append(("", "a page of the proxy, not the server's answer: the origin failed (\(fault))"))
        }
        return lines
    }

    /// What the app would do with its client identity.
    private var identityLines: [Line] {
        // Without TLS nobody asks for an identity, and a saved chain asks nobody.
        guard case .url(_, _, _, let conduct) = target, !isWithoutTLS else { return [] }
        var lines: [Line] = []
        if result.wasAskedForIdentity {
            let presented = result.presentedChain.first.map { "\($0.subject) was presented" } ?? "none was presented"
            lines.append(("asked", "the server asked for a client certificate; \(presented)"))
        }
        guard let tutorial = subject.tutorial else { return lines }
        if let identity = tutorial.tutorial.identity {
            let opens = identity.opens(with: tutorial.password)
            let cause = opens ? "" : "\(identity.file) does not open with \(tutorial.password): "
            lines.append(("identity", "\(cause)\(conduct)"))
        }
        if let unconfirmed = tutorial.unconfirmed { lines.append(("not confirmed", unconfirmed)) }
        return lines
    }
}
