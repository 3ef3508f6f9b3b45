/// `pinproof ca`: the local CA.
enum CaCommand {
    static let command = Command("ca", summary: "Make, show and export the local CA", commands: [])
}
