//! What a reader sees of one fact: the newest of its versions that is left. One of them is held at a time.

use std::ops::Range;

use super::kinds::{FactKind, FactState};
use super::values::Header;

/// A version that may be the one that is seen.
#[derive(Debug, Clone)]
pub struct Newest {
    pub time: i64,
    /// When it was written.
    pub written: i64,
    pub stamp: Option<i64>,
    pub ttl: Option<i64>,
    state: FactState,
    /// Where the note and the content lie in its value.
    pub note: Range<usize>,
    pub content: usize,
}

/// The versions of one fact, judged as they come.
#[derive(Debug, Clone, Default)]
pub struct Versions {
    newest: Option<Newest>,
    /// The value of the newest.
    value: Vec<u8>,
    removed: Option<i64>,
    end: Option<i64>,
}

impl Versions {
    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.newest = None;
        self.removed = None;
        self.end = None;
    }

    /// Takes a version; those newer than the as-of time only count if they are removals.
    pub fn add(
        &mut self,
        kind: FactKind,
        time: i64,
        header: &Header,
        value: &[u8],
        as_of: Option<i64>,
    ) {
        // None is before all.
        if header.state == FactState::Removed {
            self.removed = self.removed.max(Some(time));
            return;
        }
        if as_of.is_some_and(|as_of| time > as_of) {
            return;
        }
        self.end = self.end.max(end_of(kind, time, header));
        let written = header.stamp.unwrap_or(time);
        let newer = match &self.newest {
            None => true,
            Some(held) => (time, written, value) > (held.time, held.written, self.value.as_slice()),
        };
        if newer {
            self.newest = Some(Newest {
                time,
                written,
                stamp: header.stamp,
                ttl: header.ttl,
                state: header.state,
                note: header.note.clone(),
                content: header.content,
            });
            self.value.clear();
            self.value.extend_from_slice(value);
        }
    }

    /// The newest version that is left, if it says that the fact holds, and its value.
    pub fn said(&self) -> Option<(&Newest, &[u8])> {
        let newest = self.newest.as_ref()?;
        let removed = self.removed.is_some_and(|removed| newest.time <= removed);
        (newest.state == FactState::Said && !removed).then_some((newest, self.value.as_slice()))
    }

    /// The time up to which other facts ended, if any did.
    pub fn end(&self) -> Option<i64> {
        self.end.max(self.removed)
    }
}

/// The time up to which a version of an existence ends other facts, if it does; a removal ends at every as-of time.
pub fn end_of(kind: FactKind, time: i64, header: &Header) -> Option<i64> {
    match (kind, header.state) {
        (FactKind::Existence, FactState::Deleted) => Some(time),
        (FactKind::Existence, _) => header.ended,
        _ => None,
    }
}
