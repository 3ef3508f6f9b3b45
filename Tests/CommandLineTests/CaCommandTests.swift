import Foundation
import Glibc
import Testing

@testable import pinproof

/// `pinproof ca` as users run it, with `openssl` as the second opinion.
@Suite struct CaCommandTests {
    private let openssl = URL(fileURLWithPath: "/usr/bin/openssl")

    @Test func `a CA is made where only its owner can read it, and is the same wherever it is shown`() throws {
        let folder = try TemporaryFolder()
        let made = try Executable.run("ca", "init", "--state", folder.path("state"))
        #expect(made.error == "")
        #expect(made.code == 0)
        #expect(try folder.mode("state") == 0o700)
        #expect(try folder.mode("state/ca.key") == 0o600)
        #expect(try folder.mode("state/ca.pem") == 0o644)
        #expect(made.text.contains("Its key is \(folder.path("state/ca.key")): keep it here."))
        #expect(made.text.contains("\n  pinproof ca export --state \(folder.path("state")) --out pinproof-ca.pem\n"))

        let shown = try Executable.run("ca", "show", "--state", folder.path("state"))
        #expect(shown.code == 0)
        #expect(withoutDays(made.text).contains(withoutDays(shown.text)))
        #expect(made.text.contains("(397 days left)\n"))
        #expect(shown.text.contains("\n  key          EC P-256\n"))
        let byFile = try Executable.run("ca", "show", "--ca", folder.path("state/ca.pem"))
        #expect(withoutDays(byFile.text) == withoutDays(shown.text))

        // Two lines of 16 octets make the SHA-256.
        let unfolded = shown.text.replacingOccurrences(of: ":\n               ", with: ":")
        #expect(unfolded.contains("\n  SHA-256      \(try fingerprint("-sha256", folder.path("state/ca.pem")))\n"))
        #expect(unfolded.contains("\n  SHA-1        \(try fingerprint("-sha1", folder.path("state/ca.pem")))\n"))
        #expect(shown.text.contains("\n  SPKI pin     sha256/\(try pin(folder.path("state/ca.pem")))\n"))
    }

    @Test func `JSON says the same`() throws {
        let folder = try TemporaryFolder()
        #expect(try Executable.run("ca", "init", "--state", folder.path("state"), "--days", "30").code == 0)
        let shown = try Executable.run("ca", "show", "--state", folder.path("state"), "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(shown.output)) as? [String: Any])
        #expect(object["certificate"] as? String == folder.path("state/ca.pem"))
        // Whole days: of 30, the last has begun as soon as a second has passed.
        #expect([29, 30].contains(object["daysLeft"] as? Int))
        #expect(object["key"] as? String == "EC P-256")
        let hexadecimal = try fingerprint("-sha256", folder.path("state/ca.pem")).replacingOccurrences(
            of: ":", with: "")
        #expect(object["sha256"] as? String == hexadecimal.lowercased())
        #expect(object["pin"] as? String == "sha256/\(try pin(folder.path("state/ca.pem")))")
    }

    @Test func `the usual folder is the one of the environment`() throws {
        let folder = try TemporaryFolder()
        #expect(try Executable.run("ca", "init", environment: ["HOME": folder.path]).code == 0)
        #expect(try folder.mode(".local/state/pinproof/ca.key") == 0o600)
        #expect(try Executable.run("ca", "init", environment: ["XDG_STATE_HOME": folder.path("xdg")]).code == 0)
        #expect(try folder.mode("xdg/pinproof/ca.key") == 0o600)
        let homeless = try Executable.run("ca", "init")
        #expect(
            homeless.error == "pinproof: no folder for the local CA: HOME is not set; name one with --state DIR\n")
        #expect(homeless.code == 2)
    }

    @Test func `an RSA key has the size asked for`() throws {
        let folder = try TemporaryFolder()
        #expect(try Executable.run("ca", "init", "--state", folder.path("state"), "--key", "rsa:3072").code == 0)
        let text = try Executable.run(
            openssl, ["x509", "-noout", "-text", "-in", folder.path("state/ca.pem")])
        #expect(text.text.contains("Public-Key: (3072 bit)"))
        #expect(try Executable.run("ca", "show", "--state", folder.path("state")).text.contains("RSA 3072"))
    }

