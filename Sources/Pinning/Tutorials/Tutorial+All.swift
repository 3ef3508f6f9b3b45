public import Wire

extension Tutorial {
    /// The tutorials, in the order of the rows that describe them.
    public static let all: [Tutorial] = [
        Tutorial(
            "tutorial-000a", "PS-11-1", .securityPolicy(.none, allowInvalid: false, validatesDomain: false),
            """
            Wrong: the default policy without the host's name accepts whatever certificate the system trusts, for \
            any name.
            """),
        Tutorial(
            "tutorial-000b", "PS-11-1", anchoredWithoutHost,
            """
            Half right: the pinned files are the only anchors and must be within their time, but nobody looks at the \
            host's name.
            """),
        Tutorial(
            "tutorial-000c", "PS-11-1", anchoredWithoutHost,
            identity: IdentityUse(
                file: "client-cert.p12", hasEmptyPassword: true, conduct: .whenAsked(leafOnly: true),
                otherChallenges: .platform),
            """
            Half right: as tutorial-000b, and any server that asks for a client certificate gets it, without its \
            chain; the empty text is the password.
            """),
        Tutorial(
            "tutorial-000-script", "PS-11-2", .scriptCertificate,
            """
            Wrong: pins what the tutorial's script makes (RSA of 1024 bits, a common name only, ten years), which \
            passes only because nobody looks at the host.
            """),
        Tutorial(
            "tutorial-001-2x", "PS-11-3", .identityForEveryChallenge(clientFile(.always, .identity)),
            unconfirmed: "what the platform makes of an identity as the answer to a challenge about the server",
            """
            Wrong: answers every challenge with the client identity, the one about the server too, so that any \
            server is accepted and the pins are dead code.
            """),
        Tutorial(
            "tutorial-001-2x-dead-policy", "PS-11-3", .unaskedPolicy,
            """
            Wrong: the policy object is configured and never asked, so that the platform decides and nothing is pinned.
            """),
        Tutorial(
            "tutorial-001-3x", "PS-11-4", anchoredWithoutHost,
            identity: clientFile(.whenAsked(leafOnly: true), .identity), unconfirmed: leafAloneIsAssumed,
            """
            Half right: the pinned certificate is the only anchor, but nobody looks at the host's name, and every \
            other challenge is answered with the identity.
            """),
        Tutorial(
            "tutorial-001-oneway", "PS-11-5", .securityPolicy(.certificate, allowInvalid: true, validatesDomain: true),
            unconfirmed: "that an NSArray of pins works where 3.x wants an NSSet",
            """
            Right: the pins are the only anchors, and the certificate must be for the host.
            """),
        Tutorial(
            "tutorial-002", "PS-11-6", anchoredWithoutHost, hasPlainBranch: true,
            identity: clientFile(.whenAsked(leafOnly: true), .identity), unconfirmed: leafAloneIsAssumed,
            """
            Half right: for https the pinned root is the only anchor, but for any name; http is left to the default \
            policy, which has nothing to evaluate.
            """),
        Tutorial(
            "tutorial-002-overtaken", "PS-11-6", .replacedByDefaultPolicy,
            identity: clientFile(.whenAsked(leafOnly: true), .identity), unconfirmed: leafAloneIsAssumed,
            """
            Wrong: all requests share one manager, and an http request put its default policy there before the https \
            server was judged, so that nothing is pinned.
            """),
        Tutorial(
            "tutorial-003-session", "PS-11-7", .customAnchors(besidePlatform: false),
            unconfirmed: "what answering both the completion handler and the challenge's sender does",
            """
            Right: the pinned CA is the only anchor, and the platform's rules for TLS servers stay, the host's name \
            among them.
            """),
        Tutorial(
            "tutorial-003-session-system", "PS-11-7", .customAnchors(besidePlatform: true),
            unconfirmed: "what answering both the completion handler and the challenge's sender does",
            """
            Wrong as a pin: with the call that the tutorial's note means the system's CAs count beside the app's own.
            """),
        Tutorial(
            "tutorial-003-af253", "PS-11-8", .patchedSecurityPolicy25(.certificate), unconfirmed: noCredential,
            """
            Wrong: AFNetworking 2.5.3, patched to want one pinned certificate less than the path has: the path's \
            length decides, and nobody looks at the host's name.
            """),
        Tutorial(
            "tutorial-003-af253-key", "PS-11-8", .patchedSecurityPolicy25(.publicKey), unconfirmed: noCredential,
            """
            Wrong: the same patched library in its key mode: one pinned key on the path is enough, expired or not, \
            for any name.
            """),
        Tutorial(
            "tutorial-004-two-certs", "PS-11-9", .leafBytes,
            identity: alamofireIdentity,
            """
            Half right: the server's certificate must be the pinned one, byte for byte, but neither host, expiry nor \
            chain count, and a renewed certificate is refused.
            """),
        Tutorial(
            "tutorial-004-one-cert", "PS-11-10", .hostList, identity: alamofireIdentity,
            """
            Wrong: any certificate at all will do for a host on the list; every other host is refused, whatever it \
            presents.
            """),
    ]

    /// The hosts that the tutorial with a list lists (PS-11-10).
    public static let listedHosts = ["192.168.1.112", "www.hangge.com"].compactMap(HostName.init)

    private static let anchoredWithoutHost = ServerCheck.securityPolicy(
        .certificate, allowInvalid: true, validatesDomain: false)
    private static let alamofireIdentity = IdentityUse(
        file: "mykey.p12", conduct: .whenAsked(leafOnly: false), otherChallenges: .cancel)
    private static let leafAloneIsAssumed = "that the identity's leaf goes without its chain"
    private static let noCredential =
        "what the platform does after an accept: the code answers the challenge without a credential"

    private static func clientFile(_ conduct: IdentityConduct, _ others: OtherChallenges) -> IdentityUse {
        IdentityUse(file: "client.p12", conduct: conduct, otherChallenges: others)
    }
}
