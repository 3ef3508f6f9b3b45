internal import Foundation

/// The number of descriptors that this process has open.
package func openDescriptors() throws -> Int {
    // One of them reads the folder.
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count - 1
}

/// The memory of this process that is in use, in bytes; what the allocator keeps for later is given back first.
package func residentMemory() throws -> Int {
    typealias Trim = @convention(c) (Int) -> Int32
    if let address = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(address, to: Trim.self)(0) }
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").dropFirst().first
    return (pages.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
}

/// Whether a sanitizer keeps memory for itself; the address sanitizer finds leaks in its own way.
package var isSanitized: Bool { hasAddressSanitizer || dlsym(nil, "__tsan_init") != nil }

/// Whether this process runs under the address sanitizer.
package var hasAddressSanitizer: Bool { dlsym(nil, "__asan_init") != nil }
