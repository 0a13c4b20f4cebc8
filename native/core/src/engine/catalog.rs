//! All tables of a snapshot by name, read again only when one of them changed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::definition::Definition;
use crate::nearest::did_you_mean;
use crate::tree::{Snapshot, Writer};
use crate::{Error, Result};

/// The key of the number that every change of a table's entry raises.
const VERSION: &[u8] = b"catalog";
const TABLE: &[u8] = b"table/";

/// The tables of one state of the store.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    pub version: u64,
    pub tables: BTreeMap<String, Arc<Definition>>,
}

impl Catalog {
    pub fn find(&self, name: &str) -> Result<&Arc<Definition>> {
        self.tables.get(name).ok_or_else(|| self.missing(name))
    }

    /// The error for a table that is not there.
    pub fn missing(&self, name: &str) -> Error {
        let near = did_you_mean(name, self.tables.keys().map(String::as_str));
        Error::TableNotFound(format!("there is no table '{name}'{near}"))
    }

    /// Refuses a name that a table has.
    pub fn check_free(&self, name: &str) -> Result<()> {
        match self.tables.contains_key(name) {
            false => Ok(()),
            true => Err(Error::InvalidName(format!(
                "there is already a table '{name}'"
            ))),
        }
    }

    fn read(snapshot: &Arc<Snapshot>, version: u64) -> Result<Catalog> {
        let mut entries = Vec::new();
        snapshot.meta_entries(TABLE, |key, bytes| {
            let id = key.last_chunk().map(|id| u32::from_be_bytes(*id));
            entries.push((
                id.unwrap_or_default(),
                String::from_utf8_lossy(bytes).into_owned(),
            ));
        })?;
        let mut tables = BTreeMap::new();
        for (id, text) in entries {
            let definition = Definition::from_json(id, &text)?;
            tables.insert(definition.name.clone(), Arc::new(definition));
        }
        Ok(Catalog { version, tables })
    }
}

/// The catalog that was read last.
#[derive(Debug, Default)]
pub(super) struct Catalogs(Mutex<Arc<Catalog>>);

impl Catalogs {
    /// The tables that a snapshot sees.
    pub fn of(&self, snapshot: &Arc<Snapshot>) -> Result<Arc<Catalog>> {
        let version = snapshot.meta_number(VERSION)?.unwrap_or_default();
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.version == version {
            return Ok(Arc::clone(&held));
        }
        let read = Arc::new(Catalog::read(snapshot, version)?);
        // An older snapshot must not make newer ones read again.
        if held.version < version {
            *held = Arc::clone(&read);
        }
        Ok(read)
    }
}

/// Writes a table's entry.
pub(super) fn put_table(writer: &mut Writer<'_>, definition: &Definition) -> Result<()> {
    raise_version(writer)?;
    writer.put(&table_key(definition.id), definition.to_json().as_bytes())
}

/// Removes a table's entry.
pub(super) fn delete_table(writer: &mut Writer<'_>, id: u32) -> Result<()> {
    raise_version(writer)?;
    writer.delete(&table_key(id))?;
    Ok(())
}

fn raise_version(writer: &mut Writer<'_>) -> Result<()> {
    let version = writer.get_number(VERSION)?.unwrap_or_default();
    writer.put_number(VERSION, version + 1)
}

fn table_key(id: u32) -> Vec<u8> {
    [TABLE, &id.to_be_bytes()].concat()
}
