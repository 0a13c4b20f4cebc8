//! A cursor over one tree: block after block, only within a range and only wanted families.

use std::collections::VecDeque;
use std::ops::Bound;
use std::sync::Arc;

use super::keys::{named, prefix};
use super::mapped::{Entry, Mapped, Snapshot};
use super::overflow::{self, Reference};
use super::plan::Tree;
use super::{Level, TreeId, Watch};
use crate::block::{Block, CellCursor, Page, RowCursor};
use crate::cells::{CellRef, Range};
use crate::stages::Families;
use crate::Result;

/// The most blocks that are looked up at once.
const AHEAD: usize = 32;

/// Cells of one tree, in order.
#[derive(Debug)]
pub(super) struct LevelCursor {
    tree: Tree,
    range: Range,
    families: Families,
    page: Option<Page<Mapped>>,
    key: Vec<u8>,
    cursor: CellCursor,
    rows: RowCursor,
    /// The first cell of the block that lies behind the range.
    end: usize,
    /// Whether each family of the block is wanted; empty when all are.
    wanted: Vec<bool>,
    value: Vec<u8>,
    has_value: bool,
    /// Whether the cell cursor stands in this block.
    placed: bool,
    ahead: VecDeque<Entry>,
    step: usize,
    done: bool,
    watch: Option<Arc<Watch>>,
    /// The families that the tree can hold.
    held: Families,
}

impl LevelCursor {
    pub fn new(tree: Tree) -> LevelCursor {
        LevelCursor {
            tree,
            range: Range::default(),
            families: Families::default(),
            page: None,
            key: Vec::new(),
            cursor: CellCursor::default(),
            rows: RowCursor::default(),
            end: 0,
            wanted: Vec::new(),
            value: Vec::new(),
            has_value: false,
            placed: false,
            ahead: VecDeque::new(),
            step: 1,
            done: true,
            watch: None,
            held: Families::default(),
        }
    }

    pub fn fork(&self) -> LevelCursor {
        let mut fork = LevelCursor::new(self.tree.clone());
        fork.watch.clone_from(&self.watch);
        fork.held.clone_from(&self.held);
        fork
    }

    pub fn renew(&mut self, snapshot: &Arc<Snapshot>) {
        self.page = None;
        self.ahead.clear();
        self.tree.snapshot = Arc::clone(snapshot);
    }

    pub fn watch(&mut self, watch: &Arc<Watch>) {
        self.watch = Some(Arc::clone(watch));
    }

    pub fn holds(&mut self, tree: TreeId, families: &Families) {
        if self.tree.prefix == prefix(tree, Level::Base)
            || self.tree.prefix == prefix(tree, Level::Delta)
        {
            self.held.clone_from(families);
        }
    }

