import Foundation
import Testing

/// A JSON Schema of docs/, applied by python3-jsonschema.
enum JSONSchema {
    /// What is wrong with documents; empty if all of them are as the schema says.
    static func complaints(about documents: [[UInt8]], schema name: String) async throws -> String {
        let schema = Repository.root.appending(path: "docs/\(name)").path
        let lines = try documents.map { document in
            // One line each.
            let value = try JSONSerialization.jsonObject(with: Data(document))
            return try JSONSerialization.data(withJSONObject: value)
        }
        let folder = try TemporaryFolder()
        let file = try folder.file("documents.jsonl", Array(lines.joined(separator: Data([0x0A]))))
        let run = try await ChildProcess(
            URL(filePath: "/usr/bin/python3"), ["-c", program, schema, file.path]
        ).end()
        return run.outputText + run.errorText
    }

    private static let program = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema = json.load(open(sys.argv[1]))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        for number, line in enumerate(open(sys.argv[2])):
            for error in validator.iter_errors(json.loads(line)):
                print(number, "/".join(map(str, error.absolute_path)), error.message)
        """
}
