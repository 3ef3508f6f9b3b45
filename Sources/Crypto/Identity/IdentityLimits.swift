/// What an identity file may cost before it is refused: a hostile one must neither hang nor eat memory.
package struct IdentityLimits: Sendable {
    /// The size of a file in bytes.
    package var bytes = 4 << 20
    /// The parts of a file: bags of a PKCS#12 file, blocks of a PEM file.
    package var parts = 1000
    /// The private keys of all files together.
    package var keys = 64
    /// The rounds of key derivation of all parts together, for each form of the password that is tried.
    package var rounds: UInt64 = 10_000_000

    /// Makes the limits of real life: the largest files that programs write stay far below.
    package init() {}
}
