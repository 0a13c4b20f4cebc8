//! Bytes of the map that outlive the call that found them, and the snapshots that keep them as they are.
//!
//! The argument for the `unsafe` code here. LMDB never changes a page that a live read transaction can see,
//! and the map is neither moved nor unmapped while a transaction holds its environment. So bytes that a
//! [`Snapshot`] found stay as they are for as long as its transaction is open. That is not as long as the
//! snapshot is held: one past its age limit is ended, so that a forgotten result does not keep old
//! pages for ever. Therefore whoever reads mapped bytes holds a [`Guard`], and a transaction is never ended
//! while it has one: `slot.rs` counts them in the same atomic number that says "ended".

use std::ops::Bound;
use std::sync::Arc;

use super::lmdb::{Code, Db};
use super::looked_up::LookedUp;
use super::slot::Slot;
use crate::block::HEADER;
use crate::{Error, Result};

pub use super::slot::Guard;

/// What a commit promises when it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// On disk.
    #[default]
    Sync,
    /// A power loss may lose the last commits; it never damages the store.
    Relaxed,
}

/// The databases of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Databases {
    pub cells: Db,
    pub overflow: Db,
    pub meta: Db,
    pub log: Db,
}

/// Turns a failure of LMDB into ours; `doing` completes "could not".
pub(super) fn failed(doing: &'static str) -> impl Fn(Code) -> Error {
    move |code| crate::guard::failure(code.0, &format!("could not {doing}: {code}"))
}

/// A fixed state of the store: a read transaction. Threads may share it; they take turns to find blocks,
/// not to read them. Cells are read under a [`Guard`] of it.
pub struct Snapshot {
    slot: Arc<Slot>,
    databases: Databases,
}

/// A key and the bytes under it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub key: Vec<u8>,
    pub bytes: Mapped,
}

impl Entry {
    /// Whether two entries are the same block, as far as its length and its checksum tell.
    pub fn is_same_block(&self, other: &Entry) -> bool {
        let (own, theirs) = (self.bytes.as_ref(), other.bytes.as_ref());
        own.len() == theirs.len() && own.get(..HEADER) == theirs.get(..HEADER)
    }
}

impl Snapshot {
    pub(super) fn new(slot: Arc<Slot>, databases: Databases) -> Arc<Snapshot> {
        Arc::new(Snapshot { slot, databases })
    }

    /// Keeps the state readable until the guard is dropped: what a cursor of this snapshot does, it does
    /// under one. Past the age limit `SnapshotExpired`, after the store was closed `Closed`.
    ///
    /// Meant to be held for a batch, not for the life of a result: an age limit cannot act against it.
    pub fn enter(&self) -> Result<Guard> {
        self.slot.enter()
    }

    /// One of the same store that has ended: for a cursor that is to hold no state until it is renewed.
    pub(crate) fn ended(&self) -> Arc<Snapshot> {
        Snapshot::new(Arc::new(self.slot.ended()), self.databases)
    }

    /// How long ago it was taken.
    pub fn age(&self) -> std::time::Duration {
        self.slot.age()
    }

    /// The number of the state in this file; later states have greater ones.
    pub fn transaction_id(&self) -> u64 {
        self.slot.transaction_id()
    }

    /// What is known of the state.
    pub(super) fn looked_up(&self) -> &LookedUp {
        self.slot.looked_up()
    }

    pub(super) fn databases(&self) -> &Databases {
        &self.databases
    }

    /// The bytes under a key.
    pub(super) fn get(self: &Arc<Self>, database: Db, key: &[u8]) -> Result<Option<Mapped>> {
        self.slot.read(|transaction| {
            let found = database.get(transaction, key).map_err(failed("read"))?;
            Ok(found.map(|bytes| self.keep(bytes)))
        })
    }

    /// The last block at or before a key.
    pub(super) fn at_or_before(self: &Arc<Self>, key: &[u8]) -> Result<Option<Entry>> {
        let cells = self.databases.cells;
        self.slot.read(|transaction| {
            let found = cells.get_lower_than_or_equal_to(transaction, key);
            let found = found.map_err(failed("read"))?;
            Ok(found.map(|(key, bytes)| self.entry(key, bytes)))
        })
    }

    /// The last block before a key.
    pub(super) fn before(self: &Arc<Self>, key: &[u8]) -> Result<Option<Entry>> {
        let cells = self.databases.cells;
        self.slot.read(|transaction| {
            let found = cells.get_lower_than(transaction, key);
            let found = found.map_err(failed("read"))?;
            Ok(found.map(|(key, bytes)| self.entry(key, bytes)))
        })
    }

    /// At most `count` entries from a key on whose keys start with `prefix`.
    pub(super) fn from(
        self: &Arc<Self>,
        database: Db,
        start: Bound<&[u8]>,
        prefix: &[u8],
        count: usize,
        mut take: impl FnMut(Entry),
    ) -> Result<()> {
        let range = (start, Bound::Unbounded);
        self.slot.read(|transaction| {
            let entries = database.range(transaction, &range);
            for entry in entries.map_err(failed("read"))?.take(count) {
                let (key, bytes) = entry.map_err(failed("read"))?;
                if !key.starts_with(prefix) {
                    break;
                }
                take(self.entry(key, bytes));
            }
            Ok(())
        })
    }

    /// The first entry from a key on whose key starts with `prefix`.
    pub(super) fn first(
        self: &Arc<Self>,
        start: Bound<&[u8]>,
        prefix: &[u8],
    ) -> Result<Option<Entry>> {
        let mut first = None;
        self.from(self.databases.cells, start, prefix, 1, |entry| {
            first = Some(entry)
        })?;
        Ok(first)
    }

    fn entry(self: &Arc<Self>, key: &[u8], bytes: &[u8]) -> Entry {
        Entry {
            key: key.to_vec(),
            bytes: self.keep(bytes),
        }
    }

    /// `bytes` must come from this snapshot's own transaction.
    fn keep(self: &Arc<Self>, bytes: &[u8]) -> Mapped {
        Mapped {
            start: bytes.as_ptr(),
            length: bytes.len(),
            snapshot: Arc::clone(self),
        }
    }
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        // Nobody can enter any more; guards that still live end the transaction when they go.
        self.slot.release();
    }
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Snapshot")
    }
}

/// A snapshot that is entered for as long as this is held.
#[derive(Debug)]
pub(super) struct Reading {
    snapshot: Arc<Snapshot>,
    _guard: Guard,
}

impl Reading {
    pub fn new(snapshot: Arc<Snapshot>) -> Result<Reading> {
        let guard = snapshot.enter()?;
        Ok(Reading {
            snapshot,
            _guard: guard,
        })
    }
}

impl std::ops::Deref for Reading {
    type Target = Arc<Snapshot>;
    fn deref(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }
}

/// Bytes of the map, with the snapshot that found them.
#[derive(Debug, Clone)]
pub(super) struct Mapped {
    start: *const u8,
    length: usize,
    snapshot: Arc<Snapshot>,
}

// SAFETY: the bytes are only ever read, and `Snapshot` is `Send` and `Sync`.
unsafe impl Send for Mapped {}
// SAFETY: as above.
unsafe impl Sync for Mapped {}

impl AsRef<[u8]> for Mapped {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        // Who reads without a guard after the end gets nothing, rather than other bytes.
        if self.snapshot.slot.has_ended() {
            return &[];
        }
        // SAFETY: `keep` alone makes one, from a slice that the transaction of this very snapshot gave.
        // The caller holds a guard, so the transaction stays open: the page is neither changed nor unmapped.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}
