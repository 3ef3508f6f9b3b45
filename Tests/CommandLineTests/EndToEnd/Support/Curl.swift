import Foundation
import Testing

/// The real curl, with nothing of the user's own configuration.
struct Curl {
    /// What a run showed.
    struct Outcome {
        private struct Facts: Decodable {
            let response_code: Int
            let http_connect: Int
            let http_version: String
        }

        /// curl's exit code: `EXIT CODES` in curl(1).
        let code: ChildProcess.Ending?
        let body: [UInt8]
        /// What curl complained about.
        let complaint: String
        let status: Int
        /// The status of the answer to CONNECT.
        let connectStatus: Int
        let httpVersion: String

        init(_ progress: ChildProcess.Progress) throws {
            // The facts are the last line, whether or not it is complete.
            let lines = progress.errorText.split(separator: "\n")
            let last = try #require(lines.last, "\(progress)")
            let facts = try JSONDecoder().decode(Facts.self, from: Data(last.utf8))
            code = progress.ending
            body = progress.output
            complaint = lines.dropLast().joined(separator: "\n")
            status = facts.response_code
            connectStatus = facts.http_connect
            httpVersion = facts.http_version
        }

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The body as the JSON with which `pinproof origin` says what it saw.
        var seen: OriginSight {
            get throws { try JSONDecoder().decode(OriginSight.self, from: Data(body)) }
        }
    }

    /// What comes before the URL: where to and whom to trust.
    private let arguments: [String]

    /// Goes through the proxy on a port and trusts the CA in a file.
    init(through port: Int, at address: String = "127.0.0.1", trusting file: String) {
        arguments = ["--proxy", "http://\(address):\(port)", "--noproxy", "", "--cacert", file]
    }

    /// Goes directly to where a name is said to be.
    init(to address: String, as host: String, trusting file: String) {
        arguments = ["--noproxy", "*", "--connect-to", "\(host):443:\(address)", "--cacert", file]
    }

    /// Starts curl with further arguments.
    func start(
        _ url: String, _ more: [String] = [], environment: [String: String] = [:]
    ) throws -> ChildProcess {
        // --disable comes first, or the user's .curlrc is read.
        try RealClient.curl.start(
            ["--disable", "--silent", "--show-error", "--max-time", "50", "--write-out", "%{stderr}%{json}"]
                + arguments + more + [url], environment: environment)
    }

    /// Fetches a URL with further arguments.
    func fetch(_ url: String, _ more: String...) async throws -> Outcome {
        try Outcome(await start(url, more).end())
    }
}

/// What `pinproof origin` saw of a request.
struct OriginSight: Decodable, Equatable {
    /// The client certificate that it saw.
    struct Client: Decodable, Equatable {
        let subject: String
        let issuer: String
        let certificates: Int
        var fault: String?
    }

    let clientCertificate: Client?
    let serverName: String?
    let alpn: String?
    let tlsVersion: String?
    let method: String
    let target: String
    let authority: String?
    let httpVersion: String
    let bodyBytes: Int
    let bodySHA256: String?
}
