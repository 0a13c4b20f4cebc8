//! Merges that leave lone cells as they are: planned by several threads, written by the one that holds the
//! transaction.

use std::sync::atomic::AtomicU64;
use std::sync::Arc;

use super::counters::Counts;
use super::edit::{Edit, Editor};
use super::keys::PREFIX;
use super::mapped::Snapshot;
use super::merge::{row_range, touched, Rows, Touched};
use super::packer::Sizing;
use super::plan::{first_key, Tree};
use super::weave::{Part, Side, Transform, Woven};
use super::{Level, Store, TreeId, Writer};
use crate::cells::{Key, Range};
use crate::{Error, Result};

/// Fewer blocks than this are merged by one thread.
const SEVERAL_THREADS: usize = 8;

/// How many cells a merge took and wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Those that passed unread.
    pub lone: u64,
    /// Those that the stages gave.
    pub given: u64,
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
        writer.merge_lone(&[tree], (start_row, end_row), &|_| tree, &|cells, _| {
            Ok(cells)
        })?;
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
        let range = row_range(rows);
        let ids = AtomicU64::new(self.store.next_overflow(&self.transaction)?);
        let mut merged = Merged::default();
        let mut edits = Vec::new();
        for &tree in trees {
            let mut levels = vec![Level::BASE];
            levels.extend(self.snapshot.runs(tree)?.into_iter().rev());
            let belongs = |family: &[u8]| route(family) == tree;
            let woven = self.weave(tree, &levels, &range, Some(transform), &belongs, &ids)?;
            let Some((counted, own)) = woven else {
                return Ok(None);
            };
            merged.lone += counted.lone;
            merged.given += counted.given;
            edits.extend(own);
        }
        self.apply(edits, ids.into_inner())?;
        Ok(Some(merged))
    }

    /// Moves some rows of runs into the oldest of them, all cells as they are; gives their number.
    ///
    /// Those of the runs that are left must be neighbours in age, or nothing is done.
    pub(crate) fn combine(&mut self, tree: TreeId, runs: &[Level], rows: Rows<'_>) -> Result<u64> {
        let range = row_range(rows);
        let ids = AtomicU64::new(self.store.next_overflow(&self.transaction)?);
        let levels: Vec<Level> = neighbours(&self.snapshot, tree, runs)?;
        if levels.len() < 2 {
            return Ok(0);
        }
        let woven = self.weave(tree, &levels, &range, None, &|_| true, &ids)?;
        let (merged, edits) = woven.unwrap_or_default();
        self.apply(edits, ids.into_inner())?;
        Ok(merged.lone)
    }

    fn apply(&mut self, edits: Vec<Edit<'static>>, next_id: u64) -> Result<()> {
        let mut editor = Editor::new(&mut self.transaction, self.store.databases());
        for edit in edits {
            editor.apply(edit)?;
        }
        self.store.set_next_overflow(&mut self.transaction, next_id)
    }

    /// Weaves a range of some trees of a group, the oldest first, into that one.
    fn weave(
        &self,
        tree: TreeId,
        levels: &[Level],
        range: &Range,
        transform: Option<Transform<'_>>,
        belongs: &(dyn Fn(&[u8]) -> bool + Sync),
        ids: &AtomicU64,
    ) -> Result<Option<(Merged, Vec<Edit<'static>>)>> {
        let ranges = self.divide(tree, levels, range)?;
        let last = ranges.len() - 1;
        let mut parts = Vec::with_capacity(ranges.len());
        for (place, range) in ranges.into_iter().enumerate() {
            let mut entries = Vec::with_capacity(levels.len());
            for &level in levels {
                entries.push(touched(&self.snapshot, tree, level, &range)?.entries);
            }
            parts.push(Part {
                snapshot: &self.snapshot,
                entries,
                range,
                keeps: (place == 0, place == last),
                packers: (levels.iter())
                    .map(|_| self.store.packer(Sizing::Full))
                    .collect(),
                transform,
                belongs,
                ids,
            });
        }
        let mut merged = Merged::default();
        let mut sides: Vec<Vec<Side>> = levels.iter().map(|_| Vec::new()).collect();
        let (mut values, mut freed) = (Vec::new(), Vec::new());
        for woven in weave(parts) {
            let Some(woven) = woven? else {
                return Ok(None);
            };
            merged.lone += woven.lone;
            merged.given += woven.given;
            for (all, side) in sides.iter_mut().zip(woven.sides) {
                all.push(side);
            }
            values.extend(woven.values);
            freed.extend(woven.freed);
        }
        let mut edits = Vec::with_capacity(levels.len());
        for (place, (&level, sides)) in levels.iter().zip(sides).enumerate() {
            let prefix = Tree::new(&self.snapshot, tree, level).prefix;
            let mut edit = join(prefix, sides);
            if place == 0 && !freed.is_empty() {
                edit.get_or_insert_with(Edit::default).prefix = prefix;
            }
            if let (0, Some(edit)) = (place, &mut edit) {
                (edit.values, edit.freed) =
                    (std::mem::take(&mut values), std::mem::take(&mut freed));
            }
            edits.extend(edit);
        }
        Ok(Some((merged, edits)))
    }

    /// The range, or the two halves of it, which part at a row.
    fn divide(&self, tree: TreeId, levels: &[Level], range: &Range) -> Result<Vec<Range>> {
        let mut widest: Option<Touched> = None;
        for &level in levels {
            let found = touched(&self.snapshot, tree, level, range)?;
            let held = widest.as_ref().map_or(0, |held| held.entries.len());
            if widest.is_none() || found.entries.len() > held {
                widest = Some(found);
            }
        }
        let entries = widest.map_or_else(Vec::new, |held| held.entries);
        let middle = entries.get(entries.len() / 2);
        let Some(middle) = middle.filter(|_| entries.len() >= SEVERAL_THREADS) else {
            return Ok(vec![range.clone()]);
        };
        let row = Key::leading(&first_key(middle)?.row, b"", b"", b"");
        if range.is_before(&row.as_ref()) || range.is_beyond(&row.as_ref()) {
            return Ok(vec![range.clone()]);
        }
        let (mut first, mut second) = (range.clone(), range.clone());
        first.end = Some(row.clone());
        second.start = Some(row);
        Ok(vec![first, second])
    }
}

