//! The cells of a table as one snapshot holds them: the trees of its locality groups, merged.
//!
//! Nothing is hidden or dropped here: delete markers and all versions come out, for the stages above.

use std::sync::Arc;

use super::level::LevelCursor;
use super::mapped::Snapshot;
use super::plan::Tree;
use super::{Level, TreeId, Watch};
use crate::cells::{CellRef, Range};
use crate::stages::{Cursor, Families};
use crate::Result;

/// A merge of trees; at fully equal keys the delta comes before the base.
#[derive(Debug)]
pub struct TreeCursor {
    /// Newer before older.
    levels: Vec<LevelCursor>,
    top: Option<usize>,
}

impl TreeCursor {
    /// The locality groups of a table that a scan needs.
    pub fn new(snapshot: &Arc<Snapshot>, trees: &[TreeId]) -> TreeCursor {
        let level =
            |level| move |&tree: &TreeId| LevelCursor::new(Tree::new(snapshot, tree, level));
        let deltas = trees.iter().map(level(Level::Delta));
        TreeCursor {
            levels: deltas.chain(trees.iter().map(level(Level::Base))).collect(),
            top: None,
        }
    }

    /// The same, watched: it counts, and ends when it is told to.
    pub fn watched(mut self, watch: &Arc<Watch>) -> TreeCursor {
        for level in &mut self.levels {
            level.watch(watch);
        }
        self
    }

    /// The same, told which families a tree can hold: it is left alone where none is wanted.
    pub fn holding(mut self, tree: TreeId, families: &Families) -> TreeCursor {
        for level in &mut self.levels {
            level.holds(tree, families);
        }
        self
    }

    /// Lets it read another snapshot of the same store from the next seek on.
    pub fn renew(&mut self, snapshot: &Arc<Snapshot>) {
        self.top = None;
        for level in &mut self.levels {
            level.renew(snapshot);
        }
    }

    fn pick(&mut self) {
        let mut best: Option<(usize, CellRef<'_>)> = None;
        for (place, level) in self.levels.iter().enumerate() {
            let Some(cell) = level.top() else {
                continue;
            };
            if best.as_ref().is_none_or(|(_, least)| cell.key < least.key) {
                best = Some((place, cell));
            }
        }
        self.top = best.map(|(place, _)| place);
    }
}

impl Cursor for TreeCursor {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.top = None;
        for level in &mut self.levels {
            level.seek(range, families)?;
        }
        self.pick();
        Ok(())
    }

    fn top(&self) -> Option<CellRef<'_>> {
        self.levels.get(self.top?)?.top()
    }

    fn advance(&mut self) -> Result<()> {
        if let Some(level) = self.top.and_then(|top| self.levels.get_mut(top)) {
            level.advance()?;
            self.pick();
        }
        Ok(())
    }

    fn fork(&self) -> Box<dyn Cursor + Send> {
        Box::new(TreeCursor {
            levels: self.levels.iter().map(LevelCursor::fork).collect(),
            top: None,
        })
    }
}
