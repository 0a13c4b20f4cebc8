//! The cells of a scan below its whole-scan stages, in order: on the caller's thread as long as they are
//! few, by several threads from there on.

use std::sync::Arc;

use crate::cells::{CellColumns, CellRef, Range};
use crate::stages::{Cursor, Families, Limits, Source};
use crate::tree::Watch;
use crate::{Error, Result};

use super::parallel::{Batch, Make, Parallel};
use super::parts::Parts;
use super::ranges::rest_of;
use super::serial::{Cells, Serial};
use super::skip::Skip;
use super::{Input, ResolvedStack, Resume};

/// How many cells whole-scan stages are given at once: few at first, since a `limit` may want no more.
const FIRST: usize = 64;
const BATCH: Limits = (8192, 1 << 20);

/// How many blocks are worth starting threads for.
const WORTH: usize = 256;

/// What all threads of a scan need.
pub struct Shared {
    pub input: Input,
    pub resolved: ResolvedStack,
    pub watch: Arc<Watch>,
    /// How many threads may be started; below 2 none is.
    pub threads: usize,
}

impl Shared {
    /// The lower stages on cursors of their own.
    pub fn cells(&self, watch: &Arc<Watch>) -> Result<Cells> {
        self.resolved
            .cells(self.input.cursor(watch), self.input.now)
    }
}

impl Shared {
    /// Makes batches of cells, in a thread.
    fn make_cells(
        self: &Arc<Self>,
        families: &Families,
        watch: &Arc<Watch>,
    ) -> Result<Make<CellColumns>> {
        let mut serial = Serial::new(self.cells(watch)?, families.clone(), Vec::new());
        let (shared, watch) = (Arc::clone(self), Arc::clone(watch));
        Ok(Box::new(move |part, give| {
            serial.restart(part);
            let mut more = true;
            while more {
                let mut batch = CellColumns::default();
                let filled = {
                    let _guard = shared.input.snapshot.enter()?;
                    serial.fill(&mut batch, &mut Skip::new(None), &watch, BATCH)
                };
                give(batch)?;
                more = filled?;
            }
            Ok(())
        }))
    }
}

impl Batch for CellColumns {
    fn size_bytes(&self) -> usize {
        CellColumns::size_bytes(self)
    }

    fn is_empty(&self) -> bool {
        CellColumns::is_empty(self)
    }
}

/// Cells in order, batch by batch.
pub struct Feed {
    shared: Arc<Shared>,
    families: Families,
    serial: Serial,
    skip: Skip,
    /// What is left for threads, and how many ranges were read without them.
    parts: Option<Parts>,
    first: usize,
    parallel: Option<Parallel<CellColumns>>,
    /// A batch that was taken from them and how much of it was given.
    batch: CellColumns,
    given: usize,
}

impl Feed {
    /// Reads ranges from behind a resume point on.
    pub fn new(
        shared: &Arc<Shared>,
        families: &Families,
        ranges: Vec<Range>,
        after: Option<Resume>,
    ) -> Result<Feed> {
        let mut ranges = rest_of(ranges, after.as_ref());
        let mut parts = None;
        if shared.threads > 1 {
            // The first part is read here: where it is all, no thread is started.
            let mut all = Parts::new(&shared.input, families, ranges)?;
            ranges = all.next()?.unwrap_or_default();
            parts = (all.len() > 0).then_some(all);
        }
        Ok(Feed {
            shared: Arc::clone(shared),
            families: families.clone(),
            first: ranges.len().max(1),
            serial: Serial::new(shared.cells(&shared.watch)?, families.clone(), ranges),
            skip: Skip::new(after),
            parts,
            parallel: None,
            batch: CellColumns::default(),
            given: 0,
        })
    }

