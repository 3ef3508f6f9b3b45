import Testing
import Transcript

@testable import Report

/// Chains as drawings, against drawings that were made by hand.
@Suite struct ChainDrawingTests {
    private func drawing(_ chain: [String], at wall: Int64? = 1_772_373_727_000_000, width: Int = 60) -> String {
        ChainDrawing(width: width, colour: false).text(of: chain, certificates: Recorded.certificates, at: wall)
    }

    @Test func `the leaf stands above the one that issued it`() {
        #expect(
            drawing(["aa", "bb"]) == """
                  ● CN=api.example.com
                  │ EC P-256, SHA-256 aa
                  │ 2026-03-01 to 2027-03-01
                  │ DNS:api.example.com
                  ▼ issued by
                  ● CN=Example CA
                    RSA 2048, SHA-256 bb
                    2024-01-01 to 2025-12-31
                    expired when it was shown
                    self-signed

                """)
    }

    @Test func `an issuer that is missing is named, and so is one that is another`() {
        #expect(drawing(["aa"]).hasSuffix("  ┆ issued by CN=Example CA, not in the chain\n"))
        #expect(drawing(["aa", "aa"]).contains("  ▼ issued by CN=Example CA: not by the one that follows\n"))
        #expect(drawing(["aa"], at: 0).contains("  │ not valid yet when it was shown\n"))
        #expect(!drawing(["aa"], at: nil).contains("when it was shown"))
    }

    @Test func `a certificate that was not recorded has its digest, cut in the middle`() {
        #expect(
            drawing(["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"]) == """
                  ● a certificate that the transcript does not hold
                    SHA-256 9f86d081…b0f00a08

                """)
        #expect(drawing([]).isEmpty)
    }
}

/// What alerts are said to be about.
@Suite struct AlertWordsTests {
    @Test func `alerts about certificates are said to be about the certificate, and none names a cause`() {
        for code in UInt8.min...UInt8.max {
            let isAboutCertificate = [42, 43, 44, 45, 46, 48, 49, 113].contains(code)
            let meaning = AlertWords.meaning(code) ?? ""
            #expect(meaning.hasPrefix("about the certificate: ") == isAboutCertificate, "\(code)")
            #expect(!meaning.contains("pin") && !meaning.contains("trust") && !meaning.contains("because"), "\(code)")
        }
    }
}

/// Octets as text, against the layout of `hexdump -C`.
@Suite struct HexDumpTests {
    @Test func `rows of sixteen, and what is printable beside them`() {
        #expect(
            HexDump.text([0x01, 0x00, 0x41, 0x7F] + [UInt8](repeating: 0x20, count: 12) + [0xFF]) == """
                    0000 01 00 41 7f 20 20 20 20  20 20 20 20 20 20 20 20  ..A.            \("")
                    0010 ff                                                .

                """)
        #expect(HexDump.text([1, 2, 3], limit: 2).hasSuffix("    … and 1 octets more\n"))
        #expect(HexDump.text([]).isEmpty)
    }
}
