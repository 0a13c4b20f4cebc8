//! The tables of a store: an id that is never used again, and settings that the layer above reads.

use std::ops::Bound;

use super::mapped::failed;
use super::plan::Stored;
use super::{overflow, Store};
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
        let mut transaction = self.begin()?;
        let (snapshot, databases) = (self.reading()?, self.databases());
        let prefix = table.to_be_bytes();
        let mut long_values = Vec::new();
        let mut failure = Ok(());
        let from = Bound::Included(prefix.as_slice());
        snapshot.from(databases.cells, from, &prefix, usize::MAX, |entry| {
            if failure.is_ok() {
                failure = Stored::open(&entry).and_then(|stored| {
                    long_values.extend(stored.references()?.iter().map(|held| held.id));
                    Ok(())
                });
            }
        })?;
        failure?;
        for id in long_values {
            overflow::delete(&mut transaction, databases.overflow, id)?;
        }
        let next = prefix_end(&prefix);
        let end = next.as_deref().map_or(Bound::Unbounded, Bound::Excluded);
        let removed = databases.cells.delete_range(&mut transaction, &(from, end));
        removed.map_err(failed("remove a table"))?;
        let counts = [b"tree/".as_slice(), &prefix].concat();
        let last = [counts.as_slice(), &[0xff; 4]].concat();
        let range = (
            Bound::Included(counts.as_slice()),
            Bound::Included(last.as_slice()),
        );
        let removed = databases.meta.delete_range(&mut transaction, &range);
        removed.map_err(failed("remove a table"))?;
        let removed = databases.meta.delete(&mut transaction, &table_key(table));
        let existed = removed.map_err(failed("remove a table"))?;
        transaction.commit().map_err(failed("commit"))?;
        Ok(existed)
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
