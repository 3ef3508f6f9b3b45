internal import Foundation

/// The folder in which the local CA is kept.
enum StateFolder {
    /// The folder: the one that was named, else `$XDG_STATE_HOME/pinproof`, else `~/.local/state/pinproof`.
    static func path(_ named: String?) -> String {
        if let named { return named }
        let environment = ProcessInfo.processInfo.environment
        // A relative path is to be ignored (XDG Base Directory Specification).
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return "\(base)/pinproof" }
        return "\(NSHomeDirectory())/.local/state/pinproof"
    }
}
