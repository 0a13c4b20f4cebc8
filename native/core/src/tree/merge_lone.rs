//! Merges that leave lone cells as they are: planned by several threads, written by the one that holds the
//! transaction.

use super::draft::Draft;
use super::edit::Editor;
use super::merge::Rows;
use super::weave::Transform;
use super::weave_fold::Folded;
use super::{Level, Store, TreeId, Writer};
use crate::Result;

/// How many cells a merge took and wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Those that passed unread.
    pub lone: u64,
    /// Those that the stages gave, or that were made of several.
    pub given: u64,
    /// Those that one cell was made of, where no stages did.
    pub folded: Folded,
}

impl Store {
    /// Moves the rows of `start_row..end_row` from the delta into the base as they are.
    pub fn merge_as_is(
        &self,
        tree: TreeId,
        start_row: Option<&[u8]>,
        end_row: Option<&[u8]>,
    ) -> Result<()> {
        let mut writer = self.writer()?;
        let same = Transform::Stages(&|cells, _| Ok(cells));
        writer.merge_lone(&[tree], (start_row, end_row), &|_| tree, same)?;
        writer.commit(self.durability())
    }
}

impl Store {
    /// Moves the rows of `start_row..end_row` of neighbouring runs, by their places from the youngest on, into the
    /// oldest of them; gives the number of cells. No reader sees a difference.
    pub fn combine_runs(
        &self,
        tree: TreeId,
        places: std::ops::Range<usize>,
        start_row: Option<&[u8]>,
        end_row: Option<&[u8]>,
    ) -> Result<u64> {
        let mut writer = self.writer()?;
        let runs = writer.snapshot.runs(tree)?;
        let last = places.end.min(runs.len());
        let runs = runs.get(places.start..last).unwrap_or_default();
        let moved = writer.combine(tree, runs, (start_row, end_row))?;
        writer.commit(self.durability())?;
        Ok(moved)
    }
}

impl Writer<'_> {
    /// As [`Writer::merge`], for stages that change nothing but cells that share a column, and delete
    /// markers, and keep them in their column: all other cells are copied unread.
    ///
    /// `transform` is given some of the cells, whole columns each time, by several threads. Gives nothing,
    /// and has changed nothing, where a family is to move to another tree.
    pub fn merge_lone(
        &mut self,
        trees: &[TreeId],
        rows: Rows<'_>,
        route: &(dyn Fn(&[u8]) -> TreeId + Sync),
        transform: Transform<'_>,
    ) -> Result<Option<Merged>> {
        let first = self.store.next_overflow(&self.transaction)?;
        let on = self.store.reading()?;
        let draft = (self.store).plan_lone(on, first, trees, rows, route, transform)?;
        draft.map(|draft| self.apply(draft)).transpose()
    }

    /// Moves some rows of runs into the oldest of them, all cells as they are; gives their number.
    ///
    /// Those of the runs that are left must be neighbours in age, or nothing is done.
    pub(crate) fn combine(&mut self, tree: TreeId, runs: &[Level], rows: Rows<'_>) -> Result<u64> {
        let draft = (self.store).plan_combine(self.store.reading()?, tree, runs, rows)?;
        let merged = draft.map(|draft| self.apply(draft)).transpose()?;
        Ok(merged.unwrap_or_default().lone)
    }

    /// Does what was planned, unless what it was planned on has changed: then nothing. With `may_have_younger`, runs
    /// that came meanwhile change nothing; that is so where cells only move, or none can lie between those that
    /// were combined.
    pub(crate) fn apply_draft(
        &mut self,
        draft: Draft,
        may_have_younger: bool,
    ) -> Result<Option<Merged>> {
        // What was planned on a state that has ended since is as good as outdated.
        let Ok(_guard) = draft.planned_on.enter() else {
            return Ok(None);
        };
        let next = self.store.next_overflow(&self.transaction)?;
        let fits = draft.ids.0 == draft.ids.1 || draft.ids.0 == next;
        if !fits || !draft.holds_in(&self.snapshot, may_have_younger)? {
            return Ok(None);
        }
        self.apply(draft).map(Some)
    }

    fn apply(&mut self, draft: Draft) -> Result<Merged> {
        let _guard = draft.planned_on.enter()?;
        let mut editor = Editor::new(&mut self.transaction, self.store.databases());
        for edit in draft.edits {
            editor.apply(edit)?;
        }
        if draft.ids.0 != draft.ids.1 {
            self.store
                .set_next_overflow(&mut self.transaction, draft.ids.1)?;
        }
        Ok(draft.merged)
    }
}
