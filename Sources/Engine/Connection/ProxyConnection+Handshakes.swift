internal import Authority
internal import Crypto
internal import Dispatch
internal import Interception
internal import Reactor
internal import Transcript
internal import Wire

// TLS with the origin, the leaf, TLS with the client.
extension ProxyConnection {
    func secureOrigin(_ endpoint: Endpoint, alpn: [[UInt8]]) {
        loadIdentities(for: endpoint) { connection, error in connection.secureOrigin(endpoint, alpn: alpn, error) }
    }

    private func secureOrigin(_ endpoint: Endpoint, alpn: [[UInt8]], _ error: (any Error)?) {
        guard let origin else { preconditionFailure("TLS with the origin comes after TCP with it") }
        do {
            if let error { throw error }
            let session = try TLSSession.connecting(
                context(.origin, for: endpoint), to: endpoint.host, verify: verification(of: endpoint), alpn: alpn,
                offersLateAuthentication: !identity.candidates.isEmpty)
            searchIssuers(for: session)
            session.onIdentityRequest = { [unowned self] in chooseIdentity($0) }
            origin.secure(session)
            asked = endpoint
            originTap = SessionTap(session, side: .origin, capture: worker.configuration.capture) { [unowned self] in
                record($0)
            } onOwnCertificate: { [unowned self] in
                presentedIdentity(isEmpty: $0)
            }
            originReading = .handshake
            read(.origin, true)
            advanceHandshake(.origin)
        } catch let error as AuthorityError {
            submit(.originFailed(.identityUnusable(error)))
        } catch {
            submit(.originFailed(.ourFault("cannot start TLS with the origin: \(error)", .originHandshake)))
        }
    }

    /// How an origin's certificate is judged: by its pins if it has any, by ordinary verification otherwise, whose faults
    /// the scenario may pass on.
    private func verification(of endpoint: Endpoint) -> TLSSession.Verification {
        let pins = pins(of: endpoint)
        guard !pins.isEmpty else {
            return verification(in: worker.configuration.scenarios.values(for: endpoint).last ?? .trusted)
        }
        return .custom { chain in
            guard let leaf = chain.first, pins.contains(where: { $0.matches(leaf) }) else {
                return .reject(alert: Self.badCertificate)
            }
            return .accept
        }
    }

    /// What a side's session is made from: as tolerant as the host's options say.
    private func context(_ side: Side, for endpoint: Endpoint?) -> TLSContext {
        worker.shared.context(side, isLegacy: isLegacy(side, for: endpoint))
    }

    private func isLegacy(_ side: Side, for endpoint: Endpoint?) -> Bool {
        endpoint.map { worker.configuration.legacy.isOpen(side, for: $0) } ?? false
    }

    private func pins(of endpoint: Endpoint?) -> [OriginPin] {
        endpoint.map { worker.configuration.originPins.values(for: $0) } ?? []
    }

    /// By what the certificate of an origin that was accepted was accepted.
    private func proof(of endpoint: Endpoint) -> OriginProof {
        let pins = worker.configuration.originPins.values(for: endpoint)
        guard pins.isEmpty else { return pins.contains(.any) ? .nothing : .pin }
        return mirroredFaults == nil ? .trust : .mirrored
    }

    private static let badCertificate: UInt8 = 42

    /// Asks for the phase of an experiment that this connection is for.
    func assignPhase(_ endpoint: Endpoint) {
        guard let rotation = worker.configuration.rotation else { preconditionFailure("there is no experiment") }
        let assignment = rotation.assign(endpoint)
        self.assignment = assignment
        let authority = worker.shared.forge(for: assignment.phase).map { Hex.encode($0.authority.certificate.sha256) }
        submit(.assigned(assignment.phase, authority: authority))
    }

    func forge(_ endpoint: Endpoint, key: LeafKey) {
        guard let forge = worker.shared.forge(for: assignment?.phase ?? .trusted) else {
            preconditionFailure("no leaf is shown in the baseline")
        }
        // Whoever answers in the origin's place never asked it.
        asked = asked ?? endpoint
        let host = endpoint.host
        let mirror = mirroredFaults
        guard key == .rsa2048 else {
            return took(Result { try forge.leaf(for: host, mirroring: mirror, now: wallSeconds()) }, for: host)
        }
        // An RSA key takes as long as hundreds of handshakes: not on the loop.
        let loop = worker.loop
        let home = LoopBound(worker, loop: loop)
        let number = number
        DispatchQueue.global().async {
            let result = Result { try forge.leaf(for: host, key: .rsa(2048), mirroring: mirror, now: wallSeconds()) }
            loop.execute { home.value.connection(number)?.took(result, for: host) }
        }
    }

