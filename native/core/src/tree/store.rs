//! An embedded store: the directory, its environment and its databases.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use super::counters::Counts;
use super::databases::{find_databases, make_databases, Holds};
use super::lmdb::fork::generation;
use super::lmdb::{Environment, Flags, RwTxn};
use super::mapped::{failed, Databases, Durability, Reading, Snapshot};
use super::packer::{Packer, Sizing};
use super::readers::{Reader, Readers};
use super::slot::{closed, not_inherited};
use super::{TreeId, OWN_RUN, TARGET};
use crate::block::Compression;
use crate::{Error, Result};

/// How a store is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// Make the directory and an empty store where there is none.
    pub create: bool,
    /// Read only: no commits, and the file is opened so.
    pub read_only: bool,
    /// A snapshot that is older is ended, so that the pages it holds can be used again.
    pub max_snapshot_age: Option<Duration>,
    pub durability: Durability,
    pub compression: Compression,
    /// What a block aims at, in bytes.
    pub target: usize,
    /// Batches of so many cells may become a run of their own.
    pub own_run: usize,
    /// Address space that is reserved, not used; the store can grow up to it.
    pub map_size: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            create: true,
            read_only: false,
            max_snapshot_age: None,
            durability: Durability::Sync,
            compression: Compression::WherePays,
            target: TARGET,
            own_run: OWN_RUN,
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
    pub(super) path: PathBuf,
    pub(super) databases: Databases,
    pub(super) options: Options,
    pub(super) generation: u64,
    /// Write transactions so far.
    begun: AtomicU64,
    /// None after closing.
    current: RwLock<Option<Current>>,
}

/// What is replaced when the environment is opened anew.
#[derive(Debug, Clone)]
pub(super) struct Current {
    pub environment: Arc<Environment>,
    pub readers: Arc<Readers>,
}

impl Store {
    /// Opens the store of a directory.
    pub fn open(path: &Path, options: Options) -> Result<Store> {
        let data = path.join("data.mdb");
        if options.create && !options.read_only {
            std::fs::create_dir_all(path).map_err(|error| {
                let code = error.raw_os_error().unwrap_or_default();
                let what = format!("could not make the directory {}: {error}", path.display());
                crate::guard::failure(code, &what)
            })?;
        } else if !data.is_file() {
            return Err(Error::Store(format!(
                "there is no store in {}: {} is missing",
                path.display(),
                data.display()
            )));
        }
        let environment = open_environment(path, &options)?;
        if !options.read_only {
            crate::load::remove_stale(path);
        }
        // A reader must not wait for a writer of another process, so the lock is taken only if need be.
        let databases = match find_databases(&environment)? {
            Holds::Ours(databases) => databases,
            Holds::Foreign => {
                return Err(Error::Usage(format!(
                "{} holds an LMDB database of another program: choose a new or an empty directory",
                path.display()
            )))
            }
            Holds::Nothing if options.create && !options.read_only => make_databases(&environment)?,
            Holds::Nothing => {
                return Err(Error::Store(format!(
                    "{} is not a Lexigraph store, and it was not to be created",
                    path.display()
                )))
            }
        };
        environment
            .clear_stale_readers()
            .map_err(failed("look for dead readers"))?;
        Ok(Store {
            path: path.to_path_buf(),
            databases,
            generation: generation(),
            begun: AtomicU64::new(1),
            current: RwLock::new(Some(Current {
                environment,
                readers: Readers::new(options.max_snapshot_age),
            })),
            options,
        })
    }

    /// The state as of now, fixed for as long as it is held and not older than the age limit.
    pub fn snapshot(&self) -> Result<Arc<Snapshot>> {
        let current = self.locked_current()?;
        let current = current.as_ref().ok_or_else(closed)?;
        let slot = current.readers.start(&current.environment)?;
        Ok(Snapshot::new(slot, self.databases))
    }

    /// A snapshot under a guard, for a call of the store's own.
    pub(super) fn reading(&self) -> Result<Reading> {
        Reading::new(self.snapshot()?)
    }

    /// Ends every snapshot that nobody reads just now; later calls are `Closed`.
    pub fn close(&self) -> Result<()> {
        not_inherited(self.generation)?;
        let current = self.write_current().take();
        if let Some(current) = current {
            current.readers.close();
        }
        Ok(())
    }

