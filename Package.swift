// swift-tools-version: 6.2
import PackageDescription

// Every Swift target is held to the same bar. Imports are internal unless a public signature needs them.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "pinproof",
    products: [
        .executable(name: "pinproof", targets: ["pinproof"]),
        // Not for users: Fuzzing/ is a package of its own, and SwiftPM lets a package see products only.
        .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    ],
    targets: [
        // The system's libraries. Only the named Swift targets may import them (Tests/StructureTests).
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(name: "COpenSSLShims", dependencies: ["COpenSSL"]),
        .systemLibrary(name: "CLibevent", pkgConfig: "libevent_pthreads", providers: [.apt(["libevent-dev"])]),
        .systemLibrary(name: "CGetopt"),
        .systemLibrary(name: "CNghttp2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CPublicSuffix", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),

        // Pure: values in, values out.
        library("Wire", ["CNghttp2"]),
        library("Transcript", ["Wire"]),
        library("Interception", ["Wire", "Transcript"]),
        library("Pinning", ["Wire"]),

        // What Pinning asks of a list that libraries carry.
        library("PublicSuffixList", ["CPublicSuffix", "Pinning"]),

        // Policies as apps write them down.
        library("PolicyFiles", ["Pinning", "Wire"]),

        // Transcripts on disk, read back.
        library("TranscriptFiles", ["Transcript", "Wire"]),

        // One owner per C handle.
        library("Crypto", ["COpenSSL", "COpenSSLShims", "Pinning", "Wire"]),
        library("Authority", ["COpenSSL", "COpenSSLShims", "Crypto", "Wire"]),
        library("Reactor", ["CLibevent", "Wire"]),

        // Recorded handshakes, proven again.
        library("Recheck", ["Crypto", "Transcript", "TranscriptFiles", "Wire"]),

        // Where sockets, TLS and decisions meet.
        library("Engine", ["Authority", "Crypto", "Interception", "Reactor", "Transcript", "Wire"]),
        library("PinClient", ["Crypto", "Engine", "Pinning", "Reactor", "Transcript", "Wire"]),
        library("Report", ["Transcript", "Wire"]),
        library("TestOrigin", ["Crypto", "Engine", "Reactor", "Transcript", "Wire"]),
        library("Experiment", ["Authority", "Crypto", "Engine", "Interception", "Reactor", "Transcript", "Wire"]),
        .executableTarget(
            name: "pinproof",
            dependencies: [
                "Authority", "CGetopt", "Crypto", "Engine", "Experiment", "Interception", "PinClient", "Pinning",
                "PolicyFiles", "PublicSuffixList", "Reactor", "Recheck", "Report", "TestOrigin", "Transcript",
                "TranscriptFiles", "Wire",
            ],
            swiftSettings: strict),

        .executableTarget(
            name: "evaluations", dependencies: ["Crypto", "Pinning", "PublicSuffixList", "Wire"],
            path: "Benchmarks/Evaluations", swiftSettings: strict),

        // What several test targets need.
        .target(
            name: "TestSupport", dependencies: ["Authority", "Crypto", "Engine", "Reactor", "Transcript", "Wire"],
            path: "Tests/TestSupport", swiftSettings: strict),
        // What must hold for any input, checked by Fuzzing/ with inputs that a fuzzer finds.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Crypto", "Interception", "PinClient", "Pinning", "PolicyFiles", "Recheck", "Report", "TestSupport",
                "Transcript", "TranscriptFiles", "Wire",
            ],
            path: "Tests/FuzzTargets", swiftSettings: strict),
        tests("FuzzTargets", ["Crypto", "FuzzTargets"]),
        tests("Wire", ["TestSupport", "Wire"]),
        tests("Transcript", ["TestSupport", "Transcript", "Wire"]),
        tests("TranscriptFiles", ["TestSupport", "Transcript", "TranscriptFiles", "Wire"]),
        tests("Interception", ["Interception", "TestSupport", "Transcript", "Wire"]),
        tests("Pinning", ["Pinning", "Wire"]),
        tests("PublicSuffixList", ["Pinning", "PublicSuffixList", "Wire"]),
        tests("PolicyFiles", ["Crypto", "Pinning", "PolicyFiles", "TestSupport", "Wire"]),
        tests("Crypto", ["Crypto", "Pinning", "Wire"]),
        tests("Authority", ["Authority", "Crypto", "TestSupport", "Wire"]),
        tests("Reactor", ["Reactor", "Wire"]),
        tests(
            "Engine",
            [
                "Authority", "Crypto", "Engine", "Interception", "Reactor", "TestOrigin", "TestSupport", "Transcript",
                "Wire",
            ]),
        tests("PinClient", ["Authority", "Crypto", "Engine", "PinClient", "Pinning", "Reactor", "TestOrigin", "Wire"]),
        tests(
            "TestOrigin",
            ["Authority", "Crypto", "Engine", "Reactor", "TestOrigin", "TestSupport", "Transcript", "Wire"]),
        tests("Experiment", ["Authority", "Crypto", "Engine", "Experiment", "Interception", "Transcript", "Wire"]),
        tests("Recheck", ["Crypto", "Recheck", "TestSupport", "Transcript", "TranscriptFiles", "Wire"]),
        tests("Report", ["Report", "Transcript", "Wire"]),
        tests(
            "CommandLine",
            [
                "Authority", "Crypto", "PinClient", "Pinning", "PolicyFiles", "Report", "TestSupport", "Transcript",
                "TranscriptFiles", "Wire", "pinproof",
            ],
            exclude: ["Clients", "Golden"]),
        // Other people's programs, asked for what Pinning and Crypto say of them.
        tests("Oracle", ["Crypto", "Pinning", "Wire"], exclude: ["Oracles"]),
        tests("Structure", []),
    ],
    swiftLanguageModes: [.v6]
)
