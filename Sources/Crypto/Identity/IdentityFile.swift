/// One file of an identity, told apart by its bytes.
enum IdentityFile {
    case pkcs12(PKCS12File)
    case pem([PEMText.Block])
    case certificate(Certificate)
    /// A key in DER, as PKCS#8 or in an older form.
    case key(SecretBytes)
    /// An encrypted PKCS#8 key in DER.
    case encryptedKey(SecretBytes)

    /// Looks what `bytes` are.
    ///
    /// - Throws: `IdentityError.notAnIdentityFile`, `damaged` or `tooCostly`.
    init(_ bytes: [UInt8], limits: IdentityLimits) throws(IdentityError) {
        guard bytes.count <= limits.bytes else { throw .tooCostly("it has more than \(limits.bytes) bytes") }
        // A SEQUENCE; the digit 0 of some text is the same byte.
        let isDER = bytes.first == 0x30
        if isDER, let file = PKCS12File(bytes) {
            self = .pkcs12(file)
        } else if isDER, let certificate = try? Certificate(der: bytes) {
            self = .certificate(certificate)
        } else if PEMText.isLikely(bytes) {
            self = .pem(try Self.blocks(bytes, limits: limits))
        } else {
            guard isDER else { throw .notAnIdentityFile(Self.kind(of: bytes)) }
            self = try Self.other(bytes)
        }
    }

    /// Tells the kinds of DER apart by their first elements.
    private static func other(_ bytes: [UInt8]) throws(IdentityError) -> IdentityFile {
        var file = DERReader(bytes[...])
        var fields = file.next()?.sequence
        switch (fields?.next(), fields?.next()) {
        case (let version?, let second?) where version.tag == 0x02 && [0x02, 0x04, 0x30].contains(second.tag):
            // PKCS#8 and the forms for RSA and EC begin with small versions; a PKCS#12 file with 3.
            if version.unsigned != 3 { return .key(SecretBytes(bytes)) }
        case (let algorithm?, let data?) where algorithm.tag == 0x30 && data.tag == 0x04:
            return .encryptedKey(SecretBytes(bytes))
        default: break
        }
        // SEQUENCE, INTEGER 3: a PKCS#12 file, but not all of it.
        if bytes.prefix(16).indices.contains(where: { bytes[$0...].starts(with: [0x02, 0x01, 0x03, 0x30]) }) {
            throw .damaged("the PKCS#12 file is cut off or changed")
        }
        throw .notAnIdentityFile("other or damaged binary data")
    }

    private static func blocks(_ bytes: [UInt8], limits: IdentityLimits) throws(IdentityError) -> [PEMText.Block] {
        var text = PEMText(bytes)
        var blocks: [PEMText.Block] = []
        while let block = try text.nextBlock() {
            guard blocks.count < limits.parts else { throw .tooCostly("it has more than \(limits.parts) parts") }
            blocks.append(block)
        }
        return blocks
    }

    /// What a file is that cannot hold an identity for us.
    private static func kind(of bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "empty" }
        if bytes.starts(with: [0xFE, 0xED, 0xFE, 0xED]) {
            return "a Java key store of the old kind, which `keytool -importkeystore -deststoretype PKCS12` converts"
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "text in UTF-16" }
        return "something else"
    }

    /// Opens what the passwords open and adds what is found.
    func unlock(_ unlocking: inout Unlocking) throws(IdentityError) {
        switch self {
        case .pkcs12(let file): try file.unlock(&unlocking)
        case .certificate(let certificate): unlocking.add(certificate, name: nil)
        case .key(let der): try KeyEncoding.plain(der, &unlocking)
        case .encryptedKey(let der): try KeyEncoding.encrypted(der, &unlocking)
        case .pem(let blocks): for block in blocks { try Self.unlock(block, &unlocking) }
        }
    }

    private static func unlock(_ block: PEMText.Block, _ unlocking: inout Unlocking) throws(IdentityError) {
        try unlocking.countPart()
        switch block.label {
        case "CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
            guard let certificate = Certificate(beginning: block.contents) else {
                throw .damaged("the certificate at line \(block.line) cannot be read")
            }
            unlocking.add(certificate, name: nil)
        case "ENCRYPTED PRIVATE KEY": try KeyEncoding.encrypted(block.contents, &unlocking)
        case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY":
            let isEncrypted = block.fields["Proc-Type"]?.contains("ENCRYPTED") == true
            if isEncrypted {
                try TraditionalKey.read(block, &unlocking)
            } else {
                try KeyEncoding.plain(block.contents, &unlocking)
            }
        case let label where label.hasSuffix("PRIVATE KEY"):
            unlocking.passOver(.unsupportedAlgorithm("a key in the form “\(printable(label))”"))
        default:
            // Parameters, public keys, requests: of no use here.
            break
        }
    }
}

/// Text of a file as it may be printed: without what could move a terminal's cursor.
func printable(_ text: some StringProtocol) -> String {
    String(text.unicodeScalars.prefix(40).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
}

extension Certificate {
    /// Decodes the certificate that `contents` begin with; OpenSSL's "trusted" form has more behind it.
    fileprivate convenience init?(beginning contents: SecretBytes) {
        let der = contents.withBytes { buffer -> [UInt8] in
            let bytes = Array(buffer)
            var reader = DERReader(bytes[...])
            guard let element = reader.next() else { return bytes }
            return Array(bytes[..<element.content.endIndex])
        }
        try? self.init(der: der)
    }
}
