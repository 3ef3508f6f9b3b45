import PolicyFiles
import Testing

@Suite("Policy formats")
struct PolicyFormatTests {
    @Test("each format has the name that --as takes")
    func names() {
        let names = PolicyFormat.allCases.map(\.rawValue)
        #expect(
            names == ["android", "trustkit-android", "info-plist", "okhttp", "curl", "react-native", "profile"])
    }
}