    @Test func `nothing is overwritten`() throws {
        let folder = try TemporaryFolder()
        #expect(try Executable.run("ca", "init", "--state", folder.path("state")).code == 0)
        let before = [try folder.bytes("state/ca.pem"), try folder.bytes("state/ca.key")]
        let again = try Executable.run("ca", "init", "--state", folder.path("state"))
        #expect(again.code == 2)
        #expect(again.text == "")
        #expect(again.error.hasPrefix("pinproof: \(folder.path("state/ca.key")) exists already"))
        #expect(again.error.count { $0 == "\n" } == 1)
        #expect([try folder.bytes("state/ca.pem"), try folder.bytes("state/ca.key")] == before)
    }

    @Test(arguments: [
        (["--key", "rsa:2047"], "not a kind of key: --key: rsa:2047"), (["--key", "rsa:4097"], "not a kind of key"),
        (["--key", "rsa"], "not a kind of key"), (["--key", "rsa:"], "not a kind of key"),
        (["--key", "EC"], "not a kind of key"), (["--key", ""], "not a kind of key"),
        (["--days", "0"], "not a number in range: --days: 0"), (["--days", "3651"], "not a number in range"),
        (["now"], "unexpected argument: now"),
    ])
    func refusesToMake(arguments: [String], complaint: String) throws {
        let folder = try TemporaryFolder()
        let outcome = try Executable.run(Executable.url, ["ca", "init", "--state", folder.path("state")] + arguments)
        #expect(outcome.error.hasPrefix("pinproof: \(complaint)"))
        #expect(outcome.code == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path("state")))
    }

    @Test func `export writes the certificate and never the key`() throws {
        let folder = try TemporaryFolder()
        #expect(try Executable.run("ca", "init", "--state", folder.path("state")).code == 0)
        let pem = try Executable.run("ca", "export", "--state", folder.path("state"))
        #expect(pem.output == (try folder.bytes("state/ca.pem")))

        let der = try Executable.run("ca", "export", "--state", folder.path("state"), "--format", "der")
        let read = try Executable.run(openssl, ["x509", "-inform", "der"], input: der.output)
        #expect(read.code == 0)
        #expect(read.output == pem.output)

        // A file that holds the key too gives away the certificate only.
        try folder.file("both.pem", try folder.bytes("state/ca.key") + pem.output)
        #expect(try Executable.run("ca", "export", "--ca", folder.path("both.pem")).output == pem.output)
        try folder.file("ca.cer", der.output)
        #expect(try Executable.run("ca", "export", "--ca", folder.path("ca.cer")).output == pem.output)
    }

