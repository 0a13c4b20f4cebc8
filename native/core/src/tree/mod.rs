//! Trees of blocks on LMDB: what an embedded store is made of. `docs/formats/embedded.md` sections 1 and 2.
//!
//! A table's locality group is a base and a delta of some runs, a tree each. A write goes into the delta, a cursor
//! reads all of them merged, a merge moves a range of rows from the runs into the base, or from younger runs into
//! an older one. Every write is one LMDB transaction: all of it or nothing, and a reader's snapshot never changes.

#[allow(unsafe_code)]
mod ahead;
mod blocks;
mod counters;
mod cursor;
mod cuts;
mod databases;
mod draft;
mod edit;
mod keys;
mod level;
mod levels;
#[allow(unsafe_code)]
pub(crate) mod lmdb;
mod load;
mod looked_up;
#[allow(unsafe_code)]
mod mapped;
mod merge;
mod merge_lone;
mod opened;
mod overflow;
mod packer;
mod plan;
mod readers;
mod rebuild;
mod renew;
mod run;
mod slot;
pub(crate) mod sort;
mod sort_key;
mod store;
mod strands;
mod tables;
mod verify;
mod watch;
mod weave;
mod weave_fold;
mod weave_out;
mod write;
mod writer;

pub use ahead::Ahead;
pub use blocks::{BlockSpan, Blocks, OpenBlock};
pub use counters::Counts;
pub use cursor::TreeCursor;
pub use cuts::Cuts;
pub(crate) use level::InBlock;
pub use levels::Level;
pub(crate) use levels::MOST_RUNS;
pub use load::LoadReport;
pub use mapped::{Durability, Guard, Snapshot};
pub(crate) use merge::{merge_end, merge_end_of, next_in_delta};
pub use merge::{row_range, Rows};
pub use merge_lone::Merged;
pub use readers::Reader;
pub use run::{Run, RunCursor};
pub(crate) use slot::{closed, not_inherited};
pub use sort::sort_batch;
pub use sort_key::{separator, sort_key};
pub use store::{Options, Stats, Store};
pub use verify::{Inspection, Problem, Verified};
pub use watch::{Ask, Watch};
pub use weave::Transform;
pub use weave_fold::Folded;
pub use write::Batch;
pub use writer::Writer;

/// A locality group of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TreeId {
    pub table: u32,
    pub group: u16,
}

/// Values longer than this stand in entries of their own.
pub(crate) const INLINE: usize = 8192;

/// Batches of so many cells may become a run of their own.
pub const OWN_RUN: usize = 1024;

/// What a block aims at: two pages of LMDB less the header of the first.
pub const TARGET: usize = 2 * 4096 - 16;
