//! The map of an LMDB environment: opening it, and bytes of it that outlive the call that found them.
//!
//! The only module with `unsafe` code. Two facts carry it. LMDB never changes a page that a live read
//! transaction can see, and the map is never moved or resized while the environment is open. So bytes that
//! a [`Snapshot`] found stay as they are for as long as that snapshot lives, in any thread.

use std::ops::Bound;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use heed::types::Bytes;
use heed::{Database, Env, EnvFlags, EnvOpenOptions, RoTxn, WithoutTls};

use crate::{Error, Result};

pub(super) type Db = Database<Bytes, Bytes>;
pub(super) type Environment = Env<WithoutTls>;

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
#[derive(Debug, Clone, Copy)]
pub(super) struct Databases {
    pub cells: Db,
    pub overflow: Db,
    pub meta: Db,
}

/// Opens the environment of a directory that exists.
pub(super) fn open(path: &Path, map_size: usize, durability: Durability) -> Result<Environment> {
    let mut options = EnvOpenOptions::new().read_txn_without_tls();
    options.map_size(map_size).max_dbs(8).max_readers(1022);
    if durability == Durability::Relaxed {
        // SAFETY: NO_META_SYNC delays the sync of the meta page only. LMDB then keeps the store whole
        // after a crash; the flags that can damage it (NO_SYNC, WRITE_MAP, NO_LOCK) are never set.
        unsafe { options.flags(EnvFlags::NO_META_SYNC) };
    }
    // SAFETY: the file is changed through LMDB alone, under its own locks, and heed refuses to open one
    // path twice in a process. Whoever edits or truncates the file by other means while it is open
    // breaks this, as the format's page says; nothing here does.
    unsafe { options.open(path) }.map_err(failed("open the store"))
}

/// Turns a failure of LMDB into ours; `doing` completes "could not".
pub(super) fn failed(doing: &'static str) -> impl Fn(heed::Error) -> Error {
    move |error| Error::Store(format!("could not {doing}: {error}"))
}

/// A fixed state of the store: a read transaction. Threads may share it; they take turns to find blocks,
/// not to read them.
pub struct Snapshot {
    transaction: Mutex<RoTxn<'static, WithoutTls>>,
    databases: Databases,
}

/// A key and the bytes under it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub key: Vec<u8>,
    pub bytes: Mapped,
}

impl Snapshot {
    pub(super) fn new(environment: &Environment, databases: Databases) -> Result<Arc<Snapshot>> {
        let transaction = environment
            .clone()
            .static_read_txn()
            .map_err(failed("start to read"))?;
        Ok(Arc::new(Snapshot {
            transaction: Mutex::new(transaction),
            databases,
        }))
    }

    pub(super) fn databases(&self) -> &Databases {
        &self.databases
    }

    /// The bytes under a key.
    pub(super) fn get(self: &Arc<Self>, database: Db, key: &[u8]) -> Result<Option<Mapped>> {
        let transaction = self.lock();
        let found = database.get(&transaction, key).map_err(failed("read"))?;
        Ok(found.map(|bytes| self.keep(bytes)))
    }

    /// The last block at or before a key.
    pub(super) fn at_or_before(self: &Arc<Self>, key: &[u8]) -> Result<Option<Entry>> {
        let transaction = self.lock();
        let found = self
            .databases
            .cells
            .get_lower_than_or_equal_to(&transaction, key);
        let found = found.map_err(failed("read"))?;
        Ok(found.map(|(key, bytes)| self.entry(key, bytes)))
    }

    /// The last block before a key.
    pub(super) fn before(self: &Arc<Self>, key: &[u8]) -> Result<Option<Entry>> {
        let transaction = self.lock();
        let found = self.databases.cells.get_lower_than(&transaction, key);
        let found = found.map_err(failed("read"))?;
        Ok(found.map(|(key, bytes)| self.entry(key, bytes)))
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
        let transaction = self.lock();
        let range = (start, Bound::Unbounded);
        let entries = database
            .range(&transaction, &range)
            .map_err(failed("read"))?;
        for entry in entries.take(count) {
            let (key, bytes) = entry.map_err(failed("read"))?;
            if !key.starts_with(prefix) {
                break;
            }
            take(self.entry(key, bytes));
        }
        Ok(())
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

    fn lock(&self) -> MutexGuard<'_, RoTxn<'static, WithoutTls>> {
        // Nothing is left half done by a thread that died while reading.
        self.transaction
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
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
            _snapshot: Arc::clone(self),
        }
    }
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Snapshot")
    }
}

/// Bytes of the map, with the snapshot that keeps them as they are.
#[derive(Debug, Clone)]
pub(super) struct Mapped {
    start: *const u8,
    length: usize,
    _snapshot: Arc<Snapshot>,
}

// SAFETY: the bytes are only ever read, and `Snapshot` is `Send` and `Sync`.
unsafe impl Send for Mapped {}
// SAFETY: as above.
unsafe impl Sync for Mapped {}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: `keep` alone makes one, from a slice that the transaction of this very snapshot gave.
        // The snapshot is held, so the transaction is open: the page is neither changed nor unmapped.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}
