import Report
import Testing

struct TextTableTests {
    @Test func columnsAreAsWideAsTheirLongestText() {
        var table = TextTable(columns: [.init("Host"), .init("Count", alignment: .right), .init("Note")])
        table.add(row: ["api.example.com", "7", "fine"])
        table.add(row: ["b.example", "12345678", ""])
        #expect(
            table.text() == """
                Host                Count  Note
                ---------------  --------  ----
                api.example.com         7  fine
                b.example        12345678

                """)
    }

    @Test func longTextsWrapAtBlanksToFitTheWidth() {
        var table = TextTable(columns: [.init("Policy"), .init("Why")])
        table.add(row: ["none", "accepts what the system trusts and nothing else"])
        table.add(row: ["key", "no"])
        #expect(
            table.text(width: 30) == """
                Policy  Why
                ------  ----------------------
                none    accepts what the
                        system trusts and
                        nothing else
                key     no

                """)
    }

    @Test func wordsThatAreTooLongBreakAfterPunctuationOrAnywhere() {
        var table = TextTable(columns: [.init("Host")])
        table.add(row: ["one.two-three.example.com"])
        table.add(row: ["abcdefghijklmnopqrst"])
        #expect(
            table.text(width: 16) == """
                Host
                ----------------
                one.two-three.
                example.com
                abcdefghijklmnop
                qrst

                """)
    }

    @Test func theWidestColumnGivesWayFirstAndFixedOnesNever() {
        var table = TextTable(columns: [.init("A", wraps: false), .init("B"), .init("C")])
        table.add(row: ["aaaaaaaaaaaa", "bb bb bb bb", "cccc cccc cccc cccc cccc"])
        // 12 + 2 + 11 + 2 + 13 = 40: B keeps its eleven, C shrinks from 24.
        #expect(
            table.text(width: 40) == """
                A             B            C
                ------------  -----------  -------------
                aaaaaaaaaaaa  bb bb bb bb  cccc cccc
                                           cccc cccc
                                           cccc

                """)
    }

    @Test func aTableThatCannotFitIsWiderRatherThanCut() {
        var table = TextTable(columns: [.init("Certificate"), .init("Handshakes")])
        table.add(row: ["a", "b"])
        #expect(
            table.text(width: 5) == """
                Certificate  Handshakes
                -----------  ----------
                a            b

                """)
    }

    @Test func paragraphsStandBelowOneAnother() {
        var table = TextTable(columns: [.init("Host"), .init("N", alignment: .right)])
        table.add(row: ["a", .init(paragraphs: ["12 client", "3 origin"])])
        #expect(
            table.text() == """
                Host          N
                ----  ---------
                a     12 client
                       3 origin

                """)
    }

    @Test func stylesShowOnlyIfAsked() {
        var table = TextTable(columns: [.init("Is")])
        table.add(row: [.init("good", style: .good)])
        table.add(row: [.init("bad", style: .bad)])
        table.add(row: [.init("odd", style: .warning)])
        #expect(table.text() == "Is\n----\ngood\nbad\nodd\n")
        #expect(
            table.text(colour: true)
                == "\u{1B}[1mIs\u{1B}[0m\n----\n\u{1B}[32mgood\u{1B}[0m\n\u{1B}[31mbad\u{1B}[0m\n"
                + "\u{1B}[33modd\u{1B}[0m\n")
    }

    /// Wide characters take two columns, combining marks none.
    @Test func countsColumnsAsATerminalDoes() {
        var table = TextTable(columns: [.init("A"), .init("B")])
        table.add(row: ["日本", "x"])
        table.add(row: ["e\u{301}a", "x"])
        table.add(row: ["Ωж", "x"])
        #expect(
            table.text() == """
                A     B
                ----  -
                日本  x
                e\u{301}a    x
                Ωж    x

                """)
    }

    @Test func wideCharactersWrapWholeEvenWhereOneDoesNotFit() {
        #expect(TextTable.oneColumn("日本語日本語", width: 8) == "日本語日\n本語\n")
    }

    @Test func hostileTextsCannotLeaveTheirCell() {
        #expect(TextTable.oneColumn("a\nb\u{1B}[2J\u{200B}c", width: 80) == "a\\nb\\x1b[2J\\u{200b}c\n")
    }

    @Test func aTableWithoutColumnsIsEmpty() {
        #expect(TextTable(columns: []).text() == "")
    }
}

extension TextTable {
    /// The rows of a table with one column and one cell.
    fileprivate static func oneColumn(_ text: String, width: Int) -> String {
        var table = TextTable(columns: [.init("A")])
        table.add(row: [.init(text)])
        let lines = table.text(width: width).split(separator: "\n").dropFirst(2)
        return lines.map { $0 + "\n" }.joined()
    }
}
