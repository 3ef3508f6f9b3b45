internal import Glibc
package import Transcript

/// A packet capture of both sessions of every intercepted connection, on disk as it comes to be, with its secrets.
// Sendable: only the recorder's thread for this consumer touches the file and the fold.
package final class PcapngFile: EventConsumer, @unchecked Sendable {
    private let file: RecordingFile
    private var export = PcapngExport()
    /// What is made before it is written; kept, since fresh memory costs more than what goes into it.
    private var blocks: [UInt8] = []
    private let losses: RecordingLosses
    /// How many events the disk did not take.
    package var lostEvents: UInt64 { losses.total }
    /// The path that was opened.
    package let path: String

    /// Creates the file, with mode 0600; what is there already, a file or not, is left alone.
    ///
    /// A file that never gets an event is removed again.
    ///
    /// - Parameters:
    ///   - path: Where it goes.
    ///   - onTrouble: Told when something is lost, and when that is over; on the recorder's thread.
    /// - Throws: `EngineError` if something is there, or it cannot be made.
    package init(
        path: String, onTrouble: @escaping @Sendable (RecordingTrouble) -> Void = { _ in }
    ) throws(EngineError) {
        file = try RecordingFile(path: path, what: "the capture", option: "--pcapng")
        self.path = path
        losses = RecordingLosses(onTrouble)
        var beginning: [UInt8] = []
        export.begin(into: &beginning)
        guard file.append(beginning) else {
            throw EngineError("cannot write the capture \(path): the disk does not take it", hint: "make room there")
        }
    }

    package func consume(_ events: [Event]) {
        file.isBegun = true
        var rest = events[...]
        while !rest.isEmpty {
            // Blocks are whole in every piece, and a piece that the disk does not take is missing as a whole: the next
            // packet of a conversation has a number that tells how much.
            blocks.removeAll(keepingCapacity: blocks.capacity <= 2 * Self.piece)
            var count: UInt64 = 0
            while let event = rest.first, blocks.count < Self.piece {
                if case .gap(let missing) = event.kind { losses.tell(.tooSlow(missing: missing)) }
                export.add(event, into: &blocks)
                count += 1
                rest = rest.dropFirst()
            }
            guard !blocks.isEmpty else { continue }
            if file.append(blocks) { losses.recover() } else { losses.refuse(count, errno: errno) }
        }
    }

    /// What is made before it is written.
    private static let piece = 1 << 20
}
