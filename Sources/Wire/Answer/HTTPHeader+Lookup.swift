extension [HTTPHeader] {
    /// Whether a field called `name` lists `token`, in any case (RFC 9110 section 5.6.1).
    func list(_ name: String, contains token: String) -> Bool {
        values(named: name).contains { value in
            value.split(separator: ",").contains {
                HTTPHeader(name: $0.filter { !$0.isWhitespace }, value: "").isNamed(token)
            }
        }
    }
}
