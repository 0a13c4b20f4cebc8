//! The ranges of a scan: from where they really start, and what is left of them behind a cut.

use crate::cells::{Key, Range};

use super::Resume;

/// A range that starts at a key of the largest timestamp, from a marker there on.
///
/// The marker sorts before the key; a scan that missed it would bring back what it hides.
pub fn from_marker(range: &Range) -> Range {
    match &range.start {
        Some(start) if start.timestamp == i64::MAX && range.start_inclusive => {
            range.starting(Key {
                deleted: true,
                ..start.clone()
            })
        }
        _ => range.clone(),
    }
}

/// Sorts and joins ranges; quick where they are sorted and apart already, as many look-ups are.
pub fn merge_sorted(ranges: Vec<Range>) -> Vec<Range> {
    let apart = |pair: &[Range]| match pair {
        [first, second] => match (&first.end, &second.start) {
            (Some(end), Some(start)) => end < start,
            _ => false,
        },
        _ => false,
    };
    if ranges.windows(2).all(apart) && !ranges.iter().any(Range::is_empty) {
        return ranges;
    }
    Range::merge(ranges)
}

/// What is left of sorted ranges from the key that a scan goes on behind.
pub fn rest_of(ranges: Vec<Range>, after: Option<&Resume>) -> Vec<Range> {
    let Some(after) = after else {
        return ranges;
    };
    let key = after.key.as_ref();
    let rest = ranges.into_iter().filter(|range| !range.is_beyond(&key));
    rest.map(|range| match range.is_before(&key) {
        true => range,
        false => from_marker(&range.starting(after.key.clone())),
    })
    .collect()
}
