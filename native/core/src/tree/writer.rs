//! One write transaction: cells, and what the layer above keeps beside them, all of it or nothing.
//!
//! Cells are planned on the state that the transaction started from, so a locality group takes one batch, or
//! one merge, in each transaction.

use std::ops::Bound;
use std::sync::Arc;

use super::lmdb::RwTxn;
use super::mapped::{failed, Durability, Reading, Snapshot};
use super::store::read_number;
use super::write::Batch;
use super::Store;
use crate::{Error, Result};

/// A write transaction. Dropped without [`Writer::commit`], it leaves nothing.
pub struct Writer<'s> {
    pub(super) store: &'s Store,
    pub(super) transaction: RwTxn<'s>,
    /// Entered for as long as the transaction lasts.
    pub(super) snapshot: Reading,
}

impl Store {
    /// Starts to write; waits for the turn of this writer.
    pub fn writer(&self) -> Result<Writer<'_>> {
        let transaction = self.begin()?;
        // No other writer can commit now: the snapshot is the state that the transaction changes.
        let snapshot = self.reading()?;
        Ok(Writer {
            store: self,
            transaction,
            snapshot,
        })
    }
}

impl Writer<'_> {
    /// The state that the transaction started from.
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }

    /// The number that the state after the commit has; see [`Snapshot::transaction_id`].
    pub fn number(&self) -> u64 {
        self.transaction.id()
    }

    /// Puts sorted cells into delta trees; each tree once.
    pub fn write(&mut self, batches: &[Batch<'_>]) -> Result<()> {
        self.store
            .write_in(&mut self.transaction, &self.snapshot, batches)
    }

    /// Notes a commit timestamp, if it is the newest.
    pub fn note_commit(&mut self, commit: i64) -> Result<()> {
        self.store.note_commit(&mut self.transaction, commit)
    }

    /// An entry of `meta`, with the changes of this transaction.
    pub fn get(&self, key: &[u8]) -> Result<Option<&[u8]>> {
        let found = self.store.databases().meta.get(&self.transaction, key);
        found.map_err(failed("read"))
    }

    pub fn get_number(&self, key: &[u8]) -> Result<Option<u64>> {
        self.get(key)?.map(read_number).transpose()
    }

    /// Sets an entry of `meta`.
    pub fn put(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        let meta = self.store.databases().meta;
        meta.put(&mut self.transaction, key, value)
            .map_err(failed("write"))
    }

    pub fn put_number(&mut self, key: &[u8], number: u64) -> Result<()> {
        self.put(key, &number.to_le_bytes())
    }

    /// Removes an entry of `meta`; says whether it was there.
    pub fn delete(&mut self, key: &[u8]) -> Result<bool> {
        let meta = self.store.databases().meta;
        meta.delete(&mut self.transaction, key)
            .map_err(failed("write"))
    }

    /// Bytes of the file that were ever used.
    pub fn file_bytes(&self) -> Result<u64> {
        self.store.file_bytes()
    }

    /// Takes a table id that was never used.
    pub fn new_table(&mut self) -> Result<u32> {
        let next = self.get_number(b"next-table")?.unwrap_or(1);
        let id = u32::try_from(next)
            .map_err(|_| Error::Unsupported("a store has at most 2^32 tables, ever".into()))?;
        self.put_number(b"next-table", next + 1)?;
        Ok(id)
    }

    /// Adds what a commit touched to the log.
    pub fn put_log(&mut self, commit: u64, entry: &[u8]) -> Result<()> {
        let log = self.store.databases().log;
        log.put(&mut self.transaction, &commit.to_be_bytes(), entry)
            .map_err(failed("write"))
    }

    /// Removes the log of all commits up to this one.
    pub fn prune_log(&mut self, commit: u64) -> Result<()> {
        let log = self.store.databases().log;
        let last = commit.to_be_bytes();
        let range = (Bound::Unbounded, Bound::Included(last.as_slice()));
        log.delete_range(&mut self.transaction, &range)
            .map_err(failed("write"))?;
        Ok(())
    }

    /// Makes all of it visible at once.
    pub fn commit(self, durability: Durability) -> Result<()> {
        // This transaction holds the only right to write, so no other commit reads the flag meanwhile.
        let relaxed = durability == Durability::Relaxed;
        self.transaction
            .relax(relaxed)
            .map_err(failed("set a flag"))?;
        self.transaction.commit().map_err(failed("commit"))
    }
}

impl Snapshot {
    /// An entry of `meta`.
    pub fn meta(self: &Arc<Self>, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let _guard = self.enter()?;
        let found = self.get(self.databases().meta, key)?;
        Ok(found.map(|bytes| bytes.as_ref().to_vec()))
    }

    /// A number in `meta`.
    pub fn meta_number(self: &Arc<Self>, key: &[u8]) -> Result<Option<u64>> {
        self.looked_up().number(key, || {
            let _guard = self.enter()?;
            let found = self.get(self.databases().meta, key)?;
            found.map(|bytes| read_number(bytes.as_ref())).transpose()
        })
    }

    /// All entries of `meta` whose keys start with `prefix`, in order.
    pub fn meta_entries(
        self: &Arc<Self>,
        prefix: &[u8],
        mut take: impl FnMut(&[u8], &[u8]),
    ) -> Result<()> {
        let from = Bound::Included(prefix);
        self.from(self.databases().meta, from, prefix, usize::MAX, |entry| {
            take(&entry.key, entry.bytes.as_ref())
        })
    }

    /// The log of commits behind this one, in order, until `take` says that it has seen enough.
    pub fn log_while(
        self: &Arc<Self>,
        mut commit: u64,
        mut take: impl FnMut(u64, &[u8]) -> bool,
    ) -> Result<()> {
        let _guard = self.enter()?;
        loop {
            let after = commit.to_be_bytes();
            let from = Bound::Excluded(after.as_slice());
            let mut found = None;
            self.from(self.databases().log, from, &[], 1, |entry| {
                found = Some(entry)
            })?;
            let Some(entry) = found else {
                return Ok(());
            };
            let key = entry.key.first_chunk().map(|key| u64::from_be_bytes(*key));
            commit = key.ok_or_else(|| {
                Error::Corruption("an entry of the log of commits has no number".into())
            })?;
            if !take(commit, entry.bytes.as_ref()) {
                return Ok(());
            }
        }
    }
}
