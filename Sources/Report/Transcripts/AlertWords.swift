import Transcript
import Wire

/// Alerts in plain words (RFC 8446 section 6.2, RFC 5246 section 7.2.2).
///
/// What an alert is about, and never its cause: the same number stands for an unknown CA in one stack and for a failed
/// pin in another.
enum AlertWords {
    /// The alert by name and number.
    static func name(_ code: UInt8) -> String { "\(TLSNames.alert(code)) (\(code))" }

    /// What it is about; nil where the name says all that is known.
    static func meaning(_ code: UInt8) -> String? { meanings[code] }

    /// The same where nothing else says that it is an alert.
    static func remark(_ code: UInt8) -> String {
        guard let meaning = meanings[code] else { return "alert" }
        return (meaning.hasPrefix("about") ? "alert " : "alert: ") + meaning
    }

    private static let meanings: [UInt8: String] = [
        0: "the end, in good order",
        10: "a message came where it has no place",
        20: "a record does not decrypt",
        22: "a record is too long",
        40: "no common parameters, or a reason without a number of its own",
        42: "about the certificate: it is broken, or refused for a reason that is not said",
        43: "about the certificate: its kind is not supported",
        44: "about the certificate: it was revoked",
        45: "about the certificate: it is not valid at this time",
        46: "about the certificate: it is refused for another reason, which is not said",
        47: "a field holds a value that it must not have",
        48: "about the certificate: its issuer is not known",
        49: "about the certificate: it is valid, and access is denied all the same",
        50: "a message cannot be decoded",
        51: "a signature or a Finished does not verify",
        70: "no common protocol version",
        71: "what is offered is too weak",
        80: "a failure that has nothing to do with the peer",
        86: "a client that fell back to an older version without need",
        90: "called off by the user; a farewell follows",
        100: "no second handshake in this session",
        109: "an extension is missing that has to be there",
        110: "an extension that was not asked for",
        112: "no certificate for the name that was asked for",
        113: "about the certificate: the OCSP response beside it is not accepted",
        115: "no session is known by that key",
        116: "a client certificate has to be shown, and was not",
        120: "no common application protocol",
        121: "encrypted_client_hello has to be used",
    ]
}

extension End {
    /// How a peer ended, in the words of the protocols.
    var protocolWords: String {
        switch self {
        case .closeNotify: "close_notify"
        case .fin: "FIN"
        case .reset: "RST"
        case .alert(let code): AlertWords.name(code)
        case .timeout: "time limit"
        case .error(0): "broken session"
        case .error(let errno): "socket error \(errno)"
        case .proxy: "ended by the proxy"
        }
    }
}
