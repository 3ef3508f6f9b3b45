import Foundation

/// The number of descriptors that this process has open.
func countOpenDescriptors() throws -> Int {
    // One of them reads the folder.
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - 1
}

/// Sets the soft limit for descriptors; those that are open stay so.
///
/// - Returns: The former limit.
@discardableResult
func setDescriptorLimit(_ limit: rlim_t) -> rlim_t {
    var limits = rlimit()
    precondition(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
    let former = limits.rlim_cur
    limits.rlim_cur = limit
    precondition(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0)
    return former
}
