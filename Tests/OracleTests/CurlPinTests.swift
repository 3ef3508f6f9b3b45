import Crypto
import Foundation
import Testing

/// How curl 7.88 reads `--pinnedpubkey`, by curl itself.
@Suite(.asks(.curl, .openssl)) struct CurlPinTests {
    /// A server whose pin is another text in the alphabet for URLs.
    private static func situation() throws -> CurlSituation {
        var pki = try Hierarchy()
        while !Data(pki.leaf.certificate.spkiSHA256).base64EncodedString().contains(where: { "+/".contains($0) }) {
            pki = try Hierarchy()
        }
        let situation = try CurlSituation(sending: pki.sent, key: pki.leaf.key)
        try situation.trust("root.pem", [pki.root.certificate])
        situation.name("I", pki.intermediate.certificate.spkiSHA256)
        situation.name("R", pki.root.certificate.spkiSHA256)
        situation.name("C", pki.leaf.certificate.sha256)
        try write(pki, to: situation.folder)
        return situation
    }

    @Test("C36, PS-7-1: how a list of digests is spelled")
    func digests() throws {
        let situation = try Self.situation()
        let text = situation.pinText
        let forURLs = text.replacing("+", with: "-").replacing("/", with: "_")
        try situation.compare(
            [
                CurlCase("sha256//{P}", 0), CurlCase("SHA256//{P}", 90), CurlCase("sha256/{P}", 90),
                CurlCase("sha256:{P}", 90), CurlCase("sha1//{P}", 90), CurlCase("sha256//", 90), CurlCase("{P}", 90),
                CurlCase("sha256//{P} ", 90), CurlCase("sha256// {P}", 90), CurlCase(" sha256//{P}", 90),
                CurlCase("sha256//{P}\n", 90), CurlCase("sha256//\(text.dropLast())", 90),
                CurlCase("sha256//{P}=", 90), CurlCase("sha256//\(forURLs)", 90),
                CurlCase("sha256//\(text.lowercased())", 90),
                // Lists.
                CurlCase("sha256//{Q};sha256//{P}", 0), CurlCase("sha256//{P};sha256//{Q}", 0),
                CurlCase("sha256//{Q};sha256//AAAA;sha256//{P}", 0), CurlCase("sha256//{Q};sha256//{I}", 90),
                CurlCase("x;sha256//{P}", 90), CurlCase("x; sha256//{P}", 90),
                CurlCase("sha256//x;sha256//{P}", 0), CurlCase("sha256//x; sha256//{P}", 90),
                CurlCase("sha256//{Q}; sha256//{P}", 90), CurlCase("sha256//{Q};{P}", 90),
                CurlCase("sha256//{Q};SHA256//{P}", 90), CurlCase("sha256//{P};", 90), CurlCase("sha256//{P};x", 90),
                CurlCase("sha256//;sha256//{P}", 0), CurlCase("sha256//{Q},sha256//{P}", 90),
                CurlCase("sha256//sha256//{P}", 90), CurlCase("sha256//{Q};x;sha256//{P}", 0),
            ], "digests")
    }

    @Test("C36, PS-7-2: the leaf's key is what counts, not another's of the path and not the certificate")
    func leafOnly() throws {
        try Self.situation().compare(
            [
                CurlCase("sha256//{I}", 90), CurlCase("sha256//{R}", 90), CurlCase("sha256//{C}", 90),
                CurlCase("sha256//{I};sha256//{R}", 90), CurlCase("sha256//{I}", insecure: true, 90),
                CurlCase("sha256//{P}", 0),
            ], "leaf only")
    }

    @Test("C36, PS-7-1: a file with the key, in DER or PEM")
    func files() throws {
        try Self.situation().compare(
            [
                CurlCase("key.pem", 0), CurlCase("key.der", 0), CurlCase("crlf.pem", 0), CurlCase("bom.pem", 90),
                CurlCase("text-before.pem", 0), CurlCase("text-on-line.pem", 90), CurlCase("text-after.pem", 0),
                CurlCase("crlf-text-before.pem", 0), CurlCase("one-line.pem", 0), CurlCase("indented.pem", 90),
                CurlCase("no-end.pem", 90), CurlCase("end-on-line.pem", 90), CurlCase("no-padding.pem", 90),
                CurlCase("zero.pem", 90), CurlCase("other-first.pem", 90), CurlCase("other-last.pem", 0),
                CurlCase("certificate.pem", 90), CurlCase("certificate.der", 90),
                CurlCase("certificate-and-key.pem", 0), CurlCase("intermediate.pem", 90),
                CurlCase("longer.der", 90), CurlCase("shorter.der", 90), CurlCase("changed.der", 90),
                CurlCase("empty", 90), CurlCase("missing.pem", 90), CurlCase("folder", 90), CurlCase("", 90),
                CurlCase("key.pem;sha256//{P}", 90), CurlCase("sha256//key.pem", 90), CurlCase("./key.pem", 0),
                CurlCase("large.pem", 0), CurlCase("too-large.pem", 90), CurlCase("key.pem", insecure: true, 0),
                CurlCase("missing.pem", insecure: true, 90),
            ], "files")
    }

    /// The files that the table names.
    private static func write(_ pki: Hierarchy, to folder: Folder) throws {
        let der = pki.leaf.certificate.spki
        let key = publicKey(der)
        let other = publicKey(pki.intermediate.certificate.spki)
        let texts = [
            "key.pem": key, "crlf.pem": key.replacing("\n", with: "\r\n"), "bom.pem": "\u{FEFF}" + key,
            "text-before.pem": "The key of the server\n\n" + key, "text-on-line.pem": "The key: " + key,
            "text-after.pem": key + "The key of the server\n",
            "crlf-text-before.pem": ("The key of the server\n" + key).replacing("\n", with: "\r\n"),
            "one-line.pem": publicKey(der, width: 1000), "indented.pem": key.replacing("\n", with: "\n  "),
            "no-end.pem": key.replacing("-----END PUBLIC KEY-----\n", with: ""),
            "end-on-line.pem": key.replacing("\n-----END", with: "-----END"),
            "no-padding.pem": key.replacing("=", with: ""), "zero.pem": "\u{0}\n" + key, "other-first.pem": other + key,
            "other-last.pem": key + other, "certificate.pem": pki.leaf.certificate.pem,
            "certificate-and-key.pem": pki.leaf.certificate.pem + key, "intermediate.pem": other, "empty": "",
            "large.pem": key + String(repeating: " ", count: (1 << 20) - key.utf8.count),
            "too-large.pem": key + String(repeating: " ", count: (1 << 20) - key.utf8.count + 1),
        ]
        for (name, text) in texts { try folder.write(name, Array(text.utf8)) }
        try folder.write("key.der", der)
        try folder.write("certificate.der", pki.leaf.certificate.der)
        try folder.write("longer.der", der + [0x0A])
        try folder.write("shorter.der", Array(der.dropLast()))
        try folder.write("changed.der", Array(der.dropLast()) + [der.last.map { $0 ^ 1 } ?? 0])
        try FileManager.default.createDirectory(atPath: folder.path + "/folder", withIntermediateDirectories: false)
    }

    private static func publicKey(_ der: [UInt8], width: Int = 64) -> String {
        var rest = Data(der).base64EncodedString()[...]
        var lines: [Substring] = []
        while !rest.isEmpty {
            lines.append(rest.prefix(width))
            rest = rest.dropFirst(width)
        }
        return "-----BEGIN PUBLIC KEY-----\n\(lines.joined(separator: "\n"))\n-----END PUBLIC KEY-----\n"
    }
}
