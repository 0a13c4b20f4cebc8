//! Scans: executing a spec over the trees of a table, by batches. `spec/scan.md` is the contract.
//!
//! A scan is fixed by its snapshot when it is opened. Whatever it is asked for in one call, any batch
//! size gives the same cells, and memory stays bounded.

mod input;
mod joined;
mod ranges;
mod resolve;
mod row;
mod serial;
mod skip;
mod spec;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::Instant;

use crate::cells::{CellColumns, Range};
use crate::columns::{self, Counters};
use crate::settings::Settings;
use crate::stages::StageSpec;
use crate::tree::{Snapshot, Watch};
use crate::Result;

pub use input::{Group, Input};
pub use resolve::{resolve_priorities, ResolvedStack};
pub use row::RowReader;
pub use spec::{column_from_json, view_from_json, Resume, Spec};

use serial::Serial;
use skip::Skip;

/// No batch is much larger than this, however many cells are asked for.
const BATCH_BYTES: usize = 8 << 20;

/// How a scan runs; no option changes what it gives, but `stages`.
#[derive(Debug, Clone, Default)]
pub struct ScanOptions {
    /// How many threads may work on it; 0 and 1 are the caller's own.
    pub threads: usize,
    /// When it is to end with [`crate::Error::Timeout`].
    pub deadline: Option<Instant>,
    /// These stages alone, with their priorities, in place of those of table and scan: for a caller
    /// that runs the others above.
    pub stages: Option<Vec<StageSpec>>,
    /// Cell by cell, also where columns could be read: for comparing the two.
    pub stages_only: bool,
}

/// What a scan has done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScanCounts {
    /// Blocks that were opened.
    pub blocks: u64,
    /// Cells of these blocks that lay in a range.
    pub cells_read: u64,
    pub cells_returned: u64,
}

/// Ends a scan from any thread.
#[derive(Debug, Clone)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// The scan gives [`crate::Error::Cancelled`] from its next few hundred cells on.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A running scan.
pub struct Scan {
    serial: Serial,
    skip: Skip,
    snapshot: Arc<Snapshot>,
    by_columns: Option<Arc<Counters>>,
    watch: Arc<Watch>,
    cancel: Cancel,
    returned: u64,
    done: bool,
}

/// Refuses mistakes of a spec before any cell is read.
pub fn check(settings: &Settings, spec: &Spec) -> Result<()> {
    ResolvedStack::new(settings, spec)?.check()
}

/// How many of these resolved stages of table and scan, from the data upwards, can run in the core.
/// The caller runs those above: a user's own, or a pattern that only Python reads.
pub fn native_prefix(settings: &Settings, spec: &Spec, stages: &[StageSpec]) -> Result<usize> {
    ResolvedStack::with_stages(settings, spec, stages.to_vec())?.native_prefix()
}

/// Starts a scan; nothing is read before the first batch is asked for.
pub fn open(input: Input, spec: &Spec, options: &ScanOptions) -> Result<Scan> {
    let resolved = match &options.stages {
        Some(stages) => ResolvedStack::with_stages(&input.settings, spec, stages.clone())?,
        None => ResolvedStack::new(&input.settings, spec)?,
    };
    let cancel = Cancel(Arc::default());
    let watch = Arc::new(Watch::new(Arc::clone(&cancel.0), options.deadline));
    let mut by_columns = None;
    let stack = resolved.build_with(input.cursor(&watch), input.now, |staged| {
        if options.stages_only {
            return Ok(staged);
        }
        let (source, counters) =
            columns::over(staged, &input, &resolved, options.threads.max(1), &watch)?;
        by_columns = counters;
        Ok(source)
    })?;
    let ranges = if resolved.upper().is_empty() {
        ranges::rest_of(&resolved.ranges, resolved.after.as_ref())
    } else {
        // What such a stage gives at some key depends on everything before it.
        vec![Range::default()]
    };
    Ok(Scan {
        serial: Serial::new(stack, resolved.families, ranges),
        skip: Skip::new(resolved.after),
        snapshot: input.snapshot,
        by_columns,
        watch,
        cancel,
        returned: 0,
        done: false,
    })
}

impl Scan {
    /// The next cells, at most that many; `None` when there are no more. After an error it has ended.
    pub fn next(&mut self, cells: usize) -> Result<Option<CellColumns>> {
        let _guard = self.snapshot.enter()?;
        let mut batch = CellColumns::default();
        while batch.is_empty() && !self.done {
            let limits = (cells.max(1), BATCH_BYTES);
            let more = self
                .serial
                .fill(&mut batch, &mut self.skip, &self.watch, limits);
            self.done = !matches!(more, Ok(true));
            more?;
        }
        self.returned += batch.len() as u64;
        Ok((!batch.is_empty()).then_some(batch))
    }

    /// What the column path did, where the scan is of a form that it takes.
    pub fn by_columns(&self) -> Option<&Counters> {
        self.by_columns.as_deref()
    }

    /// A handle by which another thread ends it.
    pub fn cancel_handle(&self) -> Cancel {
        self.cancel.clone()
    }

    /// What it has done so far.
    pub fn counts(&self) -> ScanCounts {
        let (blocks, cells_read) = self.watch.counts();
        ScanCounts {
            blocks,
            cells_read,
            cells_returned: self.returned,
        }
    }
}
