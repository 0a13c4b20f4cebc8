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

/// A range up to the end of its last row, or before that row if it is left out: for stages that end with a
/// row. Keys of their results may lie behind the end of a range, where a scan would find nothing to go on with.
pub fn ending_with_row(range: Range) -> Range {
    let Some(last) = &range.end else {
        return range;
    };
    let mut row = last.row.clone();
    if range.end_inclusive {
        row.push(0);
    }
    let end = Key::leading(&row, b"", b"", b"");
    let wider = Range {
        start: None,
        end: Some(end),
        end_inclusive: false,
        ..Range::default()
    };
    match range.start {
        Some(start) => Range {
            start_inclusive: range.start_inclusive,
            ..wider.starting(start)
        },
        None => wider,
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
