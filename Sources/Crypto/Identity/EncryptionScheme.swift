internal import COpenSSL

/// How a part of a file is encrypted, or its MAC made (RFC 8018; RFC 7292, appendix C; RFC 9579).
struct EncryptionScheme {
    /// The name to print: OpenSSL's short one, or the object identifier if it has none.
    let name: String
    /// Whether it is weak by today's measure: everything but PBES2 with a modern cipher.
    let isLegacy: Bool
    /// The rounds that deriving the key takes.
    let rounds: UInt64

    /// The older encryption of PEM keys (RFC 1421): the key is one round of MD5.
    init(traditional cipher: String) {
        name = "\(cipher) with one round of MD5"
        isLegacy = true
        rounds = 1
    }

    /// Reads an AlgorithmIdentifier.
    ///
    /// - Throws: `IdentityError.damaged` if its parameters cannot be read.
    init(_ algorithm: UnsafePointer<X509_ALGOR>) throws(IdentityError) {
        let der = encoded { i2d_X509_ALGOR(algorithm, $0) } ?? []
        guard let scheme = Self.read(der) else { throw .damaged("the parameters of an encryption cannot be read") }
        self = scheme
    }

    private init(name: String, isLegacy: Bool, rounds: UInt64) {
        self.name = name
        self.isLegacy = isLegacy
        self.rounds = rounds
    }

    private static func read(_ der: [UInt8]) -> EncryptionScheme? {
        guard let (identifier, parameters) = algorithm(DERReader(der[...])) else { return nil }
        // PBES2, and PBMAC1 which has the same parameters.
        guard ["1.2.840.113549.1.5.13", "1.2.840.113549.1.5.14"].contains(identifier) else {
            // PBEParameter and pkcs-12PbeParams alike: salt, iterations. What is unknown may have anything here.
            var fields = parameters?.sequence
            _ = fields?.next()
            let rounds = fields?.next()?.unsigned ?? 1
            return EncryptionScheme(name: objectName(identifier), isLegacy: true, rounds: rounds)
        }
        guard var fields = parameters?.sequence, let (derivation, derivationParameters) = algorithm(&fields),
            let (cipher, _) = algorithm(&fields)
        else { return nil }
        let isLegacy = ["DES", "RC2", "RC4", "RC5"].contains { objectName(cipher).hasPrefix($0) }
        guard var values = derivationParameters?.sequence, values.next() != nil else { return nil }
        var numbers: [UInt64] = []
        while let number = values.next()?.unsigned { numbers.append(number) }
        guard let first = numbers.first else { return nil }
        // scrypt (RFC 7914) has the cost, the block size and the parallelization here, PBKDF2 the iterations.
        let isScrypt = derivation == "1.3.6.1.4.1.11591.4.11"
        let rounds = isScrypt ? numbers.prefix(3).reduce(1, saturatingProduct) : first
        let function = isScrypt ? " with scrypt" : ""
        return EncryptionScheme(name: objectName(cipher) + function, isLegacy: isLegacy, rounds: rounds)
    }

    private static func algorithm(_ reader: DERReader) -> (String, DERReader.Element?)? {
        var reader = reader
        return algorithm(&reader)
    }

    private static func algorithm(_ reader: inout DERReader) -> (String, DERReader.Element?)? {
        guard var fields = reader.next()?.sequence, let identifier = fields.next()?.objectIdentifier else { return nil }
        return (identifier, fields.next())
    }

    private static func saturatingProduct(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        return overflow ? .max : product
    }
}

/// The short name of an object identifier in dotted notation, or itself.
func objectName(_ identifier: String) -> String {
    let number = OBJ_txt2nid(identifier)
    guard number != NID_undef, let name = OBJ_nid2sn(number) else { return identifier }
    return String(cString: name)
}
