//! The engine: tables of cells by name in one directory. `spec/cells.md` says what the answers are.
//!
//! A write is a commit with one timestamp, in one transaction of the store or, buffered, in the memory of this
//! process until a flush. A reader sees a state of the store and this process's buffered commits above it. Writers
//! of all threads and processes take turns per transaction; what a writer must know of others (clock, tables, states,
//! what was touched lately) it reads in its own transaction.

mod admin;
mod background;
mod buffer;
mod catalog;
mod clock;
mod combining;
mod commit;
mod conditions;
mod conflicts;
mod constraints;
mod definition;
mod definition_json;
mod failures;
mod input;
mod load;
mod load_cells;
mod log;
mod merge_stages;
mod merge_step;
mod merging;
mod options;
mod purge;
mod queue;
mod retime;
mod snapshot;
mod stamps;
mod state;
mod stats;
mod tables;
mod write;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::guard::{Directory, DirectoryOptions, WriterGuard};
use crate::tree::{self, Writer};
use crate::{Error, Result};

pub use conditions::{Condition, Conditional, Outcome};
pub use constraints::MAX_KEY_BYTES;
pub use definition::{Definition, LocalityGroup};
pub use load::{EngineLoader, LoadBatch, LoadOptions};
pub use merge_stages::StageCount;
pub use merging::{MergeReport, RowSpan};
pub use options::{Durability, MergePolicy, OpenOptions, WriteOptions};
pub use purge::Purged;
pub use snapshot::{EngineSnapshot, TableInfo};
pub use state::State;
pub use stats::TableStats;
pub use write::{MadeBatch, MutationBatch};

/// Tables of cells in a directory. Threads may share it; a clone is the same engine. The last clone that goes
/// closes it.
#[derive(Debug, Clone)]
pub struct Engine {
    inner: Arc<Inner>,
    _last: Arc<Last>,
}

/// Closes the engine when its last clone goes; the thread of merges holds none.
#[derive(Debug)]
struct Last(Arc<Inner>);

impl Drop for Last {
    fn drop(&mut self) {
        // Nobody is left to hear of a failure; who wants to know closes the engine.
        let _ = self.0.close();
    }
}

#[derive(Debug)]
struct Inner {
    /// Tells this engine from others, also of other processes.
    id: u64,
    /// None after closing.
    directory: RwLock<Option<Arc<Directory>>>,
    options: OpenOptions,
    catalogs: catalog::Catalogs,
    buffer: Mutex<buffer::Buffer>,
    queue: queue::Queue,
    background: background::Background,
    failures: failures::Failures,
}

impl Engine {
    /// Opens the store of a directory.
    pub fn open(path: &Path, options: OpenOptions) -> Result<Engine> {
        let directory = Directory::open(
            path,
            &DirectoryOptions {
                store: tree::Options {
                    create: options.create,
                    read_only: options.read_only,
                    max_snapshot_age: Some(options.max_snapshot_age),
                    durability: tree::Durability::Sync,
                    compression: options.compression,
                    target: options.target,
                    own_run: options.own_run,
                    map_size: options.map_size,
                },
                force: options.force,
                lock_timeout: options.lock_timeout,
            },
        )?;
        let inner = Arc::new(Inner {
            id: new_id(),
            directory: RwLock::new(Some(directory)),
            options,
            catalogs: catalog::Catalogs::default(),
            buffer: Mutex::default(),
            queue: queue::Queue::default(),
            background: background::Background::default(),
            failures: failures::Failures::default(),
        });
        Ok(Engine {
            _last: Arc::new(Last(Arc::clone(&inner))),
            inner,
        })
    }

    /// Gives buffered commits to the store and lets go of it; later calls are refused.
    pub fn close(&self) -> Result<()> {
        self.inner.close()
    }

    /// Gives buffered commits to the store, on disk.
    pub fn flush(&self) -> Result<()> {
        self.inner.flush(tree::Durability::Sync)
    }

    /// All tables, by name.
    pub fn tables(&self, at: Option<&EngineSnapshot>) -> Result<Vec<Arc<TableInfo>>> {
        let view = self.inner.view_at(at)?;
        let tables = view.catalog.tables.values();
        tables.map(|definition| view.info(definition)).collect()
    }

    /// One table.
    pub fn table(&self, name: &str, at: Option<&EngineSnapshot>) -> Result<Arc<TableInfo>> {
        self.inner.view_at(at)?.table(name)
    }

    /// Fixes what all tables hold now.
    pub fn snapshot(&self) -> Result<EngineSnapshot> {
        self.inner.take_snapshot()
    }
}

impl Inner {
    fn close(&self) -> Result<()> {
        let Ok(directory) = self.directory() else {
            return Ok(());
        };
        // In a forked child threads and buffered commits are the parent's: it only lets go of them.
        if directory.store().is_ok() {
            // What cannot be stored now is not thrown away: the engine stays open.
            self.flush(tree::Durability::Sync)?;
            self.end_merges();
        }
        let held = self.directory.write();
        *held.unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    fn directory(&self) -> Result<Arc<Directory>> {
        let held = self.directory.read();
        let held = held.unwrap_or_else(PoisonError::into_inner);
        let closed = || Error::Closed("this engine was closed".into());
        held.clone().ok_or_else(closed)
    }

    fn writable(&self) -> Result<Arc<Directory>> {
        if self.options.read_only {
            return Err(Error::ReadOnly(
                "the store was opened for reading: open it without read_only to write".into(),
            ));
        }
        self.directory()
    }

    /// Waits for the right to write; `doing` is what others are told meanwhile.
    fn turn<'d>(&self, directory: &'d Arc<Directory>, doing: &str) -> Result<Turn<'d>> {
        let guard = directory.lock_writer(self.options.lock_timeout, doing)?;
        Ok(Turn {
            writer: directory.store()?.writer()?,
            guard,
        })
    }
}

/// A write transaction and the right to it, which goes after it.
struct Turn<'d> {
    writer: Writer<'d>,
    guard: WriterGuard,
}

impl Turn<'_> {
    fn commit(self, durability: tree::Durability) -> Result<()> {
        self.commit_and_stay(durability).map(drop)
    }

    /// Commits, and keeps the right to write for as long as the guard is held.
    fn commit_and_stay(self, durability: tree::Durability) -> Result<WriterGuard> {
        self.writer.commit(durability)?;
        Ok(self.guard)
    }
}

impl<'d> std::ops::Deref for Turn<'d> {
    type Target = Writer<'d>;

    fn deref(&self) -> &Writer<'d> {
        &self.writer
    }
}

impl<'d> std::ops::DerefMut for Turn<'d> {
    fn deref_mut(&mut self) -> &mut Writer<'d> {
        &mut self.writer
    }
}

/// A number that no other engine has: the standard library seeds its hashers at random.
fn new_id() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    let mut hasher = std::hash::RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    hasher.write_i64(clock::micros(None));
    hasher.finish()
}
