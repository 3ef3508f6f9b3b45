import Foundation
import Testing

@testable import pinproof

@Suite struct FilesTests {
    private let folder = try? TemporaryFolder()

    /// A named pipe that nobody writes to is not an empty file: who trusts what is in it would trust nothing.
    @Test func aPipeWithoutAWriterIsAnError() throws {
        let path = try #require(folder).path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: CommandError.self) { try Files.read(path, patience: .milliseconds(20)) }
    }

    /// A pipe that somebody writes to is read to its end, however its bytes come.
    @Test func aPipeIsReadToItsEnd() throws {
        let pipe = Pipe()
        let text = Data(repeating: 7, count: 300_000)
        Thread.detachNewThread {
            for start in stride(from: 0, to: text.count, by: 50_000) {
                pipe.fileHandleForWriting.write(text[start..<start + 50_000])
            }
            try? pipe.fileHandleForWriting.close()
        }
        #expect(try Files.read("/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)") == [UInt8](text))
    }
}
