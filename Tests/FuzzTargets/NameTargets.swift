internal import PinClient
internal import Wire

extension FuzzTarget {
    /// `HostName`, `Endpoint` and `HostPattern`.
    static let names = FuzzTarget("names") { input throws(BrokenProperty) in
        let text = String(decoding: input, as: UTF8.self)
        if let host = HostName(text) { try check(host) }
        if let endpoint = Endpoint(text) {
            try check(endpoint.host)
            try require(endpoint.port != 0, "a port is not zero")
            try require(Endpoint(endpoint.description) == endpoint, "an endpoint reads as it is written")
            try require(HostPattern(endpoint.description)?.matches(endpoint) == true, "an endpoint is its own pattern")
            try require(HostPattern("*")?.matches(endpoint) == true, "* matches everything")
        }
        if let pattern = HostPattern(text) {
            let again = HostPattern(pattern.description)
            try require(again == pattern, "a pattern reads as it is written")
            try require(again?.specificity == pattern.specificity, "and is as specific")
        }
    }

    /// `CheckURL`.
    static let url = FuzzTarget("url") { input throws(BrokenProperty) in
        let text = String(decoding: input, as: UTF8.self)
        switch Result(catching: { () throws(CheckURLError) in try CheckURL(text) }) {
        case .success(let url):
            try check(url.endpoint.host)
            try require(url.target.hasPrefix("/"), "a target begins with a slash")
            try require(url.target.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a target fits in a request line")
            try require(HostName(url.spelledHost) == url.endpoint.host, "a spelling is one of the host's")
            let again = try? CheckURL(url.description)
            try require(again?.description == url.description, "a URL reads as it is written")
        case .failure(let error):
            try require(!error.description.isEmpty, "a refusal has a reason")
        }
    }

    private static func check(_ host: HostName) throws(BrokenProperty) {
        try require(HostName(host.text) == host, "a host reads as it is written")
        try require(HostName(host.description) == host, "in brackets too")
        try require((1...253).contains(host.text.utf8.count), "a host's length is bounded")
        try require(
            host.text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !(0x41...0x5A).contains($0) },
            "a host is printable and in lower case")
        guard let octets = host.addressBytes else { return }
        try require(HostName(addressBytes: octets) == host, "an address is its octets")
    }
}
