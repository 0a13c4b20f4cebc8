//! The tables of a store: an id that is never used again, and settings that the layer above reads.

use std::borrow::Cow;
use std::ops::Bound;
use std::sync::Arc;

use super::counters::{book, counts_key, Counts};
use super::keys::{named, PREFIX};
use super::mapped::{failed, Entry, Snapshot};
use super::overflow::Reference;
use super::plan::Stored;
use super::{overflow, Store, Writer};
use crate::block::BlockBuilder;
use crate::cells::CellRef;
use crate::{Error, Result};

const TABLE: &[u8] = b"table/";

impl Store {
    /// Makes a table; gives its id.
    pub fn create_table(&self, settings: &str) -> Result<u32> {
        let mut transaction = self.begin()?;
        let next = self.number(&transaction, b"next-table")?.unwrap_or(1);
        let id = u32::try_from(next)
            .map_err(|_| Error::Unsupported("a store has at most 2^32 tables, ever".into()))?;
        self.set_number(&mut transaction, b"next-table", next + 1)?;
        let meta = self.databases().meta;
        meta.put(&mut transaction, &table_key(id), settings.as_bytes())
            .map_err(failed("write"))?;
        transaction.commit().map_err(failed("commit"))?;
        Ok(id)
    }

    /// Replaces the settings of a table.
    pub fn configure_table(&self, table: u32, settings: &str) -> Result<()> {
        let mut transaction = self.begin()?;
        let (meta, key) = (self.databases().meta, table_key(table));
        if meta
            .get(&transaction, &key)
            .map_err(failed("read"))?
            .is_none()
        {
            return Err(Error::InvalidOption(format!("there is no table {table}")));
        }
        meta.put(&mut transaction, &key, settings.as_bytes())
            .map_err(failed("write"))?;
        transaction.commit().map_err(failed("commit"))
    }

    /// All tables with their settings, by id.
    pub fn tables(&self) -> Result<Vec<(u32, String)>> {
        let mut tables = Vec::new();
        let meta = self.databases().meta;
        self.reading()?
            .from(meta, Bound::Included(TABLE), TABLE, usize::MAX, |entry| {
                let id = entry.key.last_chunk().map(|id| u32::from_be_bytes(*id));
                let settings = String::from_utf8_lossy(entry.bytes.as_ref()).into_owned();
                tables.push((id.unwrap_or_default(), settings));
            })?;
        Ok(tables)
    }

    /// Removes a table with all its cells; says whether it was there.
    pub fn drop_table(&self, table: u32) -> Result<bool> {
        let mut writer = self.writer()?;
        writer.drop_cells(table)?;
        let existed = writer.delete(&table_key(table))?;
        writer.commit(self.durability())?;
        Ok(existed)
    }
}

impl Writer<'_> {
    /// Removes all cells of a table.
    pub fn drop_cells(&mut self, table: u32) -> Result<()> {
        let databases = self.store.databases();
        for id in self.long_values(table)? {
            overflow::delete(&mut self.transaction, databases.overflow, id)?;
        }
        let prefix = table.to_be_bytes();
        let from = Bound::Included(prefix.as_slice());
        let next = prefix_end(&prefix);
        let end = next.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        let removed = databases
            .cells
            .delete_range(&mut self.transaction, &(from, end));
        removed.map_err(failed("remove a table"))?;
        let counts = counts_key(&prefix);
        let last = [counts.as_slice(), &[0xff; 4]].concat();
        let range = (
            Bound::Included(counts.as_slice()),
            Bound::Included(last.as_slice()),
        );
        let removed = databases.meta.delete_range(&mut self.transaction, &range);
        removed.map_err(failed("remove a table"))?;
        Ok(())
    }

    /// Copies all cells of a table to one that has none. Long values are copied too: each has one owner.
    pub fn clone_cells(&mut self, from: u32, to: u32) -> Result<()> {
        let snapshot = Arc::clone(self.snapshot());
        let mut next_id = self.store.next_overflow(&self.transaction)?;
        let prefix = from.to_be_bytes();
        let mut start = Bound::Included(prefix.to_vec());
        loop {
            let after = start.as_ref().map(Vec::as_slice);
            let Some(entry) = snapshot.first(after, &prefix)? else {
                break;
            };
            self.clone_block(&snapshot, &entry, to, &mut next_id)
                .map_err(named(&entry.key))?;
            start = Bound::Excluded(entry.key);
        }
        self.store.set_next_overflow(&mut self.transaction, next_id)
    }

    fn clone_block(
        &mut self,
        snapshot: &Arc<Snapshot>,
        entry: &Entry,
        to: u32,
        next_id: &mut u64,
    ) -> Result<()> {
        let databases = self.store.databases();
        let mut stored = Stored::open(entry)?;
        let mut counts = stored.counts;
        let mut bytes = Cow::Borrowed(entry.bytes.as_ref());
        if counts.overflow > 0 {
            let mut builder = BlockBuilder::new(self.store.compression());
            let mut value = Vec::new();
            while let Some((cell, reference)) = stored.top() {
                if reference {
                    let held = Reference::read(cell.value)?;
                    overflow::get(snapshot, &held, &mut value)?;
                    let id = *next_id;
                    overflow::put(&mut self.transaction, databases.overflow, id, &value)?;
                    *next_id += 1;
                    let value = &Reference { id, ..held }.write();
                    let key = cell.key;
                    builder.push_reference(&CellRef { key, value })?;
                } else {
                    builder.push(&cell)?;
                }
                stored.advance()?;
            }
            bytes = Cow::Owned(builder.encode(0..builder.len())?);
            counts.bytes = bytes.len() as u64;
        }
        let rest = entry.key.get(4..).unwrap_or_default();
        let key = [&to.to_be_bytes(), rest].concat();
        let put = databases.cells.put(&mut self.transaction, &key, &bytes);
        put.map_err(failed("write a block"))?;
        let tree = key.get(..PREFIX).unwrap_or_default();
        let none = Counts::default();
        book(&mut self.transaction, databases.meta, tree, &counts, &none)
    }

    /// The long values of a table; blocks are read only where its counters say that there are some.
    fn long_values(&self, table: u32) -> Result<Vec<u64>> {
        let prefix = table.to_be_bytes();
        let mut found = Vec::new();
        let mut trees = Vec::new();
        let counts = counts_key(&prefix);
        self.snapshot.meta_entries(&counts, |key, bytes| {
            trees.push((key.to_vec(), Counts::read(bytes)));
        })?;
        for (key, counts) in trees {
            if counts?.overflow == 0 {
                continue;
            }
            let tree = key.get(counts_key(&[]).len()..).unwrap_or_default();
            let mut start = Bound::Included(tree.to_vec());
            loop {
                let after = start.as_ref().map(Vec::as_slice);
                let Some(entry) = self.snapshot.first(after, tree)? else {
                    break;
                };
                found.extend(
                    Stored::open(&entry)?
                        .references()?
                        .iter()
                        .map(|held| held.id),
                );
                start = Bound::Excluded(entry.key);
            }
        }
        Ok(found)
    }
}

fn table_key(table: u32) -> Vec<u8> {
    [TABLE, &table.to_be_bytes()].concat()
}

/// The first key behind all that start with `table`.
fn prefix_end(table: &[u8; 4]) -> Option<Vec<u8>> {
    let next = u32::from_be_bytes(*table).checked_add(1)?;
    Some(next.to_be_bytes().to_vec())
}
