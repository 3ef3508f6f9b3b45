internal import Glibc

/// Why an experiment cannot be made.
package enum ExperimentError: Error, Equatable {
    /// A program cannot be started.
    case cannotStart(String, errno: Int32)
    /// There is no program with which to tell browsers of a CA.
    case certutilMissing
    /// That program failed, and said this.
    case certutilFailed(String)

    /// What is wrong, and with what.
    package var message: String {
        switch self {
        case .cannotStart(let program, let number): "cannot start \(program): \(String(cString: strerror(number)))"
        case .certutilMissing: "--browser needs certutil, which is not there"
        case .certutilFailed(let said):
            "certutil failed: \(said.split(whereSeparator: \.isNewline).joined(separator: " "))"
        }
    }

    /// How to mend it; nil where nothing is known to help.
    package var remedy: String? {
        switch self {
        case .cannotStart: "name a program on the PATH, or by its path"
        case .certutilMissing: "install it: apt-get install libnss3-tools"
        case .certutilFailed: nil
        }
    }
}
