internal import COpenSSL
internal import COpenSSLShims

extension Certificate {
    /// Where it says that its issuer's certificate is to be had: the locations of caIssuers in authorityInfoAccess, as they
    /// stand (RFC 5280 section 4.2.2.1).
    package var issuerLocations: [String] {
        withHandle { raw in
            guard let found = X509_get_ext_d2i(raw, NID_info_access, nil, nil) else { return [] }
            let list = OwnedHandle(OpaquePointer(found)) { AUTHORITY_INFO_ACCESS_free($0) }
            return list.withPointer { list in
                (0..<max(0, OPENSSL_sk_num(list))).compactMap { index in
                    OPENSSL_sk_value(list, index).flatMap {
                        Self.issuerLocation(in: $0.assumingMemoryBound(to: ACCESS_DESCRIPTION.self).pointee)
                    }
                }
            }
        }
    }

    private static func issuerLocation(in access: ACCESS_DESCRIPTION) -> String? {
        var type: Int32 = 0
        guard OBJ_obj2nid(access.method) == NID_ad_ca_issuers,
            let value = GENERAL_NAME_get0_value(access.location, &type), type == GEN_URI
        else { return nil }
        let string = value.assumingMemoryBound(to: ASN1_STRING.self).pointee
        let octets = UnsafeBufferPointer(start: string.data, count: Int(string.length))
        return String(decoding: octets, as: UTF8.self)
    }

    /// Reads what such a location holds: one certificate in DER, several in PKCS#7 (RFC 5280 section 4.2.2.1), or PEM,
    /// which some authorities put there.
    ///
    /// - Parameter file: The file's bytes.
    /// - Returns: The certificates in order; none if it holds none.
    package static func issuerFile(_ file: [UInt8]) -> [Certificate] {
        if let single = try? Certificate(der: file) { return [single] }
        let several = certificates(inPKCS7: file)
        return several.isEmpty ? (try? pem(file)) ?? [] : several
    }

    private static func certificates(inPKCS7 file: [UInt8]) -> [Certificate] {
        ERR_clear_error()
        defer { ERR_clear_error() }
        return file.withUnsafeBufferPointer { buffer in
            var cursor = buffer.baseAddress
            guard cursor != nil, let message = d2i_PKCS7(nil, &cursor, buffer.count) else { return [] }
            defer { freeSafe(message) }
            guard OBJ_obj2nid(message.pointee.type) == NID_pkcs7_signed,
                let stack = message.pointee.d.sign?.pointee.cert
            else { return [] }
            return shared(stack)
        }
    }

    /// Shares the certificates of a stack that OpenSSL owns.
    static func shared(_ stack: OpaquePointer?) -> [Certificate] {
        guard let stack else { return [] }
        return (0..<copenssl_sk_X509_num(stack)).compactMap { index in
            copenssl_sk_X509_value(stack, index).map(Certificate.init(sharing:))
        }
    }

    /// Shares a certificate that OpenSSL owns.
    convenience init(sharing raw: OpaquePointer) {
        X509_up_ref(raw)
        self.init(owning: raw)
    }
}
