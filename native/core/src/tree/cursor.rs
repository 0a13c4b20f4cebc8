//! The cells of a table as one snapshot holds them: buffered runs and the trees of its locality groups, merged.
//!
//! Nothing is hidden or dropped here: delete markers and all versions come out, for the stages above.

use std::sync::Arc;

use super::level::{InBlock, LevelCursor};
use super::mapped::Snapshot;
use super::plan::Tree;
use super::run::{Run, RunCursor};
use super::{TreeId, Watch};
use crate::cells::{CellRef, Range};
use crate::stages::{Cursor, Families};
use crate::Result;

/// A merge of buffered runs and trees; at fully equal keys a newer run comes first, then the trees in the order they are
/// given in, of each the runs of its delta, the youngest first, then the base.
#[derive(Debug)]
pub struct TreeCursor {
    snapshot: Arc<Snapshot>,
    /// The locality groups, and the families that each can hold.
    trees: Vec<(TreeId, Families)>,
    watch: Option<Arc<Watch>>,
    /// Newer before older.
    runs: Vec<RunCursor>,
    levels: Vec<LevelCursor>,
    /// The state of the store whose trees `levels` are.
    listed: Option<u64>,
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
        let runs = runs.iter().rev().map(Arc::clone);
        TreeCursor {
            snapshot: Arc::clone(snapshot),
            trees: (trees.iter().map(|tree| (*tree, Families::default()))).collect(),
            watch: None,
            runs: runs.map(RunCursor::new).collect(),
            levels: Vec::new(),
            listed: None,
            top: None,
        }
    }

    /// The same, watched: it counts, and ends when it is told to.
    pub fn watched(mut self, watch: &Arc<Watch>) -> TreeCursor {
        self.watch = Some(Arc::clone(watch));
        self.listed = None;
        self
    }

    /// The same, told which families a tree can hold: it is left alone where none is wanted.
    pub fn holding(mut self, tree: TreeId, families: &Families) -> TreeCursor {
        for (held, own) in &mut self.trees {
            if *held == tree {
                own.clone_from(families);
            }
        }
        self.listed = None;
        self
    }

    /// Finds out which trees there are, where that can have changed.
    fn list(&mut self) -> Result<()> {
        let state = self.snapshot.transaction_id();
        if self.listed == Some(state) {
            return Ok(());
        }
        self.listed = None;
        let mut old = std::mem::take(&mut self.levels);
        for (tree, families) in &self.trees {
            for &level in self.snapshot.levels(*tree)?.iter() {
                // One that has read the tree before keeps its buffers.
                let known = old.iter().position(|cursor| cursor.is_of(*tree, level));
                let mut cursor = match known {
                    Some(place) => old.swap_remove(place),
                    None => LevelCursor::new(Tree::new(&self.snapshot, *tree, level)),
                };
                cursor.renew(&self.snapshot);
                cursor.hold(families);
                if let Some(watch) = &self.watch {
                    cursor.watch(watch);
                }
                self.levels.push(cursor);
            }
        }
        self.listed = Some(state);
        Ok(())
    }

    /// Lets it read another snapshot of the same store, and other runs, from the next seek on.
    pub fn renew(&mut self, snapshot: &Arc<Snapshot>, runs: &[Arc<Run>]) {
        self.top = None;
        let runs = runs.iter().rev().map(Arc::clone);
        self.runs = runs.map(RunCursor::new).collect();
        self.snapshot = Arc::clone(snapshot);
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
        self.list()?;
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
            snapshot: Arc::clone(&self.snapshot),
            trees: self.trees.clone(),
            watch: self.watch.clone(),
            runs: runs.collect(),
            levels: Vec::new(),
            listed: None,
            top: None,
        })
    }
}