    func secureClient(alpn: [UInt8]?, received: [UInt8]) {
        guard let leaf else { preconditionFailure("TLS with the client comes after its leaf") }
        do {
            let session = try TLSSession.accepting(
                context(.client, for: asked), identity: leaf.identity,
                authentication: asked.flatMap(appAuthentication), alpn: alpn)
            worker.recorder.record(chain: leaf.identity.chain, .client, connection: number)
            client.secure(session, received: received)
            clientTap = SessionTap(session, side: .client, capture: worker.configuration.capture) { [unowned self] in
                record($0)
            }
            clientReading = .handshake
            advanceHandshake(.client)
        } catch {
            submit(.clientFailed(.ourFault("cannot start TLS with the client: \(error)", .clientHandshake)))
        }
    }

    func advanceHandshake(_ side: Side) {
        guard let channel = channel(side), let session = channel.session else { return }
        let progress = channel.handshake()
        tap(side)?.flush()
        let isWaiting = if case .waiting = progress { true } else { false }
        if side == .origin, originTap?.tellsFirstAnswer() == true { submit(.originAnswered) }
        if !isWaiting { finishTap(side) }
        if side == .client, !isWaiting { recordAppIdentity() }
        switch progress {
        case .waiting:
            if side == .origin { fetchWantedIssuer() }
        case .complete:
            record(.secured(side, parameters(of: session, side)))
            // No ticket follows a client's Finished, and its request may wait for the acknowledgement.
            if side == .client { client.stream.acknowledge() }
            submit(side == .client ? .clientSecured : .originSecured(alpn: session.parameters?.alpn))
        case .ended(let end):
            ended(side, end)
        case .failed(let failure):
            let phase: Phase = side == .client ? .clientHandshake : .originHandshake
            let explained =
                side == .client && identity.appFault != 0
                ? TLSFailure.refusedIdentity(identity.appFault, phase)
                : (isLegacy(side, for: asked) ? nil : failure.outdated(side, phase, clientNeedsSHA1: needsSHA1))
                    ?? failure.explained(
                        for: side, phase, leaf: session.peerChain.first, isPinned: !pins(of: asked).isEmpty,
                        asked: asked?.host,
                        missing: missingIssuer(session))
            submit(
                side == .client
                    ? .clientFailed(explained)
                    : .originFailed(mirror.refused == nil ? explained : explained.unmirrored))
        }
    }

    private func took(_ result: Result<ForgedLeaf, any Error>, for host: HostName) {
        switch result {
        case .success(let forged):
            leaf = forged
            let certificate = forged.identity.chain[0]
            record(
                .forged(
                    host: host.text, digest: Hex.encode(certificate.sha256),
                    key: certificate.keyDescription, fromCache: forged.fromCache,
                    mirrors: forged.faults.compactMap(OriginFault.init)),
                naming: [certificate])
            submit(.forged)
        case .failure(let error):
            submit(.forgeFailed(.ourFault("cannot mint a leaf: \(error)", .forging, code: .forgeFailed)))
        }
    }

    /// Ends the recording of a handshake, however far it came, and records what chain the origin showed in it.
    func finishTap(_ side: Side) {
        guard let tap = tap(side), tap.finish(), side == .origin else { return }
        let chain = origin?.session?.peerChain ?? []
        if !chain.isEmpty { worker.recorder.record(chain: chain, .origin, connection: number) }
    }

    private func parameters(of session: TLSSession, _ side: Side) -> TLSParameters {
        let facts = session.parameters
        return TLSParameters(
            version: facts?.version ?? 0, cipherSuite: facts?.cipherSuite ?? 0,
            cipherSuiteName: facts?.cipherSuiteName ?? "", group: facts?.group,
            alpn: facts?.alpn.map(TLSNames.applicationProtocol),
            serverName: side == .origin ? asked.flatMap { $0.host.isAddress ? nil : $0.host.text } : offeredName,
            resumed: facts?.resumed ?? false, proof: side == .origin ? asked.map(proof) : nil)
    }
}
