//! Ranges of keys: two bounds, each inclusive, exclusive or infinite.

use super::{Key, KeyRef};

/// Keys from `start` to `end`; `None` is infinite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    pub start: Option<Key>,
    pub start_inclusive: bool,
    pub end: Option<Key>,
    pub end_inclusive: bool,
}

impl Default for Range {
    fn default() -> Self {
        Range {
            start: None,
            start_inclusive: true,
            end: None,
            end_inclusive: true,
        }
    }
}

impl Range {
    /// Every cell of one row, family and qualifier.
    pub fn exact(row: &[u8], family: &[u8], qualifier: &[u8]) -> Range {
        Range {
            start: Some(Key::leading(row, family, qualifier, b"")),
            start_inclusive: true,
            end: Some(Key::following(&[row, family, qualifier])),
            end_inclusive: false,
        }
    }

    /// Whether `key` lies before the start.
    pub fn is_before(&self, key: &KeyRef<'_>) -> bool {
        self.start.as_ref().is_some_and(|start| {
            let start = start.as_ref();
            *key < start || (*key == start && !self.start_inclusive)
        })
    }

    /// Whether `key` lies behind the end.
    pub fn is_beyond(&self, key: &KeyRef<'_>) -> bool {
        self.end.as_ref().is_some_and(|end| {
            let end = end.as_ref();
            *key > end || (*key == end && !self.end_inclusive)
        })
    }

    /// Whether `key` lies inside.
    pub fn contains(&self, key: &KeyRef<'_>) -> bool {
        !self.is_before(key) && !self.is_beyond(key)
    }

    /// The same range from another start, inclusive; empty when that lies behind the end.
    pub fn starting(&self, key: Key) -> Range {
        match &self.end {
            Some(end) if key > *end => Range {
                start: Some(end.clone()),
                start_inclusive: true,
                end: Some(end.clone()),
                end_inclusive: false,
            },
            _ => Range {
                start: Some(key),
                start_inclusive: true,
                ..self.clone()
            },
        }
    }
}
