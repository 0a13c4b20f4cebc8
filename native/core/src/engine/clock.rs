//! Time: when a commit happened, in microseconds that never go back. `spec/cells.md` section 3.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::settings::TimeUnit;

/// How far commits within one tick may run ahead of the clock.
const SECOND: i64 = 1_000_000;

/// The given time, or the computer's.
pub(super) fn micros(given: Option<i64>) -> i64 {
    given.unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_micros() as i64)
    })
}

/// The timestamp of a new commit.
pub(super) fn tick(now: i64, last: Option<i64>) -> i64 {
    last.map_or(now, |last| now.max(last.saturating_add(1)))
}

/// The time of a merge: the clock's, but not before commits it just made. Further ahead than a second is no
/// such step: then the clock itself is given, for the merge to see that it went back.
pub(super) fn merging(now: i64, last: Option<i64>) -> i64 {
    match last {
        Some(last) if last.saturating_sub(now) <= SECOND => now.max(last),
        _ => now,
    }
}

/// The time of a reader: never before the last commit.
pub(super) fn reading(now: i64, last: Option<i64>) -> i64 {
    last.map_or(now, |last| now.max(last))
}

/// A commit timestamp in a table's unit; `last` is the table's newest.
pub(super) fn in_unit(micros: i64, unit: TimeUnit, last: Option<i64>) -> i64 {
    match (unit, last) {
        (TimeUnit::Micros, _) => micros,
        (TimeUnit::Millis, None) => micros.div_euclid(1000),
        (TimeUnit::Millis, Some(last)) => micros.div_euclid(1000).max(last.saturating_add(1)),
        (TimeUnit::Logical, None) => 1,
        (TimeUnit::Logical, Some(last)) => last.saturating_add(1),
    }
}

/// A reading of the clock in a table's unit; a counter stands where it is.
pub(super) fn now_in_unit(micros: i64, unit: TimeUnit, last: Option<i64>) -> i64 {
    if unit == TimeUnit::Logical {
        return last.unwrap_or_default();
    }
    let now = in_unit(micros, unit, None);
    match last {
        // Commits within a millisecond run ahead of the clock; further than a second they do not.
        Some(last)
            if unit == TimeUnit::Millis && (1..=1000).contains(&last.saturating_sub(now)) =>
        {
            last
        }
        _ => now,
    }
}