/// Those of some runs that are still there, the oldest first; none where another run lies between them.
fn neighbours(snapshot: &Arc<Snapshot>, tree: TreeId, runs: &[Level]) -> Result<Vec<Level>> {
    let there = snapshot.runs(tree)?;
    let chosen = |run: &Level| runs.contains(run);
    let first = there.iter().position(chosen).unwrap_or_default();
    let rest = there.iter().skip(first);
    let mut found: Vec<Level> = rest.take_while(|run| chosen(run)).copied().collect();
    if there.iter().filter(|run| chosen(run)).count() != found.len() {
        found.clear();
    }
    found.reverse();
    Ok(found)
}

/// Weaves all parts at once, the last one here.
fn weave(mut parts: Vec<Part<'_>>) -> Vec<Result<Option<Woven>>> {
    let here = parts.pop();
    std::thread::scope(|scope| {
        let beside: Vec<_> = parts
            .into_iter()
            .map(|part| scope.spawn(move || part.weave()))
            .collect();
        let here = here.map(Part::weave);
        let died = |_| Err(Error::Unsupported("a thread of the merge died".into()));
        let mut woven: Vec<_> = beside
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(died))
            .collect();
        woven.extend(here);
        woven
    })
}

/// One edit of what became of one level of neighbouring parts; nothing where nothing changed.
fn join(prefix: [u8; PREFIX], sides: Vec<Side>) -> Option<Edit<'static>> {
    if !sides.iter().any(|side| side.changed) {
        return None;
    }
    let mut edit = Edit {
        prefix,
        ..Edit::default()
    };
    let mut removed = Counts::default();
    for side in sides {
        for (key, counts) in side.old {
            // Neighbours both read the block that the row between them lies in.
            if edit.old.last() != Some(&key) {
                removed.add(&counts);
                edit.old.push(key);
            }
        }
        edit.pieces.extend(side.pieces);
        edit.overflow += side.overflow;
    }
    edit.removed = removed;
    Some(edit)
}
