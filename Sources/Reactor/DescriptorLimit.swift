internal import Glibc

/// How many descriptors this process may have.
public enum DescriptorLimit {
    /// Raises the limit as far as the process may raise it, which is what the system sets aside for programs that ask.
    ///
    /// - Returns: The limit that holds from then on.
    public static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
        return Int(clamping: limit.rlim_cur)
    }
}
