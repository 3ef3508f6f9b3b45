internal import Glibc

@main
enum Main {
    static func main() async {
        let code = await Program.run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }
}
