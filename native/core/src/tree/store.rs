//! An embedded store: the directory, its environment and its three databases.

use std::path::Path;
use std::sync::Arc;

use heed::types::Bytes;
use heed::RwTxn;

use super::counters::{counts_key, Counts};
use super::keys::prefix;
use super::mapped::{failed, open, Databases, Durability, Environment, Snapshot};
use super::packer::{Packer, Sizing};
use super::{Level, TreeId, TARGET};
use crate::block::Compression;
use crate::{Error, Result};

const MAGIC: [u8; 4] = *b"LXGS";
const VERSION: u32 = 1;

/// How a store is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// Make the directory and an empty store where there is none.
    pub create: bool,
    pub durability: Durability,
    pub compression: Compression,
    /// What a block aims at, in bytes.
    pub target: usize,
    /// Address space that is reserved, not used; the store can grow up to it.
    pub map_size: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            create: true,
            durability: Durability::Sync,
            compression: Compression::WherePays,
            target: TARGET,
            map_size: 1 << 40,
        }
    }
}

/// What a store holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stats {
    pub base: Counts,
    pub delta: Counts,
    /// Bytes of the file that were ever used; it does not shrink.
    pub file: u64,
}

/// Trees of cells in a directory. Threads may share it; writers take turns.
#[derive(Debug)]
pub struct Store {
    environment: Environment,
    databases: Databases,
    options: Options,
}

impl Store {
    /// Opens the store of a directory.
    pub fn open(path: &Path, options: Options) -> Result<Store> {
        let data = path.join("data.mdb");
        if options.create {
            std::fs::create_dir_all(path).map_err(|error| {
                Error::Store(format!(
                    "could not make the directory {}: {error}",
                    path.display()
                ))
            })?;
        } else if !data.is_file() {
            return Err(Error::Store(format!(
                "there is no store in {}: {} is missing",
                path.display(),
                data.display()
            )));
        }
        let environment = open(path, options.map_size, options.durability)?;
        crate::load::remove_stale(path);
        // A reader must not wait for a writer of another process, so the lock is taken only if need be.
        let databases = match find_databases(&environment)? {
            Some(databases) => databases,
            None if options.create => make_databases(&environment)?,
            None => {
                return Err(Error::Store(format!(
                    "{} is no store of this kind, and opening it was not to make one",
                    path.display()
                )))
            }
        };
        Ok(Store {
            environment,
            databases,
            options,
        })
    }

