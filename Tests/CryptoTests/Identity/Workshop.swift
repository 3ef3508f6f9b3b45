import Crypto
import Foundation
import Testing

/// A folder in which real programs make files; it lives as long as the test holds it.
final class Workshop {
    struct Failed: Error {
        let command: String
        let output: String
    }

    let path: String

    init() throws {
        var template = Array((NSTemporaryDirectory() + "pinproof-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    static func isInstalled(_ program: String) -> Bool { access(program, X_OK) == 0 }

    /// Runs a program in the folder.
    ///
    /// By `popen`, because Foundation's `Process` leaks, which would hide our own leaks from the sanitizer.
    @discardableResult
    func run(_ program: String, _ arguments: [String]) throws -> String {
        let words = ([program] + arguments).map { "'" + $0.replacing("'", with: "'\\''") + "'" }
        let command = words.joined(separator: " ")
        let pipe = try #require(popen("cd '\(path)' && \(command) 2>&1 </dev/null", "r"))
        var output: [UInt8] = []
        while case let byte = getc(pipe), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
        let text = String(decoding: output, as: UTF8.self)
        guard pclose(pipe) == 0 else { throw Failed(command: command, output: text) }
        return text
    }

    /// Runs `openssl` with arguments that are divided by single spaces.
    @discardableResult
    func openssl(_ line: String) throws -> String {
        try run("/usr/bin/openssl", line.split(separator: " ").map(String.init))
    }

    func write(_ name: String, _ contents: [UInt8]) throws {
        try Data(contents).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    func write(_ name: String, _ identity: TLSIdentity) throws {
        try write(name, identity.key.pem() + Array(identity.chain.map(\.pem).joined().utf8))
    }

    func write(_ name: String, _ certificates: [Certificate]) throws {
        try write(name, Array(certificates.map(\.pem).joined().utf8))
    }

    func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }
}

/// A root, an intermediate and a client below it, and what the reader is to make of them.
struct ClientFixture {
    let authority: TestAuthority
    let intermediate: TLSIdentity
    /// The leaf with its key and the whole chain, root included.
    let whole: TLSIdentity

    init() throws {
        authority = try TestAuthority()
        intermediate = try authority.intermediate()
        let leaf = try authority.server(.dns("api.pinproof.test"), issuer: intermediate)
        whole = TLSIdentity(chain: [leaf.chain[0]] + intermediate.chain.prefix(1) + authority.root.chain, key: leaf.key)
    }

    var leaf: Certificate { whole.chain[0] }
    /// Leaf and intermediate: what is to be sent.
    var sent: [Certificate] { Array(whole.chain.prefix(2)) }
    /// A minute from now, when everything that a program is making for the test is valid.
    var now: Int64 { authority.now + 60 }

    /// Reads with one password and checks that it is asked for once at most.
    func read(
        _ bytes: [UInt8], key: [UInt8]? = nil, _ password: String? = nil, allowsWeakKeys: Bool = false
    ) throws -> IdentityContents {
        var questions = 0
        defer { #expect(questions <= 1) }
        return try IdentityReader.read(bytes, key: key, at: now, allowsWeakKeys: allowsWeakKeys) {
            questions += 1
            return password.map { Array($0.utf8) }
        }
    }
}

/// What reading fails with; nil if it does not.
func failure(_ read: () throws -> IdentityContents) -> IdentityError? {
    do {
        _ = try read()
        return nil
    } catch {
        #expect(error is IdentityError, "\(error)")
        return error as? IdentityError
    }
}
