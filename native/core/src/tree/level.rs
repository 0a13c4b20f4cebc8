//! A cursor over one tree: block after block, only within a range and only wanted families.

use std::collections::VecDeque;
use std::ops::Bound;
use std::sync::Arc;

use super::keys::{named, prefix, PREFIX, STEM};
use super::mapped::{Entry, Mapped, Snapshot};
use super::overflow::{self, Reference};
use super::plan::Tree;
use super::sort_key::sort_key;
use super::{Level, TreeId, Watch};
use crate::block::{Block, CellCursor, Page, RowCursor};
use crate::cells::{CellRef, Key, Range};
use crate::stages::Families;
use crate::Result;

/// The most blocks that are looked up at once.
const AHEAD: usize = 32;

/// Cells of one tree, in order.
#[derive(Debug)]
pub(super) struct LevelCursor {
    tree: Tree,
    /// The families that the tree can hold, and those that are wanted.
    held: Families,
    families: Families,
    /// Where the range ends, if it does.
    last: Option<Key>,
    last_inclusive: bool,
    /// The block it is in; kept behind the end of a range, because the next may start in it.
    page: Option<Page<Mapped>>,
    key: Vec<u8>,
    /// Whether it stands on a cell.
    live: bool,
    cursor: CellCursor,
    rows: RowCursor,
    /// The first cell of the block that lies behind the range.
    end: usize,
    /// Whether each family of the block is wanted; empty when all are.
    wanted: Vec<bool>,
    /// Whether one step to the next cell is all that moving on takes, within `end`.
    plain: bool,
    value: Vec<u8>,
    has_value: bool,
    scratch: Vec<u8>,
    ahead: VecDeque<Entry>,
    step: usize,
    /// Whether no later block can lie in the range.
    done: bool,
    /// Whether the tree is known to have no block.
    empty: bool,
    watch: Option<Arc<Watch>>,
}

impl LevelCursor {
    pub fn new(tree: Tree) -> LevelCursor {
        LevelCursor {
            tree,
            held: Families::default(),
            families: Families::default(),
            last: None,
            last_inclusive: true,
            page: None,
            key: Vec::new(),
            live: false,
            cursor: CellCursor::default(),
            rows: RowCursor::default(),
            end: 0,
            wanted: Vec::new(),
            plain: true,
            value: Vec::new(),
            has_value: false,
            scratch: Vec::new(),
            ahead: VecDeque::new(),
            step: 1,
            done: true,
            empty: false,
            watch: None,
        }
    }

    /// Reads another snapshot from the next seek on.
    pub fn renew(&mut self, snapshot: &Arc<Snapshot>) {
        if Arc::ptr_eq(&self.tree.snapshot, snapshot) {
            return;
        }
        self.page = None;
        self.live = false;
        self.empty = false;
        self.ahead.clear();
        self.tree.snapshot = Arc::clone(snapshot);
    }

    pub fn watch(&mut self, watch: &Arc<Watch>) {
        self.watch = Some(Arc::clone(watch));
    }

    /// The families that the tree can hold.
    pub fn hold(&mut self, families: &Families) {
        self.held.clone_from(families);
    }

    /// Whether it reads this tree.
    pub fn is_of(&self, tree: TreeId, level: Level) -> bool {
        self.tree.prefix == prefix(tree, level)
    }

