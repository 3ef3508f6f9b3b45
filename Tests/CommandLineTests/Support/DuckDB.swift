import Foundation
import Testing

/// DuckDB, as scripts/install-duckdb.sh installs it, and the statements of docs/QUERYING.md.
enum DuckDB {
    private static let module = Repository.root.appending(path: ".build/duckdb")

    static let isInstalled = FileManager.default.fileExists(atPath: module.appending(path: "duckdb").path)

    /// Runs every statement of the document in a folder with `run.jsonl`, one after the other.
    ///
    /// - Returns: The rows of the questions, by the headings that they stand under.
    static func answers(in folder: String) async throws -> [String: [[Any]]] {
        let document = Repository.root.appending(path: "docs/QUERYING.md").path
        let run = try await ChildProcess(
            URL(filePath: "/usr/bin/python3"), ["-c", program, document, folder],
            environment: ["PYTHONPATH": module.path]
        ).end(within: .seconds(150))
        try #require(run.errorText == "")
        let answers = try JSONSerialization.jsonObject(with: Data(run.output))
        return try #require(answers as? [String: [[Any]]])
    }

    private static let program = """
        import duckdb, json, os, re, sys
        text = open(sys.argv[1]).read()
        os.chdir(sys.argv[2])
        database = duckdb.connect()
        # No more of the machine than a test may take; a progress bar would go to standard output.
        database.execute("SET threads = 2; SET memory_limit = '2GB'; SET enable_progress_bar = false")
        answers = {}
        for section in text.split("\\n## ")[1:]:
            for statement in re.findall(r"```sql\\n(.*?)```", section, re.DOTALL):
                rows = database.execute(statement).fetchall()
                if statement.startswith("SELECT"):
                    answers[section.split("\\n")[0]] = rows
        print(json.dumps(answers))
        """
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, and says so, where DuckDB is not installed.
    static var needsDuckDB: Self {
        .enabled(if: DuckDB.isInstalled, "DuckDB is not installed: scripts/install-duckdb.sh does it")
    }
}
