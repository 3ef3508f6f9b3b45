/// What is wrong with an origin's certificate, where the leaf for the client was given the same; the names are part of the
/// file format.
public enum OriginFault: String, Sendable, Equatable, CaseIterable {
    /// Its time is over.
    case expired
    /// Its time has not come.
    case notYetValid
    /// It is for other names, or for none.
    case wrongName
    /// It is signed with its own key.
    case selfSigned
    /// It leads to no trusted certificate.
    case untrusted
}
