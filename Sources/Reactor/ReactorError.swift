internal import Glibc

/// A failed operation on a socket, a loop or a name.
public struct ReactorError: Error, Hashable, Sendable {
    /// Why the operation failed, as a number to switch over.
    public enum Code: Hashable, Sendable {
        /// The system refused: an `errno` value. A time limit that ran out is `ETIMEDOUT`.
        case system(Int32)
        /// The name was not resolved: an `EAI_` value of getaddrinfo(3).
        case resolution(Int32)
    }

    /// What was tried, for example "connect to 127.0.0.1:443".
    public let operation: String
    /// Why it failed.
    public let code: Code

    /// Names a failed operation and its reason.
    public init(operation: String, code: Code) {
        self.operation = operation
        self.code = code
    }

    /// The `errno` value, if the system refused.
    public var errno: Int32? {
        if case .system(let number) = code { return number }
        return nil
    }

    /// Takes the reason from the thread's `errno`; to be called right after the failed call.
    ///
    /// The operation is put into words only now, after `errno` was read.
    static func last(_ operation: @autoclosure () -> String) -> ReactorError {
        let number = Glibc.errno
        return ReactorError(operation: operation(), code: .system(number))
    }
}

extension ReactorError: CustomStringConvertible {
    /// The operation and the system's words for the reason, in one line.
    public var description: String {
        switch code {
        case .system(let number):
            return "\(operation): \(String(cString: strerror(number))) (errno \(number))"
        case .resolution(let number):
            return "\(operation): \(String(cString: gai_strerror(number)))"
        }
    }
}
