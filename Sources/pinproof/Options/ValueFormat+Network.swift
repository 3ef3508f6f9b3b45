internal import PinClient
internal import Wire

extension ValueFormat<HostName> {
    /// An address to listen on.
    static var address: ValueFormat {
        ValueFormat(
            placeholder: "ADDRESS",
            parse: { (text) throws(ValueError) in
                guard let host = HostName(text), host.isAddress else {
                    throw ValueError(what: "not an IP address", remedy: "use one such as 127.0.0.1 or ::1")
                }
                return host
            })
    }

    /// A DNS name or an address.
    static var host: ValueFormat {
        ValueFormat(
            placeholder: "NAME",
            parse: { (text) throws(ValueError) in
                guard let host = HostName(text) else {
                    throw ValueError(
                        what: "not a host name", remedy: "use a DNS name or an IP address, without a port")
                }
                return host
            })
    }
}

extension ValueFormat<Endpoint> {
    /// A host with its port.
    static var endpoint: ValueFormat {
        ValueFormat(
            placeholder: "HOST:PORT",
            parse: { (text) throws(ValueError) in
                guard let endpoint = Endpoint(text) else {
                    throw ValueError(what: "not a host and a port", remedy: "write it as 127.0.0.1:8080")
                }
                return endpoint
            })
    }
}

extension ValueFormat<HostPattern> {
    /// The hosts that a rule is for.
    static var pattern: ValueFormat {
        ValueFormat(
            placeholder: "PATTERN",
            parse: { (text) throws(ValueError) in
                guard let pattern = HostPattern(text) else {
                    throw ValueError(
                        what: "not a host pattern",
                        remedy: "use a host, '*.example.com' or '*', with ':PORT' if need be"
                    )
                }
                return pattern
            })
    }
}

extension ValueFormat<ResolveOverride> {
    /// An address to connect to instead of asking DNS.
    static var resolveOverride: ValueFormat {
        ValueFormat(
            placeholder: "HOST[:PORT]:ADDR[:PORT]",
            parse: { (text) throws(ValueError) in
                guard let override = ResolveOverride(text) else {
                    throw ValueError(
                        what: "not an address for a host",
                        remedy: "write it as api.example.com:443:127.0.0.1:8443, both ports optional, IPv6 in brackets")
                }
                return override
            })
    }
}

extension ValueFormat<CheckURL> {
    /// What to fetch; whether `http` will do is for the options together to say.
    static var url: ValueFormat {
        ValueFormat(
            placeholder: "URL",
            parse: { (text) throws(ValueError) in
                do throws(CheckURLError) {
                    return try CheckURL(text, allowsPlain: true)
                } catch {
                    throw ValueError(what: "not an https URL", remedy: error.description)
                }
            })
    }
}
