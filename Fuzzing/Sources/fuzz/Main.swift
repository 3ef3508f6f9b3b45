internal import CFuzzer
internal import FuzzTargets
internal import Glibc

/// `fuzz --target=NAME` with libFuzzer's own options, files and folders behind it.
///
/// libFuzzer ignores options with two dashes, and hands them on to the processes that it starts itself.
@main
enum Main {
    static func main() {
        guard target != nil else {
            say("usage: fuzz --target=NAME [OPTION...] [FOLDER...]; the targets are:")
            for target in FuzzTarget.all { say("  \(target.name)") }
            exit(64)
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, check))
    }
}

/// The target that the command line names.
private let target: FuzzTarget? = {
    let option = "--target="
    let name = CommandLine.arguments.first { $0.hasPrefix(option) }?.dropFirst(option.count)
    return FuzzTarget.all.first { $0.name == name.map(String.init) }
}()

/// Checks one input for libFuzzer, which keeps it if the process ends here.
private func check(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    do {
        try target?.check([UInt8](UnsafeBufferPointer(start: data, count: size)))
    } catch {
        say("fuzz: \(error)")
        abort()
    }
    return 0
}

private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}
