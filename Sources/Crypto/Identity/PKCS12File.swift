internal import COpenSSL

/// A PKCS#12 file (RFC 7292) as its outermost structure says, not yet opened.
///
/// It is read bag by bag: `PKCS12_parse` gives one key of several, drops certificates, and refuses files without a MAC.
///
/// **Ownership:** owns a `PKCS12`.
final class PKCS12File {
    private let handle: PKCS12Handle

    /// Decodes the outermost structure; nil if this is no PKCS#12 file.
    init?(_ bytes: [UInt8]) {
        ERR_clear_error()
        defer { ERR_clear_error() }
        // The function that reads memory would forget the library context that bags are decrypted in.
        var file = PKCS12_init_ex(NID_pkcs7_data, DecryptionLibrary.shared.context, nil)
        let decoded = bytes.withUnsafeBufferPointer { buffer in
            let reader = ScratchBIO(reading: buffer)
            return reader.withHandle { d2i_PKCS12_bio($0, &file) }
        }
        // What could not be decoded is nil by now, what could not even be read is still there.
        guard let file else { return nil }
        let handle = PKCS12Handle(owning: file)
        guard decoded != nil else { return nil }
        self.handle = handle
    }

    /// Opens what the passwords open and adds what is found.
    func unlock(_ unlocking: inout Unlocking) throws(IdentityError) {
        guard try checkMAC(&unlocking) else { return unlocking.denied() }
        ERR_clear_error()
        guard let stack = handle.withPointer({ PKCS12_unpack_authsafes($0) }) else {
            let failure = OpenSSLError.drain("PKCS12_unpack_authsafes")
            let isSigned = failure.entries.contains { $0.reason == PKCS12_R_CONTENT_TYPE_NOT_DATA }
            return unlocking.passOver(
                isSigned
                    ? .unsupportedAlgorithm("a PKCS#12 file that is signed with a public key")
                    : .damaged("the list of its parts cannot be read"))
        }
        let safes = OwnedHandle(stack: stack, freeingEach: freeSafe)
        try safes.withPointer { (stack) throws(IdentityError) in
            for index in 0..<max(0, OPENSSL_sk_num(stack)) {
                guard let safe = OPENSSL_sk_value(stack, index)?.assumingMemoryBound(to: PKCS7.self) else { continue }
                try unlocking.countPart()
                try unlock(safe, &unlocking)
            }
        }
    }

    /// Opens one of the parts that the file consists of.
    private func unlock(
        _ safe: UnsafeMutablePointer<PKCS7>, _ unlocking: inout Unlocking
    ) throws(IdentityError) {
        var bags: OpaquePointer?
        ERR_clear_error()
        switch OBJ_obj2nid(safe.pointee.type) {
        case NID_pkcs7_data:
            bags = PKCS12_unpack_p7data(safe)
            if bags == nil { unlocking.passOver(.damaged("a part cannot be read")) }
        case NID_pkcs7_encrypted:
            guard let contents = safe.pointee.d.encrypted?.pointee.enc_data?.pointee, contents.enc_data != nil,
                let algorithm = contents.algorithm
            else { return unlocking.passOver(.damaged("an encrypted part is empty")) }
            bags = try unlocking.open(EncryptionScheme(algorithm)) { passphrase in
                passphrase.withPointer { PKCS12_unpack_p7encdata(safe, $0, $1) }
            }
        case let kind:
            unlocking.passOver(.unsupportedAlgorithm(OBJ_nid2ln(kind).map { String(cString: $0) } ?? "a part"))
        }
        ERR_clear_error()
        guard let bags else { return }
        let owner = OwnedHandle(stack: bags, freeingEach: freeBag)
        try owner.withPointer { (bags) throws(IdentityError) in try read(bags, &unlocking) }
    }

