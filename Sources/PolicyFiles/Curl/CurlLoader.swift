internal import Pinning

/// Reads options of curl: a `.curlrc`, or a command line.
struct CurlLoader {
    let context: LoadingContext

    init(_ context: LoadingContext) { self.context = context }

    /// Reads the file's contents.
    func load(_ contents: [UInt8]) throws(PolicyFileError) -> CurlOptions {
        var options = CurlOptions()
        var pinLine: Int?
        let arguments = try CurlArguments(contents, context)
        if let joined = arguments.joined {
            options.joined = joined
            context.remark(
                "curl splits \(joined.option) at = since \(CurlOptions.joinedSince), and fails (2) before",
                at: .line(joined.line))
        }
        reading: for argument in arguments.found {
            let place = PolicyFileError.Place.line(argument.line)
            switch (argument.name, argument.value) {
            case ("pinnedpubkey", let value?):
                if let line = pinLine {
                    context.remark("pinnedpubkey is given anew: line \(line) no longer counts", at: place)
                }
                pinLine = argument.line
                options.pin = value
            case ("cacert", let value?): options.authorities = try authorities(value, at: place)
            case ("max-redirs", let value?): options.maximumRedirects = try limit(value, at: place)
            case ("insecure", _):
                options.isInsecure = !argument.isNegated
            case ("follow", _), ("location", _), ("location-trusted", _):
                options.followsRedirects = !argument.isNegated
            case ("proxy-pinnedpubkey", _):
                context.remark("proxy-pinnedpubkey is for HTTPS proxies only, and not for servers", at: place)
            case ("next", _):
                context.remark("what follows is for another transfer and not read", at: place)
                break reading
            case let (name, _)
            where CurlOptionTable.trustWithValue.contains(name) || CurlOptionTable.trustFlags.contains(name):
                context.remark("\(name) may change whom curl trusts, and is not emulated", at: place)
            default: break
            }
        }
        guard let pin = options.pin, let pinLine else {
            context.remark("there is no pinnedpubkey: nothing is pinned")
            return options
        }
        let isFile = !pin.hasPrefix(CurlPinRemarks.prefix)
        if isFile { options.pinFile = context.resources.contents(of: pin) }
        let remarks = CurlPinRemarks(resources: context.resources)
        for text in isFile ? remarks.onFile(pin, options.pinFile) : remarks.onDigests(pin) {
            context.remark(text, at: .line(pinLine))
        }
        return options
    }

    private func authorities(
        _ file: String, at place: PolicyFileError.Place
    ) throws(PolicyFileError) -> [CertificateFacts] {
        guard let contents = context.resources.contents(of: file) else {
            throw context.error(
                "cacert \(file.quoted) cannot be read, and curl fails (77)", at: place,
                mend: "its name begins at the policy's folder")
        }
        guard let certificates = context.resources.certificates(in: contents), !certificates.isEmpty else {
            throw context.error("cacert \(file.quoted) holds no certificate, or a damaged one", at: place)
        }
        return certificates
    }

    private func limit(_ text: String, at place: PolicyFileError.Place) throws(PolicyFileError) -> Int {
        guard let number = Int32(text), number >= -1 else {
            throw context.error("max-redirs \(text.quoted) is no number", at: place, mend: "-1 stands for no limit")
        }
        return number < 0 ? .max : Int(number)
    }
}
