internal import Glibc

/// A file that is read piece by piece.
final class InputFile {
    private let descriptor: Int32
    private static let piece = 1 << 18

    /// Opens a file, or whatever else can be read.
    init(_ path: String) throws(TranscriptError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(errno) }
    }

    deinit { close(descriptor) }

    /// The next piece; nothing at the end.
    func read() throws(TranscriptError) -> [UInt8] {
        var count = 0
        let piece = [UInt8](unsafeUninitializedCapacity: Self.piece) { buffer, length in
            repeat {
                count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            length = max(count, 0)
        }
        guard count >= 0 else { throw Self.unreadable(errno) }
        return piece
    }

    private static func unreadable(_ number: Int32) -> TranscriptError {
        TranscriptError(.unreadable, reason: String(cString: strerror(number)))
    }
}
