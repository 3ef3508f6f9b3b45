internal import Crypto
internal import Foundation
internal import PinClient
internal import Pinning
internal import PolicyFiles
internal import Wire

extension CheckReport {
    /// What the check showed, as one JSON document (docs/CHECK.md).
    ///
    /// - Parameter expected: The verdict that is wanted; nil if none is in particular.
    /// - Returns: The document.
    /// - Throws: Whatever keeps it from being encoded.
    func json(expected: ExpectedVerdict?) throws -> [UInt8] {
        var document: [String: Any] = [
            "verdict": result.verdict.map { Self.word($0.decision) } ?? NSNull(), "accepted": result.isAccepted,
            "pinned": result.verdict?.isByPin ?? false,
            "policy": subject.name, "path": (trust?.path ?? []).map(Self.description),
            "sent": sent.map { Self.description(CertificateFacts($0)) }, "remarks": subject.remarks,
            "notChecked": notChecked.map { ["rule": $0.rule.description, "summary": $0.summary] },
        ]
        document["expected"] = expected?.rawValue
        describeReason(in: &document)
        describeSubject(in: &document)
        describeTarget(in: &document)
        return try Self.encode(document)
    }

    /// A policy that cannot be loaded, as the same document.
    static func json(of error: PolicyFileError, expected: ExpectedVerdict?) throws -> [UInt8] {
        var document: [String: Any] = [
            "verdict": word(.configError), "accepted": false, "pinned": false, "reason": error.description,
            "code": "notLoaded",
            "file": error.file,
        ]
        document["expected"] = expected?.rawValue
        if error.place != .file { document["place"] = error.place.description }
        return try encode(document)
    }

    private func describeReason(in document: inout [String: Any]) {
        if let reason = result.verdict?.reason {
            document["reason"] = reason.description
            document["code"] = reason.code
            document["rule"] = reason.rule.description
            if let step = reason.step { document["step"] = step.description }
        }
        if let platform = result.platform { document["platform"] = platform.valid ? "accept" : "reject" }
        if let entry = result.entry { document["entry"] = ["names": entry.names, "pins": entry.pins] }
        if let match = result.verdict?.match { document["match"] = ["pin": match.pin, "depth": match.depth] }
        guard let errors = trust?.errors, !errors.isEmpty else { return }
        document["errors"] = errors.map {
            ["depth": $0.depth, "detail": $0.detail, "kind": $0.kind.rawValue, "rule": $0.rule.description]
        }
    }

    private func describeSubject(in document: inout [String: Any]) {
        if let (path, format) = subject.file {
            document["file"] = path
            document["format"] = format.rawValue
        }
        if let unconfirmed = subject.tutorial?.unconfirmed { document["notConfirmed"] = unconfirmed }
    }

    private func describeTarget(in document: inout [String: Any]) {
        switch target {
        case .chain(let file, let host, let time, _):
            document["chain"] = file
            document["host"] = host
            document["time"] = time
        case .url(let url, let route, let journey, let conduct):
            document["url"] = url.description
            switch route {
            case .direct: break
            case .proxy(let proxy): document["proxy"] = proxy.description
            case .interception: document["intercepted"] = true
            }
            describe(journey, in: &document)
            if subject.tutorial != nil { document["identity"] = PolicyList.description(conduct) }
            describeSession(in: &document)
        }
    }

    private func describe(_ journey: CheckJourney, in document: inout [String: Any]) {
        if journey.stops.count > 1 {
            document["stops"] = journey.stops.map { stop in
                var row: [String: Any] = [
                    "url": stop.url.description,
                    "verdict": stop.result.verdict.map { Self.word($0.decision) } ?? NSNull(),
                ]
                if let rule = stop.result.verdict?.reason.rule { row["rule"] = rule.description }
                if let response = stop.result.response { row["status"] = response.status }
                return row
            }
        }
        switch journey.ending {
        case .arrived: break
        case .notFollowed(let location, let reason):
            document["redirect"] = ["location": location, "notFollowed": reason]
        case .tooManyRedirects(let limit): document["redirect"] = ["limit": limit]
        }
    }

    private func describeSession(in document: inout [String: Any]) {
        document["askedForIdentity"] = result.wasAskedForIdentity
        document["presented"] = result.presentedChain.map { Self.description(CertificateFacts($0)) }
        if let failure = result.failure {
            document["failure"] = [
                "party": failure.party.rawValue, "phase": failure.phase.rawValue, "detail": failure.detail,
            ]
        }
        if let session = result.parameters {
            document["tls"] = ["version": TLSNames.version(session.version), "cipherSuite": session.cipherSuiteName]
        }
        if let alert = result.alert { document["alert"] = ["code": Int(alert), "name": TLSNames.alert(alert)] }
        if let response = result.response { document["answer"] = response.statusLine }
        if let fault = result.proxyFault { document["proxyFault"] = fault }
        if let response = result.proxyResponse { document["proxyAnswer"] = response.statusLine }
    }

    private static func encode(_ document: [String: Any]) throws -> [UInt8] {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return [UInt8](try JSONSerialization.data(withJSONObject: document, options: options)) + [0x0A]
    }

    private static func description(_ certificate: CertificateFacts) -> [String: Any] {
        var description: [String: Any] = [
            "subject": certificate.subject, "sha256": Hex.encode(certificate.sha256),
        ]
        description["pin"] = pin(of: certificate)
        return description
    }
}
