internal import Synchronization
package import Transcript

/// A packet capture of both sessions of every intercepted connection, on disk as it comes to be, with its secrets.
// Sendable: only the recorder's thread for this consumer touches the file and the fold.
package final class PcapngFile: EventConsumer, @unchecked Sendable {
    private let file: RecordingFile
    private var export = PcapngExport()
    /// What is made before it is written; kept, since fresh memory costs more than what goes into it.
    private var blocks: [UInt8] = []
    private let lost = Atomic<UInt64>(0)
    /// How many events the disk did not take.
    package var lostEvents: UInt64 { lost.load(ordering: .relaxed) }
    /// The path that was opened.
    package let path: String

    /// Creates the file, with mode 0600; what is there already, a file or not, is left alone.
    ///
    /// - Parameter path: Where it goes.
    /// - Throws: `EngineError` if something is there, or it cannot be made.
    package init(path: String) throws(EngineError) {
        file = try RecordingFile(path: path, what: "the capture", option: "--pcapng")
        self.path = path
        var beginning: [UInt8] = []
        export.begin(into: &beginning)
        guard file.append(beginning) else {
            throw EngineError("cannot write the capture \(path): the disk does not take it", hint: "make room there")
        }
    }

    package func consume(_ events: [Event]) {
        var rest = events[...]
        while !rest.isEmpty {
            // Blocks are whole in every piece, and a piece that the disk does not take is missing as a whole: the next
            // packet of a conversation has a number that tells how much.
            blocks.removeAll(keepingCapacity: blocks.capacity <= 2 * Self.piece)
            var count: UInt64 = 0
            while let event = rest.first, blocks.count < Self.piece {
                export.add(event, into: &blocks)
                count += 1
                rest = rest.dropFirst()
            }
            if !blocks.isEmpty, !file.append(blocks) { lost.add(count, ordering: .relaxed) }
        }
    }

    /// What is made before it is written.
    private static let piece = 1 << 20
}
