import Foundation
import Testing

/// A server that takes one TLS connection and does what its script says, whatever it is sent.
struct ScriptedOrigin {
    let process: ChildProcess
    let port: Int

    /// One step of a script.
    enum Step {
        /// Reads up to and with a text.
        case read(String)
        /// Reads so many octets beyond what was asked for before.
        case readOctets(Int)
        /// Sends a text.
        case send(String)
        /// Sends so many octets `x`.
        case sendOctets(Int)
        /// Waits until nothing of the client has come for so many milliseconds; what came is kept.
        case pause(Int)
        /// Ends the connection with a RST, once the other end's kernel has everything.
        case reset

        fileprivate var words: [String] {
            switch self {
            case .read(let text): ["read", text]
            case .readOctets(let count): ["octets", "\(count)"]
            case .send(let text): ["send", text]
            case .sendOctets(let count): ["fill", "\(count)"]
            case .pause(let milliseconds): ["pause", "\(milliseconds)"]
            case .reset: ["reset", ""]
            }
        }
    }

    /// Starts it; it offers HTTP/1.1.
    init(_ files: Stage.IdentityFiles, _ script: [Step]) async throws {
        process = try RealClient.python.start(
            ["-c", Self.program, files.certificate, files.key] + script.flatMap(\.words))
        port = try await process.wait(for: "its port") { $0.lines.first.flatMap { Int($0) } }
    }

    private static let program = """
        import fcntl, select, socket, ssl, struct, sys, termios
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        context.set_alpn_protocols(["http/1.1"])
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        plain, _ = listener.accept()
        plain.settimeout(50)
        client = context.wrap_socket(plain, server_side=True)
        received = b""
        for step, word in zip(sys.argv[3::2], sys.argv[4::2]):
            if step == "read":
                while word.encode() not in received: received += client.recv(65536)
                received = received.split(word.encode(), 1)[1]
            if step == "octets":
                while len(received) < int(word): received += client.recv(65536)
                received = received[int(word):]
            if step == "send": client.sendall(word.encode())
            if step == "fill": client.sendall(b"x" * int(word))
            if step == "pause":
                while client.pending() or select.select([client], [], [], int(word) / 1000)[0]:
                    received += client.recv(65536)
            if step == "reset":
                while struct.unpack("i", fcntl.ioctl(client, termios.TIOCOUTQ, b"0000"))[0]: pass
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.close()
                sys.exit()
        client.unwrap()
        """
}
