//! Stages: what is done to cells on their way out of a table, next to the data.
//!
//! A stage is a [`Cursor`] on top of another. It maps a sorted table to a sorted table; it may be
//! sought any number of times, with any range, also one that starts inside a group of cells, and
//! keeps nothing from one seek to the next. So an answer never depends on where a scan is cut.
//! `spec/scan.md` is the contract, `spec/stages` holds the vectors.

mod builtin;
mod columns;
mod combiners;
mod context;
mod decimal_combiners;
mod decimal_text;
mod documents;
pub mod elements;
mod entry;
mod filter;
mod fused;
mod intersect;
mod java_text;
mod labels;
mod large_row;
mod matches;
mod number_combiners;
mod options;
mod packing;
mod rows;
mod sampling;
mod settling;
mod slices;
mod sorted_cells;
mod spec;
mod stack;
mod stretch;
mod system;
mod times;
mod versions;

use std::collections::BTreeSet;

use crate::cells::{CellRef, KeyRef, Range};
use crate::Result;

pub use builtin::{find_stage, StageKind, BUILT_IN};
pub use context::StageContext;
pub use fused::{Fused, Judge};
pub use sorted_cells::SortedCells;
pub use spec::StageSpec;
pub use stack::{build_scan, build_stack, judge_of, priority_of, put_stages, AskedColumn};
pub use stretch::Limits;

/// Makes one value of the versions of a column, the newest first.
pub trait Fold {
    /// Begins with a column; `false` where its cells stay as they are.
    fn start(&mut self, key: &KeyRef<'_>) -> Result<bool>;
    /// Takes the value of the next version.
    fn add(&mut self, value: &[u8], timestamp: i64) -> Result<()>;
    /// Appends the value of all that it took.
    fn write(&mut self, out: &mut Vec<u8>) -> Result<()>;
}

/// Which families a scan wants: exactly `names`, or all but `names`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Families {
    pub names: BTreeSet<Vec<u8>>,
    pub inclusive: bool,
}

impl Families {
    /// Whether cells of `family` are wanted.
    pub fn wants(&self, family: &[u8]) -> bool {
        self.names.contains(family) == self.inclusive
    }

    /// Whether some family can be wanted by both.
    pub fn meets(&self, other: &Families) -> bool {
        match (self.inclusive, other.inclusive) {
            (true, _) => self.names.iter().any(|name| other.wants(name)),
            (false, true) => other.names.iter().any(|name| self.wants(name)),
            (false, false) => true,
        }
    }
}

/// When a stage runs: for a reader, or when runs are merged for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    Scan,
    /// A new run is made from what was just written; older cells are not seen.
    Flush,
    /// Some runs are merged; others are not seen.
    Merge,
    /// Every run is merged: delete markers end here.
    Full,
}

impl Scope {
    /// Whether delete markers must be passed on, because cells they hide may be elsewhere.
    pub fn keeps_deletes(self) -> bool {
        matches!(self, Scope::Flush | Scope::Merge)
    }
}

/// A cursor that a stage owns.
pub type Source = Box<dyn Cursor + Send>;

/// Sorted cells that can be sought: runs, a merge of them, or a stage above.
pub trait Cursor {
    /// Goes to the first cell of `range`.
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()>;

    /// The cell it stands on, or `None` at the end; valid until the next call that moves it.
    fn top(&self) -> Option<CellRef<'_>>;

    /// Goes to the next cell; does nothing at the end.
    fn advance(&mut self) -> Result<()>;

    /// A second cursor over the same cells with the same options, not yet sought.
    fn fork(&self) -> Source;
}