    /// The state as of now, fixed for as long as it is held.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>> {
        Snapshot::new(&self.environment, self.databases)
    }

    /// What a locality group holds, without counting.
    pub fn stats(&self, tree: TreeId) -> Result<Stats> {
        self.stats_of(&self.snapshot()?, tree)
    }

    pub(super) fn stats_of(&self, snapshot: &Arc<Snapshot>, tree: TreeId) -> Result<Stats> {
        let counts = |level| {
            let key = counts_key(&prefix(tree, level));
            let bytes = snapshot.get(self.databases.meta, &key)?;
            bytes.map_or(Ok(Counts::default()), |bytes| Counts::read(bytes.as_ref()))
        };
        let pages = self.environment.info().last_page_number as u64 + 1;
        Ok(Stats {
            base: counts(Level::Base)?,
            delta: counts(Level::Delta)?,
            file: pages * 4096,
        })
    }

    /// The newest commit timestamp that was noted.
    pub fn last_commit(&self) -> Result<Option<i64>> {
        let bytes = self.snapshot()?.get(self.databases.meta, b"last-commit")?;
        bytes
            .map(|bytes| read_number(bytes.as_ref()).map(|number| number as i64))
            .transpose()
    }

    /// The directory of the store.
    pub fn path(&self) -> &Path {
        self.environment.path()
    }

    pub(super) fn begin(&self) -> Result<RwTxn<'_>> {
        self.environment
            .write_txn()
            .map_err(failed("start to write"))
    }

    pub(super) fn databases(&self) -> Databases {
        self.databases
    }

    pub(super) fn packer(&self, sizing: Sizing) -> Packer {
        Packer::new(self.options.target, self.options.compression, sizing)
    }

    pub(super) fn note_commit(&self, transaction: &mut RwTxn<'_>, commit: i64) -> Result<()> {
        let held = self.number(transaction, b"last-commit")?;
        if held.is_none_or(|held| (held as i64) < commit) {
            self.set_number(transaction, b"last-commit", commit as u64)?;
        }
        Ok(())
    }

    pub(super) fn next_overflow(&self, transaction: &RwTxn<'_>) -> Result<u64> {
        Ok(self
            .number(transaction, b"next-overflow")?
            .unwrap_or_default())
    }

    pub(super) fn set_next_overflow(&self, transaction: &mut RwTxn<'_>, id: u64) -> Result<()> {
        if self.next_overflow(transaction)? == id {
            return Ok(());
        }
        self.set_number(transaction, b"next-overflow", id)
    }

    pub(super) fn number(&self, transaction: &RwTxn<'_>, key: &[u8]) -> Result<Option<u64>> {
        let bytes = self.databases.meta.get(transaction, key);
        bytes.map_err(failed("read"))?.map(read_number).transpose()
    }

    pub(super) fn set_number(
        &self,
        transaction: &mut RwTxn<'_>,
        key: &[u8],
        number: u64,
    ) -> Result<()> {
        let bytes = number.to_le_bytes();
        self.databases
            .meta
            .put(transaction, key, &bytes)
            .map_err(failed("write"))
    }
}

fn read_number(bytes: &[u8]) -> Result<u64> {
    let bytes = bytes
        .try_into()
        .map_err(|_| Error::Corruption("a number of the store's own is damaged".into()))?;
    Ok(u64::from_le_bytes(bytes))
}

fn find_databases(environment: &Environment) -> Result<Option<Databases>> {
    let transaction = environment.read_txn().map_err(failed("start to read"))?;
    let database = |name| {
        environment
            .open_database::<Bytes, Bytes>(&transaction, Some(name))
            .map_err(failed("open a database"))
    };
    let found = (database("cells")?, database("overflow")?, database("meta")?);
    let (Some(cells), Some(overflow), Some(meta)) = found else {
        return Ok(None);
    };
    let held = meta.get(&transaction, b"format").map_err(failed("read"))?;
    check_format(held)?;
    // The handles belong to the environment from here on.
    transaction.commit().map_err(failed("open a database"))?;
    Ok(Some(Databases {
        cells,
        overflow,
        meta,
    }))
}

fn make_databases(environment: &Environment) -> Result<Databases> {
    let mut transaction = environment.write_txn().map_err(failed("start to write"))?;
    let mut database = |name| {
        environment
            .create_database::<Bytes, Bytes>(&mut transaction, Some(name))
            .map_err(failed("make a database"))
    };
    let databases = Databases {
        cells: database("cells")?,
        overflow: database("overflow")?,
        meta: database("meta")?,
    };
    // Another process may have been faster.
    let held = databases
        .meta
        .get(&transaction, b"format")
        .map_err(failed("read"))?;
    match held {
        Some(_) => check_format(held)?,
        None => databases
            .meta
            .put(&mut transaction, b"format", &format_entry())
            .map_err(failed("write"))?,
    }
    transaction.commit().map_err(failed("commit"))?;
    Ok(databases)
}

fn format_entry() -> Vec<u8> {
    [MAGIC, VERSION.to_le_bytes()].concat()
}

fn check_format(held: Option<&[u8]>) -> Result<()> {
    match held {
        Some(bytes) if bytes == format_entry() => Ok(()),
        Some(bytes) => Err(Error::Store(format!(
            "this directory holds another format ({bytes:02x?}); this version reads format {VERSION}"
        ))),
        None => Err(Error::Corruption("the store does not say its format".into())),
    }
}
