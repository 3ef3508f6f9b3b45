// swift-tools-version: 6.2
import PackageDescription

// libFuzzer's driver around the targets of Tests/FuzzTargets.
//
// Only build this with run.sh: instrumentation must reach the modules under test, which are another package's, so it
// comes as flags of the whole build and not as settings in here.
let package = Package(
    name: "fuzzing",
    dependencies: [.package(name: "pinproof", path: "..")],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: ["CFuzzer", .product(name: "FuzzTargets", package: "pinproof")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .treatAllWarnings(as: .error),
            ],
            // libFuzzer is written in C++.
            linkerSettings: [.linkedLibrary("stdc++")]),
    ],
    swiftLanguageModes: [.v6]
)
