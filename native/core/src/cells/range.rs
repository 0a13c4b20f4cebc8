//! Ranges of keys: two bounds, each inclusive, exclusive or infinite.

use std::cmp::Ordering;

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

    /// Whether no key can lie inside.
    pub fn is_empty(&self) -> bool {
        let exact = self.start_inclusive && self.end_inclusive;
        match (&self.start, &self.end) {
            (Some(start), Some(end)) => start > end || (start == end && !exact),
            _ => false,
        }
    }

    /// What lies in both, or nothing when no key can.
    pub fn clip(&self, other: &Range) -> Option<Range> {
        let starts_later = self.cmp_start(other) == Ordering::Less;
        let ends_earlier = self.cmp_end(other) == Ordering::Greater;
        let (first, last) = (
            if starts_later { other } else { self },
            if ends_earlier { other } else { self },
        );
        let clipped = Range {
            start: first.start.clone(),
            start_inclusive: first.start_inclusive,
            end: last.end.clone(),
            end_inclusive: last.end_inclusive,
        };
        (!clipped.is_empty()).then_some(clipped)
    }

    /// Sorts ranges and joins those that touch or overlap.
    pub fn merge(mut ranges: Vec<Range>) -> Vec<Range> {
        ranges.retain(|range| !range.is_empty());
        ranges.sort_by(Range::cmp_start);
        let mut merged: Vec<Range> = Vec::with_capacity(ranges.len());
        for range in ranges {
            match merged.last_mut() {
                Some(last) if last.touches(&range) => {
                    if last.cmp_end(&range) == Ordering::Less {
                        (last.end, last.end_inclusive) = (range.end, range.end_inclusive);
                    }
                }
                _ => merged.push(range),
            }
        }
        merged
    }

    // Infinity is outermost; at equal keys an exclusive start is later than an inclusive one.
    fn cmp_start(&self, other: &Range) -> Ordering {
        let keys = self.start.cmp(&other.start);
        keys.then_with(|| other.start_inclusive.cmp(&self.start_inclusive))
    }

    fn cmp_end(&self, other: &Range) -> Ordering {
        match (&self.end, &other.end) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(mine), Some(theirs)) => {
                let inclusive = self.end_inclusive.cmp(&other.end_inclusive);
                mine.cmp(theirs).then(inclusive)
            }
        }
    }

    /// Whether nothing lies between this range and one that starts no earlier.
    fn touches(&self, later: &Range) -> bool {
        match (&self.end, &later.start) {
            (Some(end), Some(start)) => match start.cmp(end) {
                Ordering::Less => true,
                Ordering::Equal => self.end_inclusive || later.start_inclusive,
                Ordering::Greater => false,
            },
            _ => true,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(start: &[u8], end: &[u8], end_inclusive: bool) -> Range {
        Range {
            start: Some(Key::leading(start, b"", b"", b"")),
            start_inclusive: true,
            end: Some(Key::leading(end, b"", b"", b"")),
            end_inclusive,
        }
    }

    #[test]
    fn ranges_that_touch_or_overlap_become_one() {
        let apart = rows(b"x", b"z", true);
        let merged = Range::merge(vec![
            apart.clone(),
            rows(b"c", b"d", false),
            rows(b"a", b"c", false),
            rows(b"b", b"b", false),
            rows(b"a", b"b", true),
        ]);
        assert_eq!(merged, [rows(b"a", b"d", false), apart]);
    }

    #[test]
    fn a_range_without_end_takes_in_all_behind_its_start() {
        let open = Range {
            end: None,
            ..rows(b"b", b"b", true)
        };
        let merged = Range::merge(vec![rows(b"c", b"d", true), open.clone()]);
        assert_eq!(merged, [open]);
    }
}
