public import Pinning

/// What lies beside a policy's file and is named in it: certificates, keys, Android's resources.
public protocol PolicyResources: Sendable {
    /// Reads a file.
    ///
    /// - Parameter path: As it is written in the policy; a relative one begins at the policy's folder.
    /// - Returns: What is in it; nil if it is not there or cannot be read.
    func contents(of path: String) -> [UInt8]?

    /// Lists a folder.
    ///
    /// - Parameter path: As for `contents(of:)`.
    /// - Returns: The names of the files in it, in alphabetical order; nil if there is no such folder.
    func names(in path: String) -> [String]?

    /// Decodes certificates.
    ///
    /// - Parameter contents: One certificate in DER, or any number in PEM.
    /// - Returns: The certificates in their order; nil if there is none, or one of them is damaged.
    func certificates(in contents: [UInt8]) -> [CertificateFacts]?
}
