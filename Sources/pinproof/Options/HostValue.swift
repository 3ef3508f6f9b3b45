internal import Authority
internal import Crypto
internal import Engine
internal import Foundation
internal import Interception
internal import Wire

/// A value for the hosts that a pattern names: `PATTERN=VALUE`.
struct HostValue<Value: Sendable>: Sendable {
    /// The hosts.
    let pattern: HostPattern
    /// What holds for them.
    let value: Value
}

extension HostValue: Equatable where Value: Equatable {}

extension ValueFormat {
    /// The same value, with the hosts that it is for before it.
    var perHost: ValueFormat<HostValue<Value>> {
        ValueFormat<HostValue<Value>>(
            placeholder: "PATTERN=\(placeholder)",
            parse: { (text) throws(ValueError) in
                let parts = text.split(separator: "=", maxSplits: 1)
                guard !text.hasPrefix("=") else {
                    throw ValueError(what: "no host before the value", remedy: "write it as PATTERN=\(placeholder)")
                }
                guard parts.count == 2 else {
                    throw ValueError(
                        what: "no value for a host", remedy: "write it as PATTERN=\(placeholder), such as '*=…'")
                }
                let pattern = try ValueFormat<HostPattern>.pattern.parse(String(parts[0]))
                return HostValue<Value>(pattern: pattern, value: try parse(String(parts[1])))
            })
    }
}

extension ValueFormat<IdentitySource.Location> {
    /// A file with an identity: `FILE[,KEYFILE][#WHICH]`.
    static var identity: ValueFormat {
        ValueFormat(
            placeholder: "FILE[,KEY][#NAME]",
            parse: { (text) throws(ValueError) in
                // The name of a file may hold either character.
                guard !Files.exists(text) else { return IdentitySource.Location(file: text) }
                let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let files = (parts.first ?? "").split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
                    .map(String.init)
                guard let file = files.first, !files.contains(""), parts.count == 1 || !parts[1].isEmpty else {
                    throw ValueError(what: "not an identity", remedy: "name a PKCS#12 or PEM file")
                }
                return IdentitySource.Location(
                    file: file, key: files.count == 2 ? files[1] : nil,
                    selection: parts.count == 2 ? String(parts[1]) : nil)
            })
    }
}

/// What an origin's certificate must be, as it is written.
enum OriginPinText: Sendable, Equatable {
    /// This.
    case pin(OriginPin)
    /// One of the certificates in a file.
    case file(String)

    /// The pins that are meant.
    func pins() throws -> [OriginPin] {
        switch self {
        case .pin(let pin): [pin]
        case .file(let path): try CertificateFile.read(path).map { .certificate($0.sha256) }
        }
    }
}

extension ValueFormat<OriginPinText> {
    /// A key's pin, a file with the certificate, or the word for anything.
    static var originPin: ValueFormat {
        ValueFormat(
            placeholder: "sha256/PIN|FILE|any",
            parse: { (text) throws(ValueError) in
                guard text != "any" else { return .pin(.any) }
                guard text.hasPrefix("sha256/") else { return .file(text) }
                guard let digest = Data(base64Encoded: String(text.dropFirst("sha256/".count))), digest.count == 32
                else {
                    throw ValueError(
                        what: "not a pin", remedy: "write sha256/ and the 44 characters of the key's digest in base64")
                }
                return .pin(.publicKey([UInt8](digest)))
            })
    }
}

extension ValueFormat<HostValue<Scenario>> {
    /// A scenario, for the hosts before it or for all.
    static var scenario: ValueFormat {
        let names = Scenario.allCases.map(\.rawValue)
        let name = ValueFormat<Scenario>(
            placeholder: names.joined(separator: "|"),
            parse: { (text) throws(ValueError) in
                guard let scenario = Scenario(rawValue: text) else {
                    let nearest = NearestName.of(text, among: names).map { "did you mean \($0)? " } ?? ""
                    throw ValueError(
                        what: "not a scenario", remedy: nearest + "the scenarios are \(names.joined(separator: ", "))")
                }
                return scenario
            }
        )
        return ValueFormat(
            placeholder: "[PATTERN=]\(name.placeholder)",
            parse: { (text) throws(ValueError) in
                try name.perHost.parse(text.contains("=") ? text : "*=\(text)")
            })
    }
}
