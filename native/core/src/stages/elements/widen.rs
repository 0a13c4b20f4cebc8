//! Ranges widened to whole groups of cells.

use crate::cells::{Key, Range};

/// Moves both ends outwards to whole columns.
pub fn widen_to_columns(range: &Range) -> Range {
    widen(range, |key| {
        (
            Key::leading(&key.row, &key.family, &key.qualifier, &key.visibility),
            Key::following(&[&key.row, &key.family, &key.qualifier, &key.visibility]),
        )
    })
}

/// Moves both ends outwards to all of their family within their row.
pub fn widen_to_families(range: &Range) -> Range {
    widen(range, |key| {
        (
            Key::leading(&key.row, &key.family, b"", b""),
            Key::following(&[&key.row, &key.family]),
        )
    })
}

/// Moves the start to the first key around it and the end behind the last, as `around` says.
fn widen(range: &Range, around: impl Fn(&Key) -> (Key, Key)) -> Range {
    let both_inclusive = range.start_inclusive && range.end_inclusive;
    if range.start.is_some() && range.start == range.end && !both_inclusive {
        return range.clone();
    }
    Range {
        start: range.start.as_ref().map(|key| around(key).0),
        start_inclusive: true,
        end: range.end.as_ref().map(|key| around(key).1),
        end_inclusive: false,
    }
}