    pub fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.live = false;
        if self.empty {
            return Ok(());
        }
        if self.families != *families {
            self.families.clone_from(families);
            self.page = None;
        }
        if !self.held.meets(families) {
            return Ok(());
        }
        match (&mut self.last, &range.end) {
            (Some(last), Some(end)) => last.assign(&end.as_ref()),
            (last, end) => last.clone_from(end),
        }
        self.last_inclusive = range.end_inclusive;
        if self.starts_here(range) {
            self.bound()?;
        } else {
            let entry = match &range.start {
                Some(start) => self.tree.locate(&start.as_ref(), &mut self.scratch)?,
                None => self.tree.first()?,
            };
            self.ahead.clear();
            self.step = 1;
            self.page = None;
            match entry {
                Some(entry) => self.open(entry)?,
                None => {
                    self.empty = true;
                    return Ok(());
                }
            }
        }
        let entered = self.enter(range).map_err(named(&self.key))?;
        self.settle(entered)
    }

    /// Whether a range starts in the block that is open, as far as that is quickly seen.
    fn starts_here(&mut self, range: &Range) -> bool {
        let (Some(page), Some(start)) = (&self.page, &range.start) else {
            return false;
        };
        // The place of a block in a chain is not in its key.
        let separator = self.key.get(PREFIX..).unwrap_or_default();
        if separator.len() > STEM || !page.block().reaches_row(&start.row).unwrap_or_default() {
            return false;
        }
        sort_key(&start.as_ref(), &mut self.scratch);
        separator <= self.scratch.as_slice()
    }

    /// Whether it stands on a cell.
    #[inline]
    pub fn is_live(&self) -> bool {
        self.live
    }

    /// The cells that follow in its block as far as the range goes: all wanted, no value elsewhere.
    pub fn stretch(&mut self) -> Option<InBlock<'_>> {
        let plain = self.live && self.plain && self.cursor.index() + 1 < self.end;
        let block = self.page.as_ref().filter(|_| plain)?.block();
        Some(InBlock {
            block,
            cursor: &mut self.cursor,
            end: self.end,
            key: &self.key,
        })
    }

    #[inline]
    pub fn top(&self) -> Option<CellRef<'_>> {
        if !self.live {
            return None;
        }
        let block = self.page.as_ref()?.block();
        let mut cell = self.cursor.cell(&block);
        if self.has_value {
            cell.value = &self.value;
        }
        Some(cell)
    }

    #[inline]
    pub fn advance(&mut self) -> Result<()> {
        let (true, Some(page)) = (self.live, &self.page) else {
            return Ok(());
        };
        if self.plain && self.cursor.index() + 1 < self.end {
            return match self.cursor.advance(&page.block()) {
                Ok(_) => Ok(()),
                Err(error) => Err(named(&self.key)(error)),
            };
        }
        self.settle(self.cursor.index() + 1)
    }

    /// Places the cursor on the first cell of the open block that is not before the range, and finds where
    /// the range ends in it; gives the number of that cell.
    fn enter(&mut self, range: &Range) -> Result<usize> {
        let Some(page) = &self.page else {
            return Ok(0);
        };
        let block = page.block();
        let mut more = match &range.start {
            Some(start) => self.cursor.seek_key(&block, &start.as_ref())?,
            None => self.cursor.seek(&block, 0)?,
        };
        if let Some(start) = range.start.as_ref().filter(|_| !range.start_inclusive) {
            while more && self.cursor.cell(&block).key == start.as_ref() {
                more = self.cursor.advance(&block)?;
            }
        }
        let first = self.cursor.index();
        self.note(first);
        Ok(first)
    }

    /// Goes to the first wanted cell from `cell` of this block on, also in later blocks.
    fn settle(&mut self, mut cell: usize) -> Result<()> {
        while let Some(page) = &self.page {
            let block = page.block();
            match find(&block, &self.wanted, cell, self.end).map_err(named(&self.key))? {
                Some(found) => {
                    // The next cell is a step; anything else is a search.
                    let moved = match found.checked_sub(self.cursor.index()) {
                        Some(0) => Ok(true),
                        Some(1) => self.cursor.advance(&block),
                        _ => self.cursor.seek(&block, found),
                    };
                    moved.map_err(named(&self.key))?;
                    self.live = true;
                    return self.load_value();
                }
                None if self.done => break,
                None => {
                    self.open_next()?;
                    cell = 0;
                }
            }
        }
        self.live = false;
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
        let Some(entry) = self.ahead.pop_front() else {
            self.done = true;
            self.page = None;
            return Ok(());
        };
        self.open(entry)?;
        if let Some(page) = &self.page {
            let placed = self.cursor.seek(&page.block(), 0);
            placed.map_err(named(&self.key))?;
            self.note(0);
        }
        Ok(())
    }

    /// Counts the cells of the block from `start` on that lie in the range.
    fn note(&self, start: usize) {
        if let Some(watch) = &self.watch {
            watch.entered(self.end.saturating_sub(start));
        }
    }

    fn open(&mut self, entry: Entry) -> Result<()> {
        if let Some(watch) = &self.watch {
            watch.opened()?;
        }
        let page = Page::open(entry.bytes).map_err(named(&entry.key))?;
        self.key = entry.key;
        self.judge(&page.block()).map_err(named(&self.key))?;
        self.plain = self.wanted.is_empty() && !page.block().has_references();
        self.has_value = false;
        self.page = Some(page);
        self.bound()
    }

    /// Finds where the range ends in the open block.
    fn bound(&mut self) -> Result<()> {
        let Some(page) = &self.page else {
            return Ok(());
        };
        let block = page.block();
        self.end = match &self.last {
            Some(last) => end_of(&block, last, self.last_inclusive, &mut self.rows)
                .map_err(named(&self.key))?,
            None => block.cells(),
        };
        self.done = self.end < block.cells();
        Ok(())
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

/// Cells of one block, one behind the other, from the one that `cursor` stands on.
pub(crate) struct InBlock<'a> {
    pub block: Block<'a>,
    pub cursor: &'a mut CellCursor,
    /// The first cell that is not part of it.
    pub end: usize,
    key: &'a [u8],
}

impl InBlock<'_> {
    /// Names the block in an error.
    pub fn name(&self, error: crate::Error) -> crate::Error {
        named(self.key)(error)
    }
}

/// The first cell behind the end of a range.
fn end_of(block: &Block<'_>, last: &Key, inclusive: bool, rows: &mut RowCursor) -> Result<usize> {
    let first = block.lower_bound(&last.as_ref(), rows)?;
    if !inclusive {
        return Ok(first);
    }
    let mut cursor = CellCursor::default();
    let mut more = cursor.seek(block, first)?;
    while more && cursor.cell(block).key == last.as_ref() {
        more = cursor.advance(block)?;
    }
    Ok(cursor.index())
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
