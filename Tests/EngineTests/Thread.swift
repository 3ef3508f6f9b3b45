import Dispatch

/// A thread for what waits.
enum Thread {
    /// Runs something that may take long, apart from the threads that tests share.
    static func run(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue(label: "test").async(execute: body)
    }
}
