//! Scans: executing a spec over the trees of a table, by batches. `spec/scan.md` is the contract.
//!
//! A scan is fixed by its snapshot when it is opened. Whatever it is asked for in one call, any batch
//! size gives the same cells, and memory stays bounded.

mod feed;
mod input;
mod joined;
mod parallel;
mod parts;
mod prepared;
mod ranges;
mod resolve;
mod row;
mod serial;
mod skip;
mod spec;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::cells::{CellColumns, Range};
use crate::columns::{self, Counters};
use crate::settings::Settings;
use crate::stages::{put_stages, SortedCells, Source, StageSpec};
use crate::tree::{Ask, Watch};
use crate::{Error, Result};

pub use input::{GroupTree, Input};
pub use prepared::Prepared;
pub use resolve::{resolve_priorities, ResolvedStack};
pub use row::RowReader;
pub use spec::{column_from_json, view_from_json, Resume, Spec};

pub(crate) use feed::Shared;
use feed::{Feed, FeedCursor};
pub(crate) use parallel::{Batch, Give, Make, Parallel};
pub(crate) use parts::Parts;
pub(crate) use serial::Serial;
pub(crate) use skip::Skip;

/// No batch is much larger than this, however many cells are asked for.
const BATCH_BYTES: usize = 8 << 20;

/// More threads than these would wait for one another.
const MOST: usize = 4;

/// How a scan runs; no option changes what it gives, but `stages`.
#[derive(Debug, Clone, Default)]
pub struct ScanOptions {
    /// How many threads may work on it, 0 for one on each processor; with 1 it is the caller's own.
    pub threads: usize,
    /// When it is to end with [`Error::Timeout`].
    pub deadline: Option<Instant>,
    /// These stages alone, with their priorities, in place of those of table and scan: for a caller
    /// that runs the others above.
    pub stages: Option<Vec<StageSpec>>,
    /// Cell by cell, also where columns could be read: for comparing the two.
    pub stages_only: bool,
    /// Asked now and then whether to end with [`Error::Cancelled`].
    pub ask: Option<Ask>,
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
    /// The scan gives [`Error::Cancelled`] from its next few hundred cells on.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Where the cells of a scan come from.
enum Cells {
    Feed(Box<Feed>),
    /// Whole-scan stages, on a feed of their own.
    Upper(Box<(Serial, Skip)>),
}

/// A running scan.
pub struct Scan {
    cells: Cells,
    by_columns: Option<Arc<Counters>>,
    shared: Arc<Shared>,
    cancel: Cancel,
    returned: u64,
    done: bool,
    failure: Option<Error>,
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
    open_resolved(input, resolved, options)
}

fn open_resolved(input: Input, mut resolved: ResolvedStack, options: &ScanOptions) -> Result<Scan> {
    let cancel = Cancel(Arc::default());
    let watch = Watch::new(Arc::clone(&cancel.0), options.deadline);
    let watch = Arc::new(watch.asking(options.ask.clone()));
    // Only whole-scan stages ask for the ranges again.
    let ranges = match resolved.upper() {
        [] => std::mem::take(&mut resolved.ranges),
        _ => Vec::new(),
    };
    let shared = Arc::new(Shared {
        input,
        resolved,
        watch,
        threads: match options.threads {
            0 => processors(),
            given => given,
        },
    });
    let resolved = &shared.resolved;
    let mut by_columns = None;
    let cells = if resolved.upper().is_empty() {
        let (families, after) = (&resolved.families, resolved.after.clone());
        Cells::Feed(Box::new(Feed::new(&shared, families, ranges, after)?))
    } else {
        let (upper, counters) = put_upper(&shared, !options.stages_only)?;
        by_columns = counters;
        // What such a stage gives at some key depends on everything before it.
        let all = vec![Range::default()];
        Cells::Upper(Box::new((
            Serial::new(serial::Cells::Stack(upper), resolved.families.clone(), all),
            Skip::new(resolved.after.clone()),
        )))
    };
    Ok(Scan {
        cells,
        by_columns,
        shared,
        cancel,
        returned: 0,
        done: false,
        failure: None,
    })
}

/// How many processors there are, at most a few: asked once, since the answer takes longer than a look-up.
fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    let count = || std::thread::available_parallelism().map_or(1, |count| count.get().min(MOST));
    *COUNT.get_or_init(count)
}

/// The whole-scan stages on the joined stream; a summary by columns where it can be, and what counts that.
fn put_upper(shared: &Arc<Shared>, by_columns: bool) -> Result<(Source, Option<Arc<Counters>>)> {
    let resolved = &shared.resolved;
    let mut context = resolved.context(shared.input.now);
    // The stages below leave word for those above.
    resolved.build_lower(SortedCells::new(Vec::new()), &mut context)?;
    let joined = Box::new(FeedCursor::new(shared));
    let (first, rest) = resolved.upper().split_at(1);
    let staged = put_stages(joined, first, &mut context)?;
    let is_summary = first.iter().all(|stage| stage.name == "summarise");
    let (source, counters) = if by_columns && is_summary {
        columns::over(staged, shared)?
    } else {
        (staged, None)
    };
    Ok((put_stages(source, rest, &mut context)?, counters))
}

impl Scan {
    /// The next cells, at most that many; `None` when there are no more. After an error it has ended.
    pub fn next(&mut self, cells: usize) -> Result<Option<CellColumns>> {
        let _guard = self.shared.input.snapshot.enter()?;
        if !self.done {
            // What threads made ahead is not given any more once the scan is cancelled.
            self.shared.watch.check()?;
        }
        let mut batch = CellColumns::default();
        while batch.is_empty() && !self.done {
            let limits = (cells.max(1), BATCH_BYTES);
            let more = match &mut self.cells {
                Cells::Feed(feed) => feed.fill(&mut batch, limits),
                Cells::Upper(upper) => {
                    let (serial, skip) = &mut **upper;
                    serial.fill(&mut batch, skip, &self.shared.watch, limits)
                }
            };
            self.done = !matches!(more, Ok(true));
            self.failure = more.err();
        }
        // What came before an error is given first.
        if let Some(failure) = self.failure.take_if(|_| batch.is_empty()) {
            return Err(failure);
        }
        self.returned += batch.len() as u64;
        Ok((!batch.is_empty()).then_some(batch))
    }

    /// What it reads, in parts, for a caller that reads it in another way; nothing where it must go on as it is. After that it gives
    /// nothing any more.
    pub(crate) fn hand_over(&mut self) -> Result<Option<(Vec<Range>, Parts)>> {
        let _guard = self.shared.input.snapshot.enter()?;
        match &mut self.cells {
            Cells::Feed(feed) if self.returned == 0 => feed.hand_over(),
            _ => Ok(None),
        }
    }

    /// What its threads need.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
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
        let (blocks, cells_read) = self.shared.watch.counts();
        ScanCounts {
            blocks,
            cells_read,
            cells_returned: self.returned,
        }
    }
}
