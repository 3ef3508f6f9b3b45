// Sendable: what a job captured was handed over by the thread that queued it (`sending`).
/// One piece of work for a loop.
struct Job: @unchecked Sendable {
    /// Whether it is run even if the loop was stopped before it came.
    let runsLate: Bool
    let run: () -> Void
}

/// What other threads left for a loop to do, and how far the loop's life has come.
struct Inbox {
    /// What became of a job.
    enum Placement {
        /// The first one that waits: the loop is to be woken.
        case first
        /// It waits behind others.
        case queued
        /// Stop was asked for before: the loop will drop it, on its own thread.
        case afterStop
        /// The loop is over.
        case afterEnd
    }

    private enum Phase { case open, stopping, ended }

    private var phase = Phase.open
    private var hasBegun = false
    private var jobs: [Job] = []
    private var late: [Job] = []

    /// Notes that the loop begins to run; false if it did so before.
    mutating func begin() -> Bool {
        defer { hasBegun = true }
        return !hasBegun
    }

    /// Adds a job.
    mutating func put(_ job: Job) -> Placement {
        switch phase {
        case .open:
            jobs.append(job)
            return jobs.count == 1 ? .first : .queued
        case .stopping:
            late.append(job)
            return .afterStop
        case .ended:
            return .afterEnd
        }
    }

    /// Closes the inbox to new jobs; false if it was closed before.
    mutating func stop() -> Bool {
        guard phase == .open else { return false }
        phase = .stopping
        return true
    }

    /// Hands out what is to be run now, and whether nothing is to follow.
    mutating func take() -> (jobs: [Job], isLast: Bool) {
        defer { jobs = [] }
        return (jobs, phase != .open)
    }

    /// Hands out the jobs that came too late; once there are none, the loop is over.
    mutating func takeLate() -> [Job] {
        defer { late = [] }
        if late.isEmpty { phase = .ended }
        return late
    }
}
