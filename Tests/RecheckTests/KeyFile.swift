import Crypto
import Foundation
import Testing

/// Keys of kinds that Pinproof does not make, made by the `openssl` command for one test.
enum KeyFile {
    /// Runs `openssl genpkey` with these arguments.
    static func make(_ arguments: String) throws -> PrivateKey {
        let pipe = try #require(popen("openssl genpkey \(arguments) 2>/dev/null", "r"))
        var output: [UInt8] = []
        while case let byte = getc(pipe), byte != EOF { output.append(UInt8(truncatingIfNeeded: byte)) }
        try #require(pclose(pipe) == 0)
        return try PrivateKey(pem: output)
    }
}
