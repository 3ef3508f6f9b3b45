import Testing

/// SHA-256 by table: the texts that the fingerprints of the captured hellos hash, with their digests from Python.
///
/// Wire has no digests of its own, so the tests need none either, and a text that is not expected is an issue.
enum KnownDigest {
    static func sha256(_ text: [UInt8]) -> [UInt8] {
        let text = String(decoding: text, as: UTF8.self)
        guard let digest = digests[text] else {
            Issue.record("hashed a text that is not expected: \(text)")
            return []
        }
        return bytes(digest)
    }

    private static let digests = [
        """
        002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,\
        c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa
        """:
            "e8f1e7e78f7064b558684eb5c4463e4c182890fb11517a9c1acbdde8468d2206",
        """
        000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,\
        0806,0401,0501,0601,0303,0301,0302,0402,0502,0602
        """:
            "b26ce05bbdd6549b9a5e4f4e303c4cc43ee405ea522f16df59883dbae72cf9cb",
        "0067,006b,009e,009f,00ff,1301,1302,1303,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9":
            "85036bcba153e13b6264a293f753fcd5529efbe234d364616d72e709b42a6f80",
        """
        000a,000b,000d,0015,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,\
        0806,0401,0501,0601,0303,0301,0302,0402,0502,0602
        """:
            "d41ae481755ee8da35d6c00c35b358ccd2fff7172ecad4aad40178e512772215",
        """
        002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,c009,c00a,c013,c014,c023,c024,c027,\
        c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa
        """:
            "d943125447b4c2551c8e7555a929940c156c1f243e1111c0dbeae899e44befbc",
        """
        000a,000b,000d,0016,0017,0023_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,\
        0303,0301,0302,0402,0502,0602
        """:
            "e7e480e5a997a3231a7f31ff547e584298efff6080e67a9851719d0b3e0491ef",
        """
        000a,000b,000d,0016,0017,0023,002b,002d,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,\
        0401,0501,0601,0303,0301,0302,0402,0502,0602
        """:
            "1f22a2ca17c4283a911dbad79eed656f05b601017f12caa25dddc6ea1f842a9b",
        "000a,002f,0035,009c,009d,1301,1302,1303,c009,c00a,c012,c013,c014,c02b,c02c,c02f,c030,cca8,cca9":
            "9dc949149365d5b370195844cc1703832b5607a5a7e70c40f8b269135a3be885",
        "0005,000a,000b,000d,0012,002b,0033,ff01_0804,0403,0807,0805,0806,0401,0501,0601,0503,0603,0201,0203":
            "97f8aa674fd9c191dacfd48af1f8f80c3ed991ff261bb274a189d7816d1dcfb9",
        """
        002f,0032,0033,0035,0038,0039,003c,003d,0040,0067,006a,006b,009c,009d,009e,009f,00a2,00a3,00ff,1301,\
        1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,c050,c051,c052,c053,c056,c057,\
        c05c,c05d,c060,c061,c09c,c09d,c09e,c09f,c0a0,c0a1,c0a2,c0a3,c0ac,c0ad,c0ae,c0af,cca8,cca9,ccaa
        """:
            "a33745022dd6815323646a6288211c7db29892ea8755e1dfa5977f67335faae2",
        "002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9":
            "8daaf6152771e33e12d734f9bc6478ed341f16cde27aee3aa36f2402f2c53b44",
        """
        0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,44cd,fe0d,ff01_0403,0804,0401,0503,0805,0501,\
        0806,0601
        """:
            "d8a2da3f94cd61d22ed41e5b7a21b028589c8a8dc81fa796ca08659305bea2b2",
        """
        0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01_0403,0804,0401,0503,0805,0501,\
        0806,0601
        """:
            "e5627efa2ab19723084c1033a96c694a45826ab5a460d2d3fd5ffcfe97161c95",
    ]
}
