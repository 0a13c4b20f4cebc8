//! The cells of a table as one snapshot holds them: buffered runs and the trees of its locality groups, merged.
//!
//! Nothing is hidden or dropped here: delete markers and all versions come out, for the stages above.

use std::sync::Arc;

use super::level::{InBlock, LevelCursor};
use super::mapped::Snapshot;
use super::plan::Tree;
use super::run::{Run, RunCursor};
use super::{Level, TreeId, Watch};
use crate::cells::{CellRef, Range};
use crate::stages::{Cursor, Families};
use crate::Result;

/// A merge of runs and trees; at fully equal keys a newer run comes first, then the trees in the order they are given
/// in, of each the delta, then the base.
#[derive(Debug)]
pub struct TreeCursor {
    /// Newer before older.
    runs: Vec<RunCursor>,
    levels: Vec<LevelCursor>,
    top: Option<Top>,
}

#[derive(Debug, Clone, Copy)]
enum Top {
    Run(usize),
    Level(usize),
}

impl TreeCursor {
    /// The locality groups of a table that a scan needs.
    pub fn new(snapshot: &Arc<Snapshot>, trees: &[TreeId]) -> TreeCursor {
        TreeCursor::with_runs(snapshot, trees, &[])
    }

    /// As [`TreeCursor::new`], below runs of the same table, which are given oldest first.
    pub fn with_runs(snapshot: &Arc<Snapshot>, trees: &[TreeId], runs: &[Arc<Run>]) -> TreeCursor {
        let levels = |&tree: &TreeId| {
            let level = |level| LevelCursor::new(Tree::new(snapshot, tree, level));
            [Level::Delta, Level::Base].map(level)
        };
        let runs = runs.iter().rev().map(Arc::clone);
        TreeCursor {
            runs: runs.map(RunCursor::new).collect(),
            levels: trees.iter().flat_map(levels).collect(),
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

    /// Lets it read another snapshot of the same store, and other runs, from the next seek on.
    pub fn renew(&mut self, snapshot: &Arc<Snapshot>, runs: &[Arc<Run>]) {
        self.top = None;
        let runs = runs.iter().rev().map(Arc::clone);
        self.runs = runs.map(RunCursor::new).collect();
        for level in &mut self.levels {
            level.renew(snapshot);
        }
    }

    /// What follows in one block, where all other trees and runs are at their end.
    pub(crate) fn stretch(&mut self) -> Option<InBlock<'_>> {
        match self.alone()? {
            Some(Top::Level(place)) => self.levels.get_mut(place)?.stretch(),
            _ => None,
        }
    }

    /// Where the next cell is, if only one tree has any: then nothing is to be compared.
    fn alone(&self) -> Option<Option<Top>> {
        if self.runs.iter().any(|run| run.top().is_some()) {
            return None;
        }
        let mut live = (self.levels.iter().enumerate()).filter(|(_, level)| level.is_live());
        let first = live.next().map(|(place, _)| Top::Level(place));
        live.next().is_none().then_some(first)
    }

    fn pick(&mut self) {
        if let Some(alone) = self.alone() {
            self.top = alone;
            return;
        }
        let mut best: Option<(Top, CellRef<'_>)> = None;
        let mut offer = |place, cell: Option<_>| {
            let Some(cell) = cell else {
                return;
            };
            let cell: CellRef<'_> = cell;
            if best.as_ref().is_none_or(|(_, least)| cell.key < least.key) {
                best = Some((place, cell));
            }
        };
        for (place, run) in self.runs.iter().enumerate() {
            offer(Top::Run(place), run.top());
        }
        for (place, level) in self.levels.iter().enumerate() {
            offer(Top::Level(place), level.top());
        }
        self.top = best.map(|(place, _)| place);
    }
}

impl Cursor for TreeCursor {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.top = None;
        for run in &mut self.runs {
            run.seek(range, families)?;
        }
        for level in &mut self.levels {
            level.seek(range, families)?;
        }
        self.pick();
        Ok(())
    }

    fn top(&self) -> Option<CellRef<'_>> {
        match self.top? {
            Top::Run(place) => self.runs.get(place)?.top(),
            Top::Level(place) => self.levels.get(place)?.top(),
        }
    }

    fn advance(&mut self) -> Result<()> {
        match self.top {
            Some(Top::Run(place)) => match self.runs.get_mut(place) {
                Some(run) => run.advance()?,
                None => return Ok(()),
            },
            Some(Top::Level(place)) => match self.levels.get_mut(place) {
                Some(level) => level.advance()?,
                None => return Ok(()),
            },
            None => return Ok(()),
        }
        self.pick();
        Ok(())
    }

    fn fork(&self) -> Box<dyn Cursor + Send> {
        let runs = self.runs.iter().map(RunCursor::again);
        Box::new(TreeCursor {
            runs: runs.collect(),
            levels: self.levels.iter().map(LevelCursor::fork).collect(),
            top: None,
        })
    }
}
