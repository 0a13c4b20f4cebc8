//! One thread's share of a column scan.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::coded::Coded;
use super::elements::Elements;
use super::figures::Figures;
use super::merged::{same_column, Merged};
use super::overlap::{Overlap, Pair, Portion};
use super::parts::Part;
use super::program::{Program, Versions};
use super::repeats::Repeats;
use super::{Counters, Request, Step, Stop};
use crate::block::{Block, RowCursor};
use crate::cells::Key;
use crate::tree::{Blocks, Level, OpenBlock};
use crate::visibility::{LabelCache, View, Visibility};
use crate::Result;

pub struct Worker<'p> {
    program: &'p Program,
    request: &'p Request<'p>,
    counters: &'p Counters,
    labels: LabelCache,
    coded: Coded<'p>,
    elements: Elements<'p>,
    rows: RowCursor,
    repeats: Repeats,
    merged: Merged,
    /// Whether labels that cannot be parsed can be seen, which no roll-up merges.
    checks_labels: bool,
    pairs: Vec<Pair>,
    pub figures: Figures,
}

impl<'p> Worker<'p> {
    pub fn new(
        program: &'p Program,
        request: &'p Request<'p>,
        counters: &'p Counters,
    ) -> Worker<'p> {
        let label = request.default_visibility;
        Worker {
            program,
            request,
            counters,
            labels: LabelCache::new(request.view.clone(), label, LabelCache::LIMIT_BYTES),
            coded: Coded::new(program),
            elements: Elements::new(program),
            rows: RowCursor::default(),
            repeats: Repeats::default(),
            merged: Merged::default(),
            checks_labels: program.merges_labels && matches!(request.view, View::All),
            pairs: Vec::new(),
            figures: Figures::new(program),
        }
    }

    /// Adds the cells of a part; `check` is asked before each block.
    pub fn read(&mut self, part: &Part, check: &(dyn Fn() -> Result<()> + Sync)) -> Step<()> {
        let mut portion = match &part.other {
            Some(level) => self.portion(part, *level)?,
            None => Portion::default(),
        };
        let blocks = Blocks::new(self.request.snapshot, part.tree, part.level);
        let tells = self.program.tells_versions;
        if tells {
            let before = match part.is_first {
                true => None,
                false => blocks.before(&part.stretch)?,
            };
            let before = before.as_ref().map(OpenBlock::block);
            match self.program.merges_labels {
                true => self.start_merged(before.as_ref(), &mut portion)?,
                false => self.repeats.start(before.as_ref())?,
            }
        }
        let mut overlap = Overlap::new(self.program.merges_labels);
        let mut failure = None;
        blocks.each(&part.stretch, |open, ahead| {
            check()?;
            self.coded.ahead = ahead;
            match self.read_primary(part, &open, &mut overlap, &mut portion) {
                Ok(more) => Ok(more),
                Err(stop) => {
                    let stop = match stop {
                        Stop::Failed(error) => Stop::Failed(open.name(error)),
                        stop => stop,
                    };
                    failure = Some(stop);
                    Ok(false)
                }
            }
        })?;
        if let Some(stop) = failure {
            return Err(stop);
        }
        for held in &portion.blocks {
            let block = held.open.block();
            let how = self.open(&block, held.cells.clone())?;
            self.read_block(how, &block, held.cells.clone(), &held.repeats)?;
        }
        Ok(())
    }

    fn read_primary(
        &mut self,
        part: &Part,
        open: &OpenBlock,
        overlap: &mut Overlap,
        portion: &mut Portion,
    ) -> Step<bool> {
        let block = open.block();
        let start = match &part.start {
            Some(key) => block.lower_bound(&key.as_ref(), &mut self.rows)?,
            None => 0,
        };
        let end = match &part.end {
            Some(key) => block.lower_bound(&key.as_ref(), &mut self.rows)?,
            None => block.cells(),
        };
        let how = self.open(&block, start..end.max(start))?;
        let mut marks = Vec::new();
        if self.program.tells_versions && self.program.merges_labels {
            if how == How::Coded && part.other.is_none() && !self.coded.shares_rows() {
                let coded = &self.coded;
                self.merged
                    .mark_lone(&block, |cell| coded.is_visible(cell))?;
                marks = std::mem::take(&mut self.merged.marks);
            } else if how != How::Skipped {
                self.mark_merged(how, &block, start..end.max(start))?;
                marks = std::mem::take(&mut self.merged.marks);
                let mut pairs = std::mem::take(&mut self.pairs);
                overlap.walk(portion, &block, &marks, false, &mut pairs)?;
                for &((number, theirs), _) in &pairs {
                    portion.mark(number, theirs);
                }
                self.pairs = pairs;
            }
            let read = self.read_block(how, &block, start..end.max(start), &marks);
            self.merged.marks = marks;
            read?;
            return Ok(end == block.cells());
        }
        if self.program.tells_versions {
            self.repeats.carry(&block)?;
            match how {
                How::Coded => self.coded.mark_repeats(&mut self.repeats.marks),
                How::Elements => self.repeats.mark(&block)?,
                How::Skipped => {}
            }
            marks = std::mem::take(&mut self.repeats.marks);
            if part.other.is_some() && how != How::Skipped {
                let mut pairs = std::mem::take(&mut self.pairs);
                let carried = overlap.at_start && marks.first() == Some(&true);
                overlap.walk(portion, &block, &marks, carried, &mut pairs)?;
                for &(theirs, mine) in &pairs {
                    if carried && mine == 0 && self.program.versions == Versions::Newest {
                        return Err(Stop::Unfit);
                    }
                    self.mark_later(part, &block, mine, &mut marks, portion, theirs)?;
                }
                self.pairs = pairs;
            }
            overlap.at_start = false;
        }
        let read = self.read_block(how, &block, start..end.max(start), &marks);
        self.repeats.marks = marks;
        read?;
        Ok(end == block.cells())
    }

    /// Starts behind a block: what was counted there is not counted again, in neither tree.
    fn start_merged(&mut self, before: Option<&Block<'_>>, portion: &mut Portion) -> Step<()> {
        let Some(before) = before else {
            self.merged.start();
            return Ok(());
        };
        self.judge(before)?;
        let elements = &self.elements;
        let visible = |cell: usize| elements.is_visible(before, cell);
        self.merged.start_behind(before, visible)?;
        match self.merged.last() {
            Some(element) => Ok(portion.mark_first(element)?),
            None => Ok(()),
        }
    }

    /// Marks the cells of a block of which another one counts.
    fn mark_merged(&mut self, how: How, block: &Block<'_>, cells: Range<usize>) -> Step<()> {
        let (coded, elements) = (&self.coded, &self.elements);
        match how {
            How::Coded => {
                let visible = |cell: usize| Ok(coded.is_visible(cell));
                let same = |one: usize, other: usize| Ok(coded.same_column(one, other));
                self.merged.mark(block, visible, same)?;
            }
            How::Elements | How::Skipped => {
                let visible =
                    |cell: usize| Ok(cells.contains(&cell) && elements.is_visible(block, cell)?);
                let same = |one: usize, other: usize| same_column(block, one, other);
                self.merged.mark(block, visible, same)?;
            }
        }
        Ok(())
    }

    /// Judges families and labels of a block that is read element by element; `false` where nothing is asked for.
    fn judge(&mut self, block: &Block<'_>) -> Step<bool> {
        let (families, labels) = (self.request.families, &mut self.labels);
        let wanted = |family: &[u8]| families.wants(family);
        let mut odd = false;
        let checks = self.checks_labels;
        let visible = |label: &[u8]| {
            odd |= checks && Visibility::parse(label).is_err();
            labels.can_see(label)
        };
        let any = self.elements.judge(block, wanted, visible)?;
        match odd {
            true => Err(Stop::Unfit),
            false => Ok(any),
        }
    }

    /// Of one column in both trees, marks the one that is not the first version.
    fn mark_later(
        &self,
        part: &Part,
        block: &Block<'_>,
        mine: usize,
        marks: &mut [bool],
        portion: &mut Portion,
        (number, theirs): (u32, u32),
    ) -> Step<()> {
        let Some(held) = portion.blocks.get_mut(number as usize) else {
            return Ok(());
        };
        let other = held.open.block();
        let my_time = block.times().get(block.body(), mine)?;
        let their_time = other.times().get(other.body(), theirs as usize)?;
        // At equal times the younger tree is first.
        let first = my_time > their_time || (my_time == their_time && part.is_younger);
        let mark = if first || self.program.versions == Versions::Combined {
            held.repeats.get_mut(theirs as usize)
        } else {
            marks.get_mut(mine)
        };
        if let Some(mark) = mark {
            *mark = true;
        }
        Ok(())
    }

    /// The cells of the other tree that lie in a part.
    fn portion(&mut self, part: &Part, level: Level) -> Step<Portion> {
        let mut portion = Portion::default();
        let (start, end) = (&part.other_start, &part.other_end);
        let blocks = Blocks::new(self.request.snapshot, part.tree, level);
        if self.program.merges_labels {
            return self.merged_portion(part, &blocks);
        }
        self.repeats.start(None)?;
        let (repeats, rows) = (&mut self.repeats, &mut self.rows);
        let mut bound = |block: &Block<'_>, key: &Option<Key>, none: usize| match key {
            Some(key) => block.lower_bound(&key.as_ref(), rows),
            None => Ok(none),
        };
        blocks.each_from(start.as_ref().map(Key::as_ref).as_ref(), |open| {
            let block = open.block();
            let first = bound(&block, start, 0).map_err(|error| open.name(error))?;
            let last = bound(&block, end, block.cells()).map_err(|error| open.name(error))?;
            let marked = repeats.carry(&block).and_then(|()| repeats.mark(&block));
            marked.map_err(|error| open.name(error))?;
            let more = last == block.cells();
            let marks = std::mem::take(&mut repeats.marks);
            portion.push(open, first..last.max(first), marks)?;
            Ok(more)
        })?;
        Ok(portion)
    }

    /// The same where labels are merged.
    fn merged_portion(&mut self, part: &Part, blocks: &Blocks) -> Step<Portion> {
        let mut portion = Portion::default();
        let (start, end) = (&part.other_start, &part.other_end);
        let mut failure = None;
        self.merged.start();
        blocks.each_from(start.as_ref().map(Key::as_ref).as_ref(), |open| {
            let block = open.block();
            let first = self.bound(&block, start, 0);
            let last = self.bound(&block, end, block.cells());
            let (first, last) = (
                first.map_err(|error| open.name(error))?,
                last.map_err(|error| open.name(error))?,
            );
            let cells = first..last.max(first);
            let marked = self.judge(&block);
            let marked =
                marked.and_then(|_| self.mark_merged(How::Elements, &block, cells.clone()));
            if let Err(stop) = marked {
                failure = Some(stop);
                return Ok(false);
            }
            let more = last == block.cells();
            let marks = std::mem::take(&mut self.merged.marks);
            portion.push(open, cells, marks)?;
            Ok(more)
        })?;
        match failure {
            Some(stop) => Err(stop),
            None => Ok(portion),
        }
    }

    /// The first cell of a block at a key or behind it.
    fn bound(&mut self, block: &Block<'_>, key: &Option<Key>, none: usize) -> Result<usize> {
        match key {
            Some(key) => block.lower_bound(&key.as_ref(), &mut self.rows),
            None => Ok(none),
        }
    }

    /// Decides how a block is read, and judges its families and labels.
    fn open(&mut self, block: &Block<'_>, cells: Range<usize>) -> Step<How> {
        if cells.is_empty() {
            return Ok(How::Skipped);
        }
        if block.has_deletes() || block.has_references() {
            return Err(Stop::Unfit);
        }
        let count = |counter: &AtomicU64| counter.fetch_add(1, Ordering::Relaxed);
        let (families, labels) = (self.request.families, &mut self.labels);
        let wanted = |family: &[u8]| families.wants(family);
        let (mut odd, checks) = (false, self.checks_labels);
        let visible = |label: &[u8]| {
            odd |= checks && Visibility::parse(label).is_err();
            labels.can_see(label)
        };
        if self.program.coded && self.coded.memo.suits(block) {
            let any = self.coded.memo.load(block, wanted, visible)?;
            if odd {
                return Err(Stop::Unfit);
            }
            if any {
                count(&self.counters.coded_blocks);
                self.coded.open(block, cells)?;
                return Ok(How::Coded);
            }
        } else if self.judge(block)? {
            count(&self.counters.element_blocks);
            return Ok(How::Elements);
        }
        count(&self.counters.skipped_blocks);
        Ok(How::Skipped)
    }

    fn read_block(
        &mut self,
        how: How,
        block: &Block<'_>,
        cells: Range<usize>,
        repeats: &[bool],
    ) -> Step<()> {
        let figures = &mut self.figures;
        match how {
            How::Skipped => Ok(()),
            How::Coded => {
                let at_once = self.coded.read(block, repeats, figures)?;
                let counter = &self.counters.blocks_at_once;
                counter.fetch_add(u64::from(at_once), Ordering::Relaxed);
                Ok(())
            }
            How::Elements => self.elements.read(block, cells, repeats, figures),
        }
    }
}

/// How a block is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// Nothing of it is wanted or visible.
    Skipped,
    Coded,
    Elements,
}
