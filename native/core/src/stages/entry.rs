//! How stages that group cells enter a group: from its start, giving only what lies in the range.
//!
//! Seeks to the start of a group begin before a delete marker at the largest timestamp, so that a
//! group looks the same from wherever it is entered.

use std::borrow::Cow;

use crate::cells::{Key, KeyRef, Range};

/// The range with its start moved to the newest version of the column it starts in.
pub fn from_column_start(range: &Range) -> Cow<'_, Range> {
    let Some(start) = &range.start else {
        return Cow::Borrowed(range);
    };
    // An inclusive start at the largest timestamp stays behind a delete marker there: Accumulo
    // misses it, and stages answer as it does. Ranges of rows and columns start at the marker.
    if range.start_inclusive && start.timestamp == i64::MAX {
        return Cow::Borrowed(range);
    }
    Cow::Owned(range.starting(Key {
        timestamp: i64::MAX,
        deleted: true,
        ..start.clone()
    }))
}

/// The range with its start moved to the first key of the row it starts in.
pub fn from_row_start(range: &Range) -> Range {
    match &range.start {
        None => range.clone(),
        Some(start) => range.starting(Key::leading(&start.row, b"", b"", b"")),
    }
}

/// Tells what lies before a range; cells are sorted, so behind the first inside it costs nothing.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    ahead: Option<Range>,
}

impl Entry {
    pub fn into_range(range: &Range) -> Entry {
        Entry {
            ahead: range.start.as_ref().map(|_| range.clone()),
        }
    }

    /// Whether the key lies before the range; keys are asked in their order.
    pub fn is_before(&mut self, key: &KeyRef<'_>) -> bool {
        match &self.ahead {
            Some(range) if range.is_before(key) => true,
            Some(_) => {
                self.ahead = None;
                false
            }
            None => false,
        }
    }
}
