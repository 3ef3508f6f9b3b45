import Glibc

/// The clients of the matrix; those with a program have it in `Tests/CommandLineTests/Clients`.
enum MatrixClient: String, CaseIterable, Encodable {
    case curl, python, node, java, okhttp, go, gnutls, wget, chromium

    /// Whether it makes connections ahead and drops those that it does not need.
    var hasSpareConnections: Bool { self == .chromium }
}

/// One request of a client, as the command that makes it.
struct MatrixRequest {
    var form: MatrixCell.Form
    var host: String
    var tls: MatrixCell.TLSVersion
    let pins: MatrixPins
    let programs: MatrixPrograms

    /// The command, as a shell reads it, by which a client fetches the host's front page.
    func command(_ client: MatrixClient) -> String {
        switch client {
        case .curl: "\(RealClient.curl.rawValue) -sS \(curlOptions) \(url)"
        case .wget: "\(RealClient.wget.rawValue) \(wgetOptions) \(url)"
        case .chromium: "\(RealClient.chromium.rawValue) \(chromiumOptions) --dump-dom \(url)"
        case .python: program(RealClient.python.rawValue, programs.source("fetch.py"), pins.certificateDigest)
        case .gnutls: program(RealClient.python.rawValue, programs.source("gnutls.py"), pins.key)
        case .node: program(RealClient.node.rawValue, programs.source("fetch.js"), pins.keyDigest)
        case .go: program(programs.go, pins.keyDigest)
        case .java: program(programs.java, "UrlFetch", pins.keyDigest)
        case .okhttp: program(programs.java, "OkHttpFetch", pins.keyDigest)
        }
    }

    private var url: String { "https://\(host)/" }

    /// The programs take the same arguments, but for the pin's notation.
    private func program(_ words: String...) -> String {
        let (program, pin) = (words.dropLast(), words.suffix(1))
        return (program + [form.rawValue, host] + pin + [tls.rawValue]).joined(separator: " ")
    }

    private var curlOptions: String {
        let version = tls == .v12 ? "--tls-max 1.2" : "--tlsv1.3"
        return switch form {
        case .pinned: "\(version) --pinnedpubkey sha256//\(pins.keyDigest)"
        case .validating: version
        case .anything: "\(version) --insecure"
        }
    }

    private var wgetOptions: String {
        // --secure-protocol names the lowest version, not the only one.
        let common =
            "--no-config --no-hsts --no-verbose --tries=1 --output-document=- --ciphers=NORMAL:-VERS-ALL:+VERS-TLS"
            + tls.rawValue
        let trust = "--ca-certificate=\"$PINPROOF_CA\""
        return switch form {
        case .pinned: "\(common) \(trust) --pinnedpubkey=sha256//\(pins.keyDigest)"
        case .validating: "\(common) \(trust)"
        case .anything: "\(common) --no-check-certificate"
        }
    }

    private var chromiumOptions: String {
        var options = [
            "--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
            "--user-data-dir=\"$HOME/\(host)\"", "--proxy-server=\"$PINPROOF_PROXY\"",
            // Nothing but the proxy is ever asked for an address.
            "'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'",
        ]
        if geteuid() == 0 { options.append("--no-sandbox") }
        if tls == .v12 { options.append("--ssl-version-max=tls1.2") }
        switch form {
        case .pinned: options.append("--ignore-certificate-errors-spki-list=\(pins.keyDigest)")
        case .validating: break
        case .anything: options.append("--ignore-certificate-errors")
        }
        return options.joined(separator: " ")
    }
}
