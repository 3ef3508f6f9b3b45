import Authority
import Crypto
import Foundation
import Testing
import Wire

/// 2026-11-30 00:53:20 UTC: the time at which these tests take place.
let now: Int64 = 1_796_000_000
let day: Int64 = 86_400

func host(_ text: String) throws -> HostName { try #require(HostName(text)) }

/// A folder that lives as long as the test holds it.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "pinproof-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and says where it is.
    func write(_ name: String, _ contents: [UInt8], mode: Int = 0o600) throws -> String {
        let place = "\(path)/\(name)"
        try Data(contents).write(to: URL(fileURLWithPath: place))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place)
        return place
    }

    /// Writes certificates in PEM, in this order.
    func write(_ name: String, _ certificates: [Certificate]) throws -> String {
        try write(name, Array(certificates.map(\.pem).joined().utf8), mode: 0o644)
    }

    func entries() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}

/// The permission bits of a file, without following a link.
func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
}

/// The real `openssl` command.
enum OpenSSLCommand {
    static let isInstalled = run(["version"])?.status == 0

    /// Runs it; nil if the shell cannot be started.
    ///
    /// By `popen`, because Foundation's `Process` leaks, which would hide our own leaks from the sanitizer.
    static func run(_ arguments: [String]) -> (status: Int32, output: String)? {
        let words = (["openssl"] + arguments).map { "'" + $0.replacing("'", with: "'\\''") + "'" }
        guard let pipe = popen(words.joined(separator: " ") + " 2>&1 </dev/null", "r") else { return nil }
        var output: [UInt8] = []
        while case let byte = getc(pipe), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
        return (pclose(pipe), String(decoding: output, as: UTF8.self))
    }
}