    pub fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.range.clone_from(range);
        self.families.clone_from(families);
        self.page = None;
        self.ahead.clear();
        self.step = 1;
        self.done = !self.held.meets(families);
        if self.done {
            return Ok(());
        }
        let entry = match &range.start {
            Some(start) => self.tree.locate(&start.as_ref(), &mut self.value)?,
            None => self.tree.first()?,
        };
        let Some(entry) = entry else {
            self.done = true;
            return Ok(());
        };
        self.open(entry)?;
        let start = self.skip_before().map_err(named(&self.key))?;
        self.note(start);
        self.settle(start)
    }

    #[inline]
    pub fn top(&self) -> Option<CellRef<'_>> {
        let block = self.page.as_ref()?.block();
        let mut cell = self.cursor.cell(&block);
        if self.has_value {
            cell.value = &self.value;
        }
        Some(cell)
    }

    #[inline]
    pub fn advance(&mut self) -> Result<()> {
        let Some(page) = &self.page else {
            return Ok(());
        };
        let block = page.block();
        if self.cursor.index() + 1 < self.end && self.wanted.is_empty() && !block.has_references() {
            return match self.cursor.advance(&block) {
                Ok(_) => Ok(()),
                Err(error) => Err(named(&self.key)(error)),
            };
        }
        self.settle(self.cursor.index() + 1)
    }

    /// The first cell of the block that is not before the range.
    fn skip_before(&mut self) -> Result<usize> {
        let (Some(page), Some(start)) = (&self.page, &self.range.start) else {
            return Ok(0);
        };
        let block = page.block();
        let first = block.lower_bound(&start.as_ref(), &mut self.rows)?;
        let mut more = !self.range.start_inclusive && self.cursor.seek(&block, first)?;
        while more && self.cursor.cell(&block).key == start.as_ref() {
            more = self.cursor.advance(&block)?;
        }
        Ok(if self.range.start_inclusive {
            first
        } else {
            self.cursor.index().max(first)
        })
    }

    /// Goes to the first wanted cell from `cell` of this block on, also in later blocks.
    fn settle(&mut self, mut cell: usize) -> Result<()> {
        while let Some(page) = &self.page {
            let block = page.block();
            match find(&block, &self.wanted, cell, self.end).map_err(named(&self.key))? {
                Some(found) => {
                    // The next cell is a step; anything else, also a new block, is a search.
                    let step = self.placed && found == self.cursor.index() + 1;
                    let moved = match step {
                        true => self.cursor.advance(&block),
                        false => self.cursor.seek(&block, found),
                    };
                    self.placed = true;
                    moved.map_err(named(&self.key))?;
                    return self.load_value();
                }
                None if self.done => self.page = None,
                None => {
                    self.open_next()?;
                    self.note(0);
                    cell = 0;
                }
            }
        }
        Ok(())
    }

    fn load_value(&mut self) -> Result<()> {
        self.has_value = false;
        let Some(page) = &self.page else {
            return Ok(());
        };
        let block = page.block();
        if block.is_reference(self.cursor.index()) {
            let reference = Reference::read(self.cursor.cell(&block).value);
            let reference = reference.map_err(named(&self.key))?;
            overflow::get(&self.tree.snapshot, &reference, &mut self.value)
                .map_err(named(&self.key))?;
            self.has_value = true;
        }
        Ok(())
    }

    fn open_next(&mut self) -> Result<()> {
        if self.ahead.is_empty() {
            let (cells, ahead) = (self.tree.snapshot.databases().cells, &mut self.ahead);
            let from = Bound::Excluded(self.key.as_slice());
            self.tree
                .snapshot
                .from(cells, from, &self.tree.prefix, self.step, |entry| {
                    ahead.push_back(entry)
                })?;
            self.step = (self.step * 2).min(AHEAD);
        }
        match self.ahead.pop_front() {
            Some(entry) => self.open(entry),
            None => {
                self.page = None;
                self.done = true;
                Ok(())
            }
        }
    }

    /// Counts the cells of the block from `start` on that lie in the range.
    fn note(&self, start: usize) {
        if let (Some(watch), Some(_)) = (&self.watch, &self.page) {
            watch.entered(self.end.saturating_sub(start));
        }
    }

    fn open(&mut self, entry: Entry) -> Result<()> {
        if let Some(watch) = &self.watch {
            watch.opened()?;
        }
        let page = Page::open(entry.bytes).map_err(named(&entry.key))?;
        self.key = entry.key;
        let block = page.block();
        self.end = self.end_of(&block).map_err(named(&self.key))?;
        self.done = self.end < block.cells();
        self.judge(&block).map_err(named(&self.key))?;
        self.page = Some(page);
        self.placed = false;
        Ok(())
    }

    fn end_of(&mut self, block: &Block<'_>) -> Result<usize> {
        let Some(end) = &self.range.end else {
            return Ok(block.cells());
        };
        let first = block.lower_bound(&end.as_ref(), &mut self.rows)?;
        if !self.range.end_inclusive || !self.cursor.seek(block, first)? {
            return Ok(first);
        }
        while self.cursor.cell(block).key == end.as_ref() {
            if !self.cursor.advance(block)? {
                break;
            }
        }
        Ok(self.cursor.index())
    }

    fn judge(&mut self, block: &Block<'_>) -> Result<()> {
        self.wanted.clear();
        if self.families.names.is_empty() && !self.families.inclusive {
            return Ok(());
        }
        let families = block.families();
        for code in 0..families.entries().unwrap_or_default() {
            let family = families.entry(block.body(), code)?.of(block.body());
            self.wanted.push(self.families.wants(family));
        }
        if self.wanted.iter().all(|&wanted| wanted) {
            self.wanted.clear();
        }
        Ok(())
    }
}

/// The first cell of a wanted family in `start..end`.
fn find(block: &Block<'_>, wanted: &[bool], start: usize, end: usize) -> Result<Option<usize>> {
    if wanted.is_empty() {
        return Ok((start < end).then_some(start));
    }
    if !wanted.contains(&true) {
        return Ok(None);
    }
    for cell in start..end {
        let code = block.families().code(block.body(), cell)?;
        if wanted.get(code).copied().unwrap_or_default() {
            return Ok(Some(cell));
        }
    }
    Ok(None)
}
