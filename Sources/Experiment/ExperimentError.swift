internal import Glibc

/// Why an experiment cannot be made.
package enum ExperimentError: Error, Equatable {
    /// A program cannot be started.
    case cannotStart(String, errno: Int32)

    /// What is wrong, and with what.
    package var message: String {
        switch self {
        case .cannotStart(let program, let number): "cannot start \(program): \(String(cString: strerror(number)))"
        }
    }
}
