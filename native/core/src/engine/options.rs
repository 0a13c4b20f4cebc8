//! How an engine is opened and how a write is meant.

use std::time::Duration;

use super::EngineSnapshot;
use crate::block::Compression;
use crate::cells::Range;
use crate::tree::{self, OWN_RUN, TARGET};
use crate::visibility::View;

/// What a write promises when it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Durability {
    /// In the memory of this process: seen by its scans at once, lost when it is killed, until something
    /// gives it to the store. A write whose cells bring timestamps, or that depends on what was read, is
    /// `Relaxed` instead. The timestamp that the write gives moves forward if another process has committed
    /// before that.
    Buffered,
    /// In the store: a power loss may lose the last commits, never damage it.
    Relaxed,
    /// On disk.
    #[default]
    Sync,
}

impl Durability {
    /// What a write to the store promises at this level.
    pub(super) fn of_store(self) -> tree::Durability {
        match self {
            Durability::Sync => tree::Durability::Sync,
            Durability::Relaxed | Durability::Buffered => tree::Durability::Relaxed,
        }
    }
}

/// When merges start by themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MergePolicy {
    /// Whether they do at all.
    pub automatic: bool,
    /// At least so many cells in the delta of a table ...
    pub delta_cells: u64,
    /// ... and at least one of so many cells of its base.
    pub base_share: u64,
    /// About how many blocks one transaction of a merge takes.
    pub blocks: usize,
}

impl Default for MergePolicy {
    fn default() -> Self {
        MergePolicy {
            automatic: true,
            delta_cells: 100_000,
            base_share: 1,
            blocks: 64,
        }
    }
}

/// How an engine is opened.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// Make the directory and an empty store where there is none.
    pub create: bool,
    pub read_only: bool,
    /// Open on a network file system all the same.
    pub force: bool,
    /// What writes promise that do not say, to tables that do not.
    pub durability: Durability,
    /// How long a writer waits for its turn.
    pub lock_timeout: Duration,
    /// How long a snapshot may be used.
    pub max_snapshot_age: Duration,
    /// Address space that is reserved, not used; the store can grow up to it.
    pub map_size: usize,
    pub merge: MergePolicy,
    pub compression: Compression,
    /// What a block aims at, in bytes.
    pub target: usize,
    /// Commits of so many cells may become a run of their own in the delta.
    pub own_run: usize,
    /// Buffered commits take no more memory than this: a write that would not fit goes to the store, with them.
    pub buffer_bytes: usize,
}

impl Default for OpenOptions {
    fn default() -> Self {
        OpenOptions {
            create: true,
            read_only: false,
            force: false,
            durability: Durability::Sync,
            lock_timeout: Duration::from_secs(30),
            max_snapshot_age: Duration::from_secs(3600),
            map_size: 1 << 40,
            merge: MergePolicy::default(),
            compression: Compression::WherePays,
            target: TARGET,
            own_run: OWN_RUN,
            buffer_bytes: 32 << 20,
        }
    }
}

/// How one write is meant.
#[derive(Debug, Clone)]
pub struct WriteOptions<'a> {
    /// The clock in microseconds; none is the system's.
    pub now: Option<i64>,
    /// A snapshot, and what was read from it: the write is a conflict if any of it changed since.
    pub unchanged: Option<(&'a EngineSnapshot, &'a [(String, Range)])>,
    pub durability: Option<Durability>,
    /// As whom the writer reads, for tables where nobody writes what they cannot read.
    pub writer: View,
}

impl Default for WriteOptions<'_> {
    fn default() -> Self {
        WriteOptions {
            now: None,
            unchanged: None,
            durability: None,
            writer: View::All,
        }
    }
}
