/// Why no further connections are accepted for the time being: they wait in the kernel's queue.
public enum AcceptingLimit: Sendable, Equatable {
    /// As many connections are open as are allowed.
    case connections(Int)
    /// The process or the system has no descriptor or memory left: the system's error number.
    case system(errno: Int32)
}
