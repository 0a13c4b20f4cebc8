//! One thread's share of a table: ranges read block by block, and by the stages where these must.

use std::sync::Arc;

use super::blocks::BlockReader;
use super::Way;
use crate::cells::{CellColumns, Key, Range};
use crate::columns::{Step, Stop};
use crate::frames::Decoder;
use crate::frames::Frame;
use crate::plan::RowShapes;
use crate::scan::{Give, Serial, Skip};
use crate::tree::{Blocks, OpenBlock, Watch};
use crate::Result;

/// What the stages make at once: cells and bytes.
const BATCH: (usize, usize) = (8192, 1 << 20);

pub struct Reading {
    pub(super) way: Way,
    watch: Arc<Watch>,
    pub(super) decoder: Decoder,
    serial: Serial,
    pub(super) blocks: BlockReader,
    /// Frames that are finished.
    ready: Vec<Frame>,
}

/// A range that is being read.
pub(super) struct Under<'r> {
    pub range: &'r Range,
    /// What is not in a finished frame yet.
    pub rest: Range,
}

impl Reading {
    pub fn new(way: Way, watch: &Arc<Watch>) -> Result<Reading> {
        let shared = &way.shared;
        let families = shared.resolved.families.clone();
        Ok(Reading {
            watch: Arc::clone(watch),
            decoder: Decoder::new(&way.plan, &way.asked, None)?,
            serial: Serial::new(shared.cells(watch)?, families, Vec::new()),
            blocks: BlockReader::new(&way)?,
            ready: Vec::new(),
            way,
        })
    }

    /// Makes the frames of some ranges.
    pub fn make(&mut self, ranges: Vec<Range>, give: Give<'_, Frame>) -> Result<()> {
        for range in &ranges {
            let mut under = Under {
                range,
                rest: range.clone(),
            };
            let read = {
                let _guard = self.way.shared.input.snapshot.enter()?;
                self.read(&mut under)
            };
            // Given without the guard: the caller may take them much later.
            for frame in std::mem::take(&mut self.ready) {
                give(frame)?;
            }
            match read {
                Ok(()) => self.decoder.take().map_or(Ok(()), &mut *give)?,
                Err(Stop::Unfit) => {
                    self.decoder.take();
                    self.blocks.restart();
                    self.stage(under.rest, give)?;
                }
                Err(Stop::Failed(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// Sends a range through the stages.
    fn stage(&mut self, range: Range, give: Give<'_, Frame>) -> Result<()> {
        self.serial.restart(vec![range]);
        let mut more = true;
        while more {
            let mut batch = CellColumns::default();
            let filled = {
                let _guard = self.way.shared.input.snapshot.enter()?;
                let limits = (BATCH.0.min(self.way.rows), BATCH.1);
                let skip = &mut Skip::new(None);
                self.serial.fill(&mut batch, skip, &self.watch, limits)
            };
            if self.decoder.rows.count + batch.len() > self.way.rows {
                self.decoder.take().map_or(Ok(()), &mut *give)?;
            }
            self.decoder.add(batch.view())?;
            more = filled?;
        }
        self.decoder.take().map_or(Ok(()), give)
    }

    /// Sends rows up to and including one through the stages; the table holds what comes before them.
    pub(super) fn stage_rows(
        &mut self,
        start: Key,
        last: &[u8],
        under: &mut Under<'_>,
    ) -> Step<()> {
        let own = Range {
            start: Some(start),
            start_inclusive: true,
            end: Some(Key::following(&[last])),
            end_inclusive: false,
        };
        let Some(own) = under.range.clip(&own) else {
            return Ok(());
        };
        self.serial.restart(vec![own.clone()]);
        let (mut batch, limits) = (
            CellColumns::default(),
            (BATCH.0.min(self.way.rows), BATCH.1),
        );
        let skip = &mut Skip::new(None);
        if self.serial.fill(&mut batch, skip, &self.watch, limits)? {
            // Too many for one frame: the stages go on by themselves.
            return Err(Stop::Unfit);
        }
        if self.decoder.rows.count + batch.len() > self.way.rows {
            self.finish_frame(own.start, under);
        }
        Ok(self.decoder.add(batch.view())?)
    }

    /// Ends a frame; what comes from this key on belongs to the next.
    pub(super) fn finish_frame(&mut self, start: Option<Key>, under: &mut Under<'_>) {
        self.ready.extend(self.decoder.take());
        (under.rest.start, under.rest.start_inclusive) = (start, true);
    }

    fn read(&mut self, under: &mut Under<'_>) -> Step<()> {
        let range = under.range;
        let Some(blocks) = self.only_tree(range)? else {
            return Ok(());
        };
        let plan = Arc::clone(&self.way.plan);
        let mut shapes = RowShapes::new(&plan);
        self.blocks.restart();
        let (mut held, mut outcome): (Option<OpenBlock>, Step<bool>) = (None, Ok(true));
        let mut first = Vec::new();
        let start = range.start.as_ref().map(Key::as_ref);
        blocks.each_from(start.as_ref(), |open| {
            self.watch.check()?;
            let found = self.blocks.first_row(&open.block(), &mut first);
            found.map_err(|error| open.name(error))?;
            if let Some(before) = held.take() {
                outcome = self.read_named(&before, Some(&first), under, &mut shapes);
                if !matches!(outcome, Ok(true)) {
                    return Ok(false);
                }
            }
            let is_beyond = range.is_beyond(&Key::leading(&first, b"", b"", b"").as_ref());
            if !is_beyond {
                held = Some(open);
            }
            Ok(!is_beyond)
        })?;
        outcome?;
        match held {
            Some(last) => self.read_named(&last, None, under, &mut shapes).map(drop),
            None => Ok(()),
        }
    }

    fn read_named(
        &mut self,
        open: &OpenBlock,
        next: Option<&[u8]>,
        under: &mut Under<'_>,
        shapes: &mut RowShapes<'_>,
    ) -> Step<bool> {
        let read = self.read_block(&open.block(), next, under, shapes);
        read.map_err(|stop| match stop {
            Stop::Failed(error) => Stop::Failed(open.name(error)),
            stop => stop,
        })
    }

    /// The one tree that has cells in a range, if any has.
    fn only_tree(&mut self, range: &Range) -> Step<Option<Blocks>> {
        let input = &self.way.shared.input;
        let mut trees = Vec::new();
        let wanted = &self.way.shared.resolved.families;
        let mut groups = input.groups.iter();
        for group in groups.by_ref().filter(|one| one.families.meets(wanted)) {
            for &level in input.snapshot.levels(group.tree)?.iter() {
                trees.push(Blocks::new(&input.snapshot, group.tree, level));
            }
        }
        if trees.len() < 2 {
            return Ok(trees.pop());
        }
        let mut found = None;
        for tree in trees {
            if self.blocks.has_cells(&tree, range)? && found.replace(tree).is_some() {
                return Err(Stop::Unfit);
            }
        }
        Ok(found)
    }
}
