extension AFSecurityPolicy {
    /// Releases that decide alike (PS-1.1), oldest first.
    enum Band: Int, CaseIterable, Comparable {
        /// 2.0.0 to 2.0.3: in the pinned modes nothing but the pins counts.
        case pinsAlone
        /// 2.1.0 to 2.2.3: the platform's policy as it stands, and a matcher of the library's own for names.
        case ownNames
        /// 2.2.4 to 2.5.0: a policy of the library's, pins as anchors, and counts.
        case counts
        /// 2.5.1: the same, without any test in mode None.
        case nothingInModeNone
        /// 2.5.2 to 2.5.4: the same, with that test again.
        case countsAgain
        /// 2.6 and 2.7: any pin on the path as it was before the pins were anchors.
        case anyPinBefore
        /// 3.0 to 4.0: any pin on the path that the pins anchor.
        case anyPinAfter

        static func < (left: Band, right: Band) -> Bool { left.rawValue < right.rawValue }

        /// The row of the table.
        var rule: RuleID { RuleID("PS-1.1-\(rawValue + 1)") }
    }

    /// The band of the release; nil for what is older, or newer than anything known.
    var band: Band? {
        switch version {
        case ..<LibraryVersion(2, 0): nil
        case ..<LibraryVersion(2, 1): .pinsAlone
        case ..<LibraryVersion(2, 2, 4): .ownNames
        case ..<LibraryVersion(2, 5, 1): .counts
        case ..<LibraryVersion(2, 5, 2): .nothingInModeNone
        case ..<LibraryVersion(2, 6): .countsAgain
        case ..<LibraryVersion(3, 0): .anyPinBefore
        case ..<LibraryVersion(5, 0): .anyPinAfter
        default: nil
        }
    }

    /// The default of `validatesDomainName`, whose being off let any valid certificate pass for any name (PS-1.1).
    ///
    /// - Parameters:
    ///   - version: The release.
    ///   - mode: What is pinned.
    ///   - construction: How the app makes the object.
    /// - Returns: Whether names are compared unless the app says otherwise.
    public static func validatesDomainNameByDefault(
        _ version: LibraryVersion, mode: Mode, _ construction: Construction
    ) -> Bool {
        switch version {
        case ..<LibraryVersion(2, 1): false
        case ..<LibraryVersion(2, 5): construction == .policyWithPinningMode
        // Setting the mode sets it.
        case ..<LibraryVersion(2, 5, 3): mode != .none
        default: true
        }
    }
}
