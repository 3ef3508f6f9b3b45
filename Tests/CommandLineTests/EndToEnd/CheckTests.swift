import Authority
import Crypto
import Foundation
import Testing

extension EndToEnd {
    /// `pinproof check` against `pinproof origin`, directly and through `pinproof proxy`.
    @Suite struct CheckTests {
        private let stage: Stage
        private let folder: TemporaryFolder
        private let host: String
        /// The origin's certificate.
        private let leaf: String

        init() throws {
            stage = try EndToEnd.stage
            folder = try TemporaryFolder()
            host = try stage.newHost()
            leaf = stage.originIdentity.certificate
        }

        private func check(_ options: [String]) async throws -> (ChildProcess.Ending?, [String: Any]) {
            let run = try await ChildProcess(
                Executable.url, ["check", "--url", "https://\(host)/", "--json"] + options
            ).end()
            #expect(run.errorText == "")
            let report = try JSONSerialization.jsonObject(with: Data(run.output)) as? [String: Any]
            return (run.ending, try #require(report))
        }

        private var direct: [String] {
            ["--resolve", "\(host):443:127.0.0.1:\(stage.origin.port)", "--trust", stage.publicCA]
        }

        /// A client that trusts both CAs, behind the proxy.
        private func intercepted() throws -> [String] {
            let both = try stage.folder.bytes("public.pem") + stage.folder.bytes("proxy/ca.pem")
            return [
                "--proxy", "127.0.0.1:\(stage.proxy.port)", "--trust", try folder.file("both.pem", both).path,
            ]
        }

        private func path(_ report: [String: Any]) -> [String] {
            (report["path"] as? [[String: Any]] ?? []).compactMap { $0["subject"] as? String }
        }

        @Test func `the right pin accepts directly and rejects the forged leaf`() async throws {
            let pinned = ["--af-mode", "publickey", "--pin", leaf]
            let (accepted, report) = try await check(direct + pinned)
            #expect(accepted == .exit(0))
            #expect(report["verdict"] as? String == "accept")
            #expect(report["rule"] as? String == "PS-1.3-2")
            #expect(report["url"] as? String == "https://\(host)/")
            #expect(report["answer"] as? String == "HTTP/1.1 200 OK")
            #expect((report["match"] as? [String: Any])?["depth"] as? Int == 0)
            #expect((report["tls"] as? [String: Any])?["version"] as? String == "TLS 1.3")
            #expect(path(report) == ["CN=*.\(Stage.domain)", stage.publicAuthority.certificate.subject])
            #expect(report["proxy"] == nil)

            let (rejected, other) = try await check(intercepted() + pinned)
            #expect(rejected == .exit(1))
            #expect(other["verdict"] as? String == "reject")
            #expect(other["rule"] as? String == "PS-1.3-2")
            #expect(other["accepted"] as? Bool == false)
            #expect(other["answer"] == nil)
            #expect(other["proxyAnswer"] as? String == "HTTP/1.1 200 Connection established")
            #expect(path(other).first == "CN=\(host)")
            // No byte of the request left.
            #expect(try await stage.proxy.connection(to: host).closed.clientBytes == 0)
        }

        @Test func `ordinary validation accepts both`() async throws {
            #expect(try await check(direct).0 == .exit(0))
            let (ending, report) = try await check(intercepted())
            #expect(ending == .exit(0))
            #expect(report["answer"] as? String == "HTTP/1.1 200 OK")
            #expect(try await stage.proxy.connection(to: host).closed.clientBytes > 0)
        }

        @Test func `a CA that is not trusted rejects, with the alert that was sent`() async throws {
            let (ending, report) = try await check(
                ["--proxy", "127.0.0.1:\(stage.proxy.port)", "--trust", stage.publicCA])
            #expect(ending == .exit(1))
            #expect(report["verdict"] as? String == "reject")
            let alert = try #require((report["alert"] as? [String: Any])?["code"] as? Int)
            let record = try await stage.proxy.connection(to: host)
            #expect(record.closed.client?.how == "alert")
            #expect(record.closed.client?.code == alert)
        }

        @Test func `another name rejects unless the name does not matter`() async throws {
            let elsewhere = ["--resolve", "\(host):443:127.0.0.1:\(stage.origin.port)", "--trust", stage.publicCA]
            let url = ["--url", "https://other.example/", "--resolve", "other.example:127.0.0.1:\(stage.origin.port)"]
            #expect(try await check(elsewhere + url).0 == .exit(1))
            #expect(try await check(elsewhere + url + ["--no-validate-domain"]).0 == .exit(0))
        }

        @Test func `a policy that cannot work is an error, not a verdict`() async throws {
            let (ending, report) = try await check(direct + ["--af-mode", "certificate"])
            #expect(ending == .exit(2))
            #expect(report["verdict"] as? String == "config_error")
            #expect(report["reason"] as? String != "")
            #expect(report["answer"] == nil)
        }

        @Test func `a file without a certificate pins nothing, and that is an error`() async throws {
            let noise = try folder.file("noise.cer", Array("not a certificate".utf8)).path
            let (ending, report) = try await check(direct + ["--af-mode", "publickey", "--pin", noise])
            #expect(ending == .exit(2))
            #expect((report["remarks"] as? [String])?.contains { $0.hasPrefix("noise.cer: ") } == true)
        }

        @Test func `who does not answer gives no verdict`() async throws {
            let port = try UnservedPort()
            let (ending, report) = try await check([
                "--resolve", "\(host):443:127.0.0.1:\(port.number)", "--trust", stage.publicCA,
            ])
            #expect(ending == .exit(3))
            #expect(report["verdict"] is NSNull)
            let failure = try #require(report["failure"] as? [String: Any])
            #expect(failure["party"] as? String == "origin")
            #expect(failure["phase"] as? String == "connecting")
        }

        @Test func `the same in words`() async throws {
            let run = try await ChildProcess(
                Executable.url,
                ["check", "--url", "https://\(host)/", "--af-mode", "certificate", "--pin", leaf] + direct
            ).end()
            #expect(run.ending == .exit(0))
            #expect(run.lines.first?.split(separator: " ") == ["verdict", "accept"])
            #expect(run.outputText.contains("\nanswer "))
            #expect(run.outputText.contains("HTTP/1.1 200 OK\n"))
        }
    }
}