    /// Reads bags, and those that are nested in them, which OpenSSL limits to a depth.
    private func read(_ bags: OpaquePointer, _ unlocking: inout Unlocking) throws(IdentityError) {
        for index in 0..<max(0, OPENSSL_sk_num(bags)) {
            guard let bag = OPENSSL_sk_value(bags, index).map(OpaquePointer.init) else { continue }
            try unlocking.countPart()
            let name = friendlyName(bag)
            switch PKCS12_SAFEBAG_get_nid(bag) {
            case NID_keyBag:
                if let key = PKCS12_SAFEBAG_get0_p8inf(bag) { try KeyEncoding.add(key, &unlocking, name: name) }
            case NID_pkcs8ShroudedKeyBag:
                if let key = PKCS12_SAFEBAG_get0_pkcs8(bag) { try KeyEncoding.encrypted(key, &unlocking, name: name) }
            case NID_certBag where PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate:
                if let certificate = PKCS12_SAFEBAG_get1_cert(bag) {
                    unlocking.add(Certificate(owning: certificate), name: name)
                } else {
                    unlocking.passOver(.damaged("a certificate cannot be read"))
                }
            case NID_safeContentsBag:
                if let nested = PKCS12_SAFEBAG_get0_safes(bag) { try read(nested, &unlocking) }
            default:
                // Revocation lists, secrets, and certificates of other kinds than X.509 are of no use for TLS.
                continue
            }
        }
    }
}

extension PKCS12File {
    /// Checks the MAC, where there is one.
    ///
    /// - Returns: False if it denies the passwords.
    private func checkMAC(_ unlocking: inout Unlocking) throws(IdentityError) -> Bool {
        var algorithm: UnsafePointer<X509_ALGOR>?
        var iterations: UnsafePointer<ASN1_INTEGER>?
        handle.withPointer { PKCS12_get0_mac(nil, &algorithm, nil, &iterations, $0) }
        guard let algorithm else {
            unlocking.warn(.noMAC)
            return true
        }
        // Without a number it is one round; what does not fit is refused as too much.
        let rounds = iterations.map { UInt64(exactly: ASN1_INTEGER_get($0)) ?? .max } ?? 1
        let scheme = try EncryptionScheme(algorithm)
        try unlocking.spend(max(rounds, scheme.rounds))
        for passphrase in unlocking.passphrases {
            ERR_clear_error()
            if handle.withPointer({ raw in passphrase.withPointer { PKCS12_verify_mac(raw, $0, $1) } }) == 1 {
                return true
            }
            // A MAC that is another leaves nothing in the queue; one that cannot be computed does.
            guard OpenSSLError.drain("PKCS12_verify_mac").entries.isEmpty else {
                unlocking.warn(.uncheckedMAC(scheme.name))
                return true
            }
        }
        return false
    }
}

/// What a bag is called (RFC 2985, 5.5.1): text in 16-bit characters.
private func friendlyName(_ bag: OpaquePointer) -> String? {
    guard let attribute = PKCS12_SAFEBAG_get0_attr(bag, NID_friendlyName)?.pointee,
        attribute.type == V_ASN1_BMPSTRING, let text = attribute.value.bmpstring?.pointee, let start = text.data
    else { return nil }
    let bytes = UnsafeBufferPointer(start: start, count: Int(max(0, text.length)))
    let units = stride(from: 0, to: bytes.count & ~1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    // It is printed, so it must not move a terminal's cursor.
    let name = String(decoding: units, as: UTF16.self).unicodeScalars.map {
        $0.properties.generalCategory == .control ? "\u{FFFD}" : String($0)
    }
    return name.isEmpty ? nil : name.joined()
}

/// An object identifier in dotted notation.
func dotted(_ identifier: OpaquePointer?) -> String {
    var text = [CChar](repeating: 0, count: 80)
    OBJ_obj2txt(&text, Int32(text.count), identifier, 1)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Frees a PKCS#7 structure (RFC 2315), such as a part of a PKCS#12 file.
func freeSafe(_ safe: UnsafeMutableRawPointer?) { PKCS7_free(safe?.assumingMemoryBound(to: PKCS7.self)) }

private func freeBag(_ bag: UnsafeMutableRawPointer?) { PKCS12_SAFEBAG_free(bag.map(OpaquePointer.init)) }