    /// Who reads: every transaction that this or another process holds, the oldest first.
    pub fn readers(&self) -> Result<Vec<Reader>> {
        let current = self.current()?;
        Ok(current.readers.list(&current.environment))
    }

    /// Whether it was opened for reading.
    pub fn is_read_only(&self) -> bool {
        self.options.read_only
    }

    /// The environment, to be held while it is used.
    pub(crate) fn environment(&self) -> Result<Arc<Environment>> {
        Ok(self.current()?.environment)
    }

    fn current(&self) -> Result<Current> {
        self.locked_current()?.clone().ok_or_else(closed)
    }

    fn locked_current(&self) -> Result<RwLockReadGuard<'_, Option<Current>>> {
        // First: a lock that was taken at the time of the fork stays so in the child.
        not_inherited(self.generation)?;
        loop {
            let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
            match current.as_ref() {
                Some(held) if held.environment.has_failed() => {
                    drop(current);
                    self.renew()?;
                }
                _ => return Ok(current),
            }
        }
    }

    pub(super) fn write_current(&self) -> std::sync::RwLockWriteGuard<'_, Option<Current>> {
        self.current.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a locality group holds, without counting.
    pub fn stats(&self, tree: TreeId) -> Result<Stats> {
        let [base, delta] = self.reading()?.counts(tree)?;
        Ok(Stats {
            base,
            delta,
            file: self.file_bytes()?,
        })
    }

    /// Bytes of the file that were ever used.
    pub fn file_bytes(&self) -> Result<u64> {
        Ok((self.current()?.environment.last().0 + 1) * 4096)
    }

    /// The newest commit timestamp that was noted.
    pub fn last_commit(&self) -> Result<Option<i64>> {
        let snapshot = self.reading()?;
        let bytes = snapshot.get(self.databases.meta, b"last-commit")?;
        bytes
            .map(|bytes| read_number(bytes.as_ref()).map(|number| number as i64))
            .transpose()
    }

    /// The directory of the store.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn begin(&self) -> Result<RwTxn<'_>> {
        let current = self.current()?;
        if current.environment.is_read_only() {
            return Err(Error::ReadOnly(format!(
                "{} was opened for reading",
                self.path.display()
            )));
        }
        // Old snapshots and the readers of dead processes would keep pages from being used again.
        current.readers.sweep();
        if self.begun.fetch_add(1, Ordering::Relaxed) % 64 == 0 {
            let _ = current.environment.clear_stale_readers();
        }
        RwTxn::begin(&current.environment).map_err(failed("start to write"))
    }

    pub(super) fn durability(&self) -> Durability {
        self.options.durability
    }

    pub(super) fn compression(&self) -> Compression {
        self.options.compression
    }

    pub(super) fn databases(&self) -> Databases {
        self.databases
    }

    pub(super) fn packer(&self, sizing: Sizing) -> Packer {
        let compression = match (self.options.compression, sizing) {
            // What has room is a delta: the next batch reads and writes it again.
            (Compression::WherePays, Sizing::Roomy) => Compression::WhereHalf,
            (compression, _) => compression,
        };
        Packer::new(self.options.target, compression, sizing)
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

pub(super) fn read_number(bytes: &[u8]) -> Result<u64> {
    let bytes = bytes
        .try_into()
        .map_err(|_| Error::Corruption("a number of the store's own is damaged".into()))?;
    Ok(u64::from_le_bytes(bytes))
}

impl Drop for Store {
    fn drop(&mut self) {
        if self.generation != generation() {
            // What the parent opened is the parent's; see `Environment`.
            if let Ok(current) = self.current.get_mut() {
                std::mem::forget(current.take());
            }
            return;
        }
        if let Some(current) = self.write_current().take() {
            current.readers.retire();
        }
    }
}

pub(super) fn open_environment(path: &Path, options: &Options) -> Result<Arc<Environment>> {
    let flags = Flags {
        read_only: options.read_only,
        relaxed: options.durability == Durability::Relaxed,
    };
    let opened = Environment::open(path, options.map_size, flags);
    Ok(Arc::new(opened.map_err(crate::guard::open_failure(
        path,
        options.read_only,
    ))?))
}