    /// Takes over what there is to read, in parts, from a feed that has given nothing; nothing where it is to go on as it
    /// is: behind a resume point, or in many ranges.
    pub fn hand_over(&mut self) -> Result<Option<(Vec<Range>, Parts)>> {
        let dealt = self.parts.as_ref().is_some_and(Parts::are_dealt);
        if dealt || !self.skip.is_over() || self.parallel.is_some() {
            return Ok(None);
        }
        let Some(ranges) = self.serial.hand_over() else {
            return Ok(None);
        };
        if let Some(parts) = self.parts.take() {
            return Ok(Some((ranges, parts)));
        }
        let parts = Parts::new(&self.shared.input, &self.families, ranges)?;
        match parts.are_dealt() {
            true => {
                self.serial.restart(parts.rest());
                Ok(None)
            }
            false => Ok(Some((Vec::new(), parts))),
        }
    }

    /// Adds cells until `out` is full; `false` when there are no more.
    pub fn fill(&mut self, out: &mut CellColumns, limits: Limits) -> Result<bool> {
        if self.parallel.is_none() {
            let (shared, skip) = (&self.shared, &mut self.skip);
            if self.serial.fill(out, skip, &shared.watch, limits)? {
                return Ok(true);
            }
            let Some(parts) = self.parts.take() else {
                return Ok(false);
            };
            // Ranges of a block or so each are no work for threads, unless there are hundreds.
            let blocks = shared.watch.counts().0 as usize;
            if parts.are_dealt() && blocks * parts.len() < WORTH * self.first {
                self.serial.restart(parts.rest());
                return self.fill(out, limits);
            }
            let (own, families) = (Arc::clone(&self.shared), self.families.clone());
            let start = Box::new(move |watch: &Arc<Watch>| own.make_cells(&families, watch));
            self.parallel = Some(Parallel::start(&self.shared, parts, start));
        }
        let Some(parallel) = &mut self.parallel else {
            return Ok(false);
        };
        let (cells, bytes) = limits;
        while out.len() < cells && out.size_bytes() < bytes {
            if self.given >= self.batch.len() {
                match parallel.next()? {
                    Some(batch) => (self.batch, self.given) = (batch, 0),
                    None => return Ok(false),
                }
            }
            if out.is_empty() && self.given == 0 && self.batch.len() <= cells {
                *out = std::mem::take(&mut self.batch);
                continue;
            }
            let many = (cells - out.len()).min(self.batch.len() - self.given);
            out.append(&self.batch, self.given..self.given + many);
            self.given += many;
        }
        Ok(true)
    }
}

/// A feed as a source for the stages above.
pub struct FeedCursor {
    shared: Arc<Shared>,
    feed: Option<Feed>,
    batch: CellColumns,
    at: usize,
    /// How many cells are asked for next.
    step: usize,
    /// What ended the feed: it shows behind the last cell of the batch, which nobody may come to.
    failure: Option<Error>,
}

impl FeedCursor {
    pub fn new(shared: &Arc<Shared>) -> FeedCursor {
        FeedCursor {
            shared: Arc::clone(shared),
            feed: None,
            batch: CellColumns::default(),
            at: 0,
            step: FIRST,
            failure: None,
        }
    }

    fn settle(&mut self) -> Result<()> {
        while self.at >= self.batch.len() {
            let Some(feed) = &mut self.feed else {
                return self.failure.take().map_or(Ok(()), Err);
            };
            self.at = 0;
            self.batch.clear();
            let more = feed.fill(&mut self.batch, (self.step, BATCH.1));
            if !matches!(more, Ok(true)) {
                self.feed = None;
            }
            self.failure = more.err();
            self.step = (2 * self.step).min(BATCH.0);
        }
        Ok(())
    }
}

impl Cursor for FeedCursor {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        let own = &self.shared.resolved.ranges;
        let clipped: Vec<Range> = own.iter().filter_map(|own| own.clip(range)).collect();
        self.feed = Some(Feed::new(&self.shared, families, clipped, None)?);
        self.batch.clear();
        self.failure = None;
        (self.at, self.step) = (0, FIRST);
        self.settle()
    }

    #[inline]
    fn top(&self) -> Option<CellRef<'_>> {
        (self.at < self.batch.len()).then(|| self.batch.view().cell(self.at))
    }

    #[inline]
    fn advance(&mut self) -> Result<()> {
        self.at += 1;
        if self.at >= self.batch.len() {
            self.settle()?;
        }
        Ok(())
    }

    fn fork(&self) -> Source {
        Box::new(FeedCursor::new(&self.shared))
    }
}
