//! The blocks of one tree, for readers that take columns instead of cells.
//!
//! Blocks are found in stretches of some tens, so that threads can share the work; each is checked when it is opened.

use std::ops::Bound;
use std::sync::Arc;

use super::ahead::Ahead;
use super::keys::named;
use super::mapped::{Entry, Mapped, Snapshot};
use super::plan::{first_key, Start, Tree};
use super::{Level, TreeId};
use crate::block::{Block, Page};
use crate::cells::{Key, KeyRef};
use crate::{Error, Result};

/// Some blocks of a tree that follow one another.
#[derive(Debug, Clone)]
pub struct BlockSpan {
    first: Vec<u8>,
    count: usize,
}

/// The blocks of one level of a locality group.
#[derive(Debug, Clone)]
pub struct Blocks {
    tree: Tree,
}

/// A block whose checksum was right.
#[derive(Debug)]
pub struct OpenBlock {
    key: Vec<u8>,
    page: Page<Mapped>,
}

impl OpenBlock {
    fn open(entry: Entry) -> Result<OpenBlock> {
        let page = Page::open(entry.bytes).map_err(named(&entry.key))?;
        let key = entry.key;
        Ok(OpenBlock { key, page })
    }

    /// Its cells.
    pub fn block(&self) -> Block<'_> {
        self.page.block()
    }

    /// Adds its name to an error about its bytes.
    pub fn name(&self, error: Error) -> Error {
        named(&self.key)(error)
    }
}

impl Blocks {
    pub fn new(snapshot: &Arc<Snapshot>, tree: TreeId, level: Level) -> Blocks {
        Blocks {
            tree: Tree::new(snapshot, tree, level),
        }
    }

    /// The blocks that can hold keys from `start` up to `end`, in stretches of at most `count`.
    pub fn stretches(
        &self,
        start: Option<&Key>,
        end: Option<&Key>,
        count: usize,
    ) -> Result<Vec<BlockSpan>> {
        let mut scratch = Vec::new();
        let first = match start {
            Some(key) => self.tree.locate(&key.as_ref(), &mut scratch)?,
            None => self.tree.first()?,
        };
        let Some(first) = first else {
            return Ok(Vec::new());
        };
        let mut from = first.key;
        let mut stretches = Vec::new();
        loop {
            let (mut found, mut next) = (0, None);
            let mut failure = Ok(());
            self.walk(Bound::Included(&from), count + 1, |entry| {
                let is_beyond = match end.filter(|_| found > 0) {
                    None => Ok(false),
                    Some(end) => {
                        Start::of(&entry).map(|start| start.is_behind(&end.as_ref(), &mut scratch))
                    }
                };
                match is_beyond {
                    Ok(true) if next.is_none() => next = Some(None),
                    Err(error) if failure.is_ok() => failure = Err(error),
                    Ok(false) if next.is_none() && failure.is_ok() => {
                        if found == count {
                            next = Some(Some(entry.key));
                        } else {
                            found += 1;
                        }
                    }
                    _ => {}
                }
            })?;
            failure?;
            let first = std::mem::take(&mut from);
            stretches.push(BlockSpan {
                first,
                count: found,
            });
            match next.flatten() {
                Some(key) => from = key,
                None => return Ok(stretches),
            }
        }
    }

    /// Opens the blocks of a stretch, one after the other, until `visit` gives `false`. It also gets the next one, to ask for
    /// its bytes while it works.
    pub fn each(
        &self,
        stretch: &BlockSpan,
        mut visit: impl FnMut(OpenBlock, Ahead) -> Result<bool>,
    ) -> Result<()> {
        let mut entries = Vec::with_capacity(stretch.count);
        self.walk(Bound::Included(&stretch.first), stretch.count, |entry| {
            entries.push(entry)
        })?;
        let mut entries = entries.into_iter().peekable();
        while let Some(entry) = entries.next() {
            let ahead = Ahead::of(entries.peek().map(|next| next.bytes.clone()));
            if !visit(OpenBlock::open(entry)?, ahead)? {
                break;
            }
        }
        Ok(())
    }

    /// Opens blocks from the one that `key` belongs to on, or from the first, until `visit` gives `false`.
    pub fn each_from(
        &self,
        key: Option<&KeyRef<'_>>,
        mut visit: impl FnMut(OpenBlock) -> Result<bool>,
    ) -> Result<()> {
        let first = match key {
            Some(key) => self.tree.locate(key, &mut Vec::new())?,
            None => self.tree.first()?,
        };
        let mut next = first;
        while let Some(entry) = next {
            let open = OpenBlock::open(entry)?;
            let key = open.key.clone();
            if !visit(open)? {
                break;
            }
            next = self.tree.next(&key)?;
        }
        Ok(())
    }

    /// The block that `key` belongs to.
    pub fn locate(&self, key: &KeyRef<'_>) -> Result<Option<OpenBlock>> {
        let found = self.tree.locate(key, &mut Vec::new())?;
        found.map(OpenBlock::open).transpose()
    }

    /// The block behind another.
    pub fn next(&self, open: &OpenBlock) -> Result<Option<OpenBlock>> {
        let found = self.tree.next(&open.key)?;
        found.map(OpenBlock::open).transpose()
    }

    /// The key of the first cell of a stretch.
    pub fn first_key(&self, stretch: &BlockSpan) -> Result<Key> {
        let mut key = Ok(Key::default());
        self.walk(Bound::Included(&stretch.first), 1, |entry| {
            key = first_key(&entry);
        })?;
        key
    }

    /// The block before a stretch.
    pub fn before(&self, stretch: &BlockSpan) -> Result<Option<OpenBlock>> {
        let before = self.tree.snapshot.before(&stretch.first)?;
        let before = before.filter(|entry| entry.key.starts_with(&self.tree.prefix));
        before.map(OpenBlock::open).transpose()
    }

    /// Whether there are no blocks.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.tree.first()?.is_none())
    }

    fn walk(&self, from: Bound<&[u8]>, count: usize, take: impl FnMut(Entry)) -> Result<()> {
        let cells = self.tree.snapshot.databases().cells;
        self.tree
            .snapshot
            .from(cells, from, &self.tree.prefix, count, take)
    }
}