    @Test func `export makes a file, once`() throws {
        let folder = try TemporaryFolder()
        #expect(try Executable.run("ca", "init", "--state", folder.path("state")).code == 0)
        let arguments = ["ca", "export", "--state", folder.path("state"), "--out", folder.path("out.pem")]
        let first = try Executable.run(Executable.url, arguments)
        #expect(first.code == 0)
        #expect(first.text == "")
        #expect(try folder.bytes("out.pem") == (try folder.bytes("state/ca.pem")))

        let key = try folder.bytes("state/ca.key")
        for target in ["out.pem", "state/ca.key"] {
            let again = try Executable.run(
                "ca", "export", "--state", folder.path("state"), "--format", "der", "--out", folder.path(target))
            #expect(
                again.error == "pinproof: refusing to overwrite: \(folder.path(target)); "
                    + "remove it first, or choose another name\n")
            #expect(again.code == 2)
        }
        #expect(try folder.bytes("state/ca.key") == key)
        let nowhere = try Executable.run(
            "ca", "export", "--state", folder.path("state"), "--out", folder.path("absent/out.pem"))
        #expect(
            nowhere.error
                == "pinproof: cannot create file: \(folder.path("absent/out.pem")): No such file or directory\n")
        #expect(nowhere.code == 2)
    }

    @Test func `DER does not go to a terminal`() throws {
        let folder = try TemporaryFolder()
        #expect(try Executable.run("ca", "init", "--state", folder.path("state")).code == 0)
        let export = "'\(Executable.url.path)' ca export --state '\(folder.path("state"))'"
        let der = try onTerminal(export + " --format der")
        #expect(
            der.text
                == "pinproof: refusing to write DER to a terminal; name a file with --out, or use --format pem\r\n")
        #expect(der.code == 2)
        let store = try onTerminal(export + " --format p12-java")
        #expect(
            store.text
                == "pinproof: refusing to write PKCS#12 to a terminal; name a file with --out, or use --format pem\r\n")
        #expect(store.code == 2)
        let pem = try onTerminal(export)
        #expect(pem.text.hasPrefix("-----BEGIN CERTIFICATE-----\r\n"))
        #expect(pem.code == 0)
    }

    /// Runs a shell command whose output goes to a terminal; the outcome is what the terminal shows.
    private func onTerminal(_ command: String) throws -> Executable.Outcome {
        try Executable.run(URL(fileURLWithPath: "/usr/bin/script"), ["-qec", command, "/dev/null"])
    }

    @Test func `a folder without a CA says how to make one`() throws {
        let folder = try TemporaryFolder()
        for command in ["show", "export"] {
            let outcome = try Executable.run("ca", command, "--state", folder.path("none"))
            #expect(
                outcome.error == "pinproof: no local CA: \(folder.path("none")); "
                    + "make one with: pinproof ca init --state \(folder.path("none"))\n")
            #expect(outcome.code == 2)
        }
    }

    @Test func `a state folder that others can look into is refused`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("state"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        let outcome = try Executable.run("ca", "init", "--state", folder.path("state"))
        #expect(outcome.error.contains("run `chmod 700 \(folder.path("state"))`"))
        #expect(outcome.code == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("state")).isEmpty)
    }

    @Test(.enabled(if: geteuid() != 0, "root can read everything"))
    func `a state folder that cannot be read is named`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("state"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0])
        defer { chmod(folder.path("state"), 0o700) }
        for command in ["init", "show", "export"] {
            let outcome = try Executable.run("ca", command, "--state", folder.path("state"))
            #expect(outcome.error.contains(folder.path("state")))
            #expect(outcome.error.contains("Permission denied"))
            #expect(outcome.code == 2)
        }
    }

    @Test func `files that hold no CA are refused with their names`() throws {
        let folder = try TemporaryFolder()
        try folder.file("state", [UInt8]("not a folder".utf8))
        let notAFolder = try Executable.run("ca", "init", "--state", folder.path("state"))
        #expect(notAFolder.error.contains(folder.path("state")))
        #expect(notAFolder.code == 2)

        try folder.file("noise.pem", [UInt8](repeating: 0x2D, count: 5000))
        let noise = try Executable.run("ca", "show", "--ca", folder.path("noise.pem"))
        #expect(
            noise.error == "pinproof: no certificate in file: \(folder.path("noise.pem")); PEM and DER are read\n")
        #expect(noise.code == 2)

        let directory = try Executable.run("ca", "show", "--ca", folder.path)
        #expect(directory.error == "pinproof: cannot read file: \(folder.path): Is a directory\n")
        #expect(directory.code == 2)

        let endless = try Executable.run("ca", "show", "--ca", "/dev/zero")
        #expect(endless.error == "pinproof: file is too large: /dev/zero; at most 1048576 bytes are read\n")
        #expect(endless.code == 2)

        let leaf = try Executable.run(
            openssl,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
                "/dev/null", "-subj", "/CN=leaf", "-addext", "basicConstraints=critical,CA:FALSE",
            ])
        try folder.file("leaf.pem", leaf.output)
        let shown = try Executable.run("ca", "show", "--ca", folder.path("leaf.pem"))
        #expect(
            shown.error == "pinproof: not the certificate of a CA: \(folder.path("leaf.pem")): CN=leaf; "
                + "name one whose basic constraints say that it is a CA\n")
        #expect(shown.code == 2)
    }

    /// The text without the one thing in it that changes with the time.
    private func withoutDays(_ text: String) -> String { text.replacing(/\(\d+ days left\)/, with: "(days left)") }

    /// A fingerprint in openssl's words, which are colons between capital octets.
    private func fingerprint(_ digest: String, _ path: String) throws -> String {
        let printed = try Executable.run(openssl, ["x509", "-noout", "-fingerprint", digest, "-in", path]).text
        return String(try #require(printed.split(separator: "=").last).dropLast())
    }

    /// The pin in openssl's words: base64 of SHA-256 of the public key in DER.
    private func pin(_ path: String) throws -> String {
        let key = try Executable.run(openssl, ["x509", "-noout", "-pubkey", "-in", path])
        let der = try Executable.run(openssl, ["pkey", "-pubin", "-outform", "der"], input: key.output)
        let digest = try Executable.run(openssl, ["dgst", "-sha256", "-binary"], input: der.output)
        return try Executable.run(openssl, ["base64"], input: digest.output).text.trimmingCharacters(in: .newlines)
    }
}
