//! The column path: summaries of elements made block by block, without making cells.
//!
//! It answers stacks of the form *system steps, `versions` or not, `filter`s, `aggregate` or not, `filter`s, `roll-up` over
//! labels alone or not, `filter`s, `summarise`* over one key plan, with the very cells that the stages would give (float sums within rounding). Labels
//! and families are judged once per distinct one; what a filter asks and what elements are grouped by is worked
//! out once per combination of shape, family, label and qualifier, by the same code that the stages use; rows are not rebuilt
//! where their ends show the shape; of a value only the properties of measures are read, so what is wrong in
//! others is not found.
//!
//! Whatever it is not sure of (delete markers, long values, bytes that do not fit the plan) it leaves to the stages:
//! [`ColumnScan::run`] then gives nothing, and the caller runs the generic stack, which also gives the error if there is one.

mod at_once;
mod coded;
mod combined;
mod elements;
mod figures;
mod forms;
mod memo;
mod merged;
mod overlap;
mod parts;
mod program;
mod repeats;
mod source;
mod states;
mod sums;
mod times;
mod worker;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use crate::cells::{Cell, Range};
use crate::stages::{Families, StageContext, StageSpec};
use crate::tree::{Snapshot, TreeId};
use crate::visibility::View;
use crate::{Error, Result};

pub(crate) use combined::Combined;
pub(crate) use memo::{Memo, LEFT_OUT, NONE, UNKNOWN};
pub(crate) use program::{Below, Program, Versions};
pub(crate) use source::over;
pub(crate) use states::{StateColumn, StateColumns};
pub(crate) use sums::Picked;
pub(crate) use times::TimeBuffers;

/// What a scan reads and as whom.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    pub snapshot: &'a Arc<Snapshot>,
    /// The locality groups that can hold wanted families.
    pub trees: &'a [TreeId],
    pub families: &'a Families,
    pub view: &'a View,
    pub default_visibility: &'a [u8],
    /// Sorted and joined.
    pub ranges: &'a [Range],
}

/// How often the column path ran, and what it read; for tests and statistics.
#[derive(Debug, Default)]
pub struct Counters {
    pub finished: AtomicU64,
    pub left_to_stages: AtomicU64,
    /// Blocks read by code, and element by element.
    pub coded_blocks: AtomicU64,
    pub element_blocks: AtomicU64,
    /// Of those read by code, the ones that took a single walk over their cells.
    pub blocks_at_once: AtomicU64,
    /// Blocks of which nothing was wanted or visible.
    pub skipped_blocks: AtomicU64,
}

/// A summary that the column path may be able to make.
pub struct ColumnScan {
    program: Program,
    counters: Arc<Counters>,
}

/// Reads the stages up to and including `summarise`, by ascending priority; nothing where they are none of this path's forms.
pub fn try_open(stages: &[StageSpec], context: &mut StageContext) -> Result<Option<ColumnScan>> {
    let program = Program::compile(stages, context)?;
    Ok(program.map(|program| ColumnScan {
        program,
        counters: Arc::default(),
    }))
}

impl ColumnScan {
    /// The cells of the summary in order; nothing where the stages must answer. `check` is asked now and then
    /// whether to go on.
    pub fn run(
        &self,
        request: &Request<'_>,
        threads: usize,
        check: &(dyn Fn() -> Result<()> + Sync),
    ) -> Result<Option<Vec<Cell>>> {
        let run = parts::run(&self.program, request, threads, check, &self.counters);
        let count = |counter: &AtomicU64| counter.fetch_add(1, Ordering::Relaxed);
        match run {
            Ok(figures) => {
                count(&self.counters.finished);
                figures.into_cells(&self.program).map(Some)
            }
            Err(Stop::Unfit) => {
                count(&self.counters.left_to_stages);
                Ok(None)
            }
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    /// What it has done so far.
    pub fn counters(&self) -> &Arc<Counters> {
        &self.counters
    }
}

/// Why the column path ends early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The stages must answer.
    Unfit,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        match error {
            // Bytes that do not fit: the stages know whether anybody sees them, and what to say.
            Error::InvalidBytes(_) | Error::InvalidValue(_) | Error::Unsupported(_) => Stop::Unfit,
            other => Stop::Failed(other),
        }
    }
}

pub(crate) type Step<T> = std::result::Result<T, Stop>;
