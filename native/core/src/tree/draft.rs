//! Merges on paper: what they take away and put in its place, worked out while others may write.
//!
//! A writer waits for nothing but the application of a draft, which is short. Where what it was planned on has changed by
//! then, it is thrown away.

use std::sync::atomic::AtomicU64;
use std::sync::Arc;

use super::counters::Counts;
use super::edit::Edit;
use super::keys::PREFIX;
use super::mapped::{Entry, Reading, Snapshot};
use super::merge::{row_range, touched, Rows, Touched};
use super::merge_lone::Merged;
use super::packer::Sizing;
use super::plan::{first_key, Tree};
use super::weave::{Part, Side, Transform, Woven};
use super::{Level, Store, TreeId};
use crate::cells::{Key, Range};
use crate::{Error, Result};

/// Fewer blocks than this are merged by one thread.
const SEVERAL_THREADS: usize = 8;

/// A merge that was planned on some state, to be applied to that or to a later one.
pub struct Draft {
    /// The state that it was planned on, which nobody keeps from ending meanwhile.
    pub(super) planned_on: Arc<Snapshot>,
    range: Range,
    /// For each tree the levels that it read, the oldest first.
    read: Vec<(TreeId, Vec<Level>)>,
    pub(super) edits: Vec<Edit<'static>>,
    pub(super) merged: Merged,
    /// The first overflow id that it took, and the one behind the last.
    pub(super) ids: (u64, u64),
}

impl Store {
    /// Plans a merge as of now, while others may write: see [`Writer::merge_lone`]. Gives nothing where a family is to
    /// move to another tree.
    pub fn draft_lone(
        &self,
        trees: &[TreeId],
        rows: Rows<'_>,
        route: &(dyn Fn(&[u8]) -> TreeId + Sync),
        transform: Transform<'_>,
    ) -> Result<Option<Draft>> {
        let on = self.reading()?;
        let first = on.meta_number(b"next-overflow")?.unwrap_or_default();
        self.plan_lone(on, first, trees, rows, route, transform)
    }

    /// Plans to combine some runs as of now, while others may write: see [`Writer::combine`].
    pub(crate) fn draft_combine(
        &self,
        tree: TreeId,
        runs: &[Level],
        rows: Rows<'_>,
    ) -> Result<Option<Draft>> {
        self.plan_combine(self.reading()?, tree, runs, rows)
    }

    pub(super) fn plan_lone(
        &self,
        on: Reading,
        first: u64,
        trees: &[TreeId],
        rows: Rows<'_>,
        route: &(dyn Fn(&[u8]) -> TreeId + Sync),
        transform: Transform<'_>,
    ) -> Result<Option<Draft>> {
        let range = row_range(rows);
        let ids = AtomicU64::new(first);
        let mut draft = Draft::new(&on, range);
        for &tree in trees {
            let mut levels = vec![Level::BASE];
            levels.extend(draft.planned_on.runs(tree)?.into_iter().rev());
            let belongs = |family: &[u8]| route(family) == tree;
            if !self.weave(&mut draft, tree, levels, Some(transform), &belongs, &ids)? {
                return Ok(None);
            }
        }
        draft.ids = (first, ids.into_inner());
        Ok(Some(draft))
    }

    pub(super) fn plan_combine(
        &self,
        on: Reading,
        tree: TreeId,
        runs: &[Level],
        rows: Rows<'_>,
    ) -> Result<Option<Draft>> {
        let levels: Vec<Level> = neighbours(&on, tree, runs)?;
        if levels.len() < 2 {
            return Ok(None);
        }
        let mut draft = Draft::new(&on, row_range(rows));
        // Cells move as they are: no value is written anew.
        let woven = self.weave(
            &mut draft,
            tree,
            levels,
            None,
            &|_| true,
            &AtomicU64::new(0),
        )?;
        Ok(woven.then_some(draft))
    }

    /// Weaves a range of some trees of a group, the oldest first, into that one; `false` where a family is to move to
    /// another tree.
    fn weave(
        &self,
        draft: &mut Draft,
        tree: TreeId,
        levels: Vec<Level>,
        transform: Option<Transform<'_>>,
        belongs: &(dyn Fn(&[u8]) -> bool + Sync),
        ids: &AtomicU64,
    ) -> Result<bool> {
        let snapshot = &draft.planned_on;
        let ranges = divide(snapshot, tree, &levels, &draft.range)?;
        let last = ranges.len() - 1;
        let mut parts = Vec::with_capacity(ranges.len());
        for (place, range) in ranges.into_iter().enumerate() {
            let mut entries = Vec::with_capacity(levels.len());
            for &level in &levels {
                entries.push(touched(snapshot, tree, level, &range)?.entries);
            }
            parts.push(Part {
                snapshot,
                entries,
                range,
                keeps: (place == 0, place == last),
                packers: (levels.iter()).map(|_| self.packer(Sizing::Full)).collect(),
                transform,
                belongs,
                ids,
            });
        }
        let mut sides: Vec<Vec<Side>> = levels.iter().map(|_| Vec::new()).collect();
        let (mut values, mut freed) = (Vec::new(), Vec::new());
        for woven in weave(parts) {
            let Some(woven) = woven? else {
                return Ok(false);
            };
            draft.merged.lone += woven.lone;
            draft.merged.given += woven.given;
            draft.merged.folded.add(&woven.folded);
            for (all, side) in sides.iter_mut().zip(woven.sides) {
                all.push(side);
            }
            values.extend(woven.values);
            freed.extend(woven.freed);
        }
        for (place, (&level, sides)) in levels.iter().zip(sides).enumerate() {
            let prefix = Tree::new(&draft.planned_on, tree, level).prefix;
            let mut edit = join(prefix, sides);
            if place == 0 && !freed.is_empty() {
                edit.get_or_insert_with(Edit::default).prefix = prefix;
            }
            if let (0, Some(edit)) = (place, &mut edit) {
                (edit.values, edit.freed) =
                    (std::mem::take(&mut values), std::mem::take(&mut freed));
            }
            draft.edits.extend(edit);
        }
        draft.read.push((tree, levels));
        Ok(true)
    }
}

impl Draft {
    fn new(planned_on: &Arc<Snapshot>, range: Range) -> Draft {
        Draft {
            planned_on: Arc::clone(planned_on),
            range,
            read: Vec::new(),
            edits: Vec::new(),
            merged: Merged::default(),
            ids: (0, 0),
        }
    }

    /// Whether all that it read stands in a later state as it did, and, unless there may be, no younger run beside it.
    pub(super) fn holds_in(&self, now: &Arc<Snapshot>, may_have_younger: bool) -> Result<bool> {
        for (tree, levels) in &self.read {
            let runs = now.runs(*tree)?;
            let is_read = |run: &Level| levels.contains(run);
            // Runs that were not read must be younger than those that were.
            let younger = runs.iter().take_while(|run| !is_read(run)).count();
            let kept = runs
                .iter()
                .skip(younger)
                .take_while(|run| is_read(run))
                .count();
            let known = levels.iter().filter(|level| **level != Level::BASE).count();
            if kept != known || (younger > 0 && !may_have_younger) {
                return Ok(false);
            }
            for &level in levels {
                let before = touched(&self.planned_on, *tree, level, &self.range)?.entries;
                let after = touched(now, *tree, level, &self.range)?.entries;
                let same = |(a, b): (&Entry, &Entry)| a.key == b.key && a.is_same_block(b);
                if before.len() != after.len() || !before.iter().zip(&after).all(same) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// The range, or the two halves of it, which part at a row.
fn divide(
    snapshot: &Arc<Snapshot>,
    tree: TreeId,
    levels: &[Level],
    range: &Range,
) -> Result<Vec<Range>> {
    let mut widest: Option<Touched> = None;
    for &level in levels {
        let found = touched(snapshot, tree, level, range)?;
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::cells::Cell;
    use crate::stages::{Cursor, Families};
    use crate::tree::{Batch, Durability, Options, TreeCursor};

    const TREE: TreeId = TreeId { table: 1, group: 0 };

    fn write(store: &Store, rows: std::ops::Range<u8>, value: u8) {
        let cell = |row| Cell {
            key: Key {
                row: vec![row],
                ..Key::default()
            },
            value: vec![value; 40],
        };
        let cells: Vec<Cell> = rows.map(cell).collect();
        let cells: Vec<_> = cells.iter().map(Cell::as_ref).collect();
        let batch = Batch {
            tree: TREE,
            cells: &cells,
        };
        store.write(&[batch], 1).unwrap();
    }

    /// Rows and values, newest first where keys are equal.
    fn all(store: &Store) -> Vec<(u8, u8)> {
        let snapshot = store.snapshot().unwrap();
        let _guard = snapshot.enter().unwrap();
        let mut cursor = TreeCursor::with_runs(&snapshot, &[TREE], &[]);
        cursor
            .seek(&Range::default(), &Families::default())
            .unwrap();
        let mut cells = Vec::new();
        while let Some(cell) = cursor.top() {
            cells.push((cell.key.row[0], cell.value[0]));
            cursor.advance().unwrap();
        }
        cells
    }

    fn runs(store: &Store) -> Vec<Level> {
        store.snapshot().unwrap().runs(TREE).unwrap()
    }

    /// What comes of a draft when something happens between plan and application.
    fn apply(
        name: &str,
        plan: impl Fn(&Store) -> Draft,
        meanwhile: impl Fn(&Store),
        may_have_younger: bool,
    ) -> (bool, usize) {
        let name = format!("lexigraph-draft-{name}-{}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let options = Options {
            target: 400,
            own_run: 8,
            durability: Durability::Relaxed,
            ..Options::default()
        };
        let store = Store::open(&directory, options).unwrap();
        for value in 0..4 {
            write(&store, 0..60, value);
        }
        let draft = plan(&store);
        meanwhile(&store);
        let before = all(&store);
        let mut writer = store.writer().unwrap();
        let done = writer.apply_draft(draft, may_have_younger).unwrap();
        writer.commit(Durability::Relaxed).unwrap();
        assert_eq!(all(&store), before);
        store.verify().unwrap();
        let left = runs(&store).len();
        drop(store);
        std::fs::remove_dir_all(&directory).unwrap();
        (done.is_some(), left)
    }

    fn combine(store: &Store) -> Draft {
        let draft = store.draft_combine(TREE, &runs(store), (None, None));
        draft.unwrap().unwrap()
    }

    fn merge(store: &Store) -> Draft {
        let same = |cells, _: &Range| Ok(cells);
        let same = Transform::Stages(&same);
        let draft = store.draft_lone(&[TREE], (None, None), &|_| TREE, same);
        draft.unwrap().unwrap()
    }

    #[test]
    fn a_draft_is_applied_where_what_it_read_still_stands() {
        assert_eq!(apply("still", combine, |_| {}, true), (true, 1));
        assert_eq!(apply("merged", merge, |_| {}, false), (true, 0));
        let more = |store: &Store| write(store, 10..50, 9);
        assert_eq!(apply("younger", combine, more, true), (true, 2));
        assert_eq!(apply("merged-younger", merge, more, true), (true, 1));
    }

    #[test]
    fn a_draft_is_dropped_where_what_it_read_has_changed() {
        let more = |store: &Store| write(store, 10..50, 9);
        assert_eq!(apply("alone", merge, more, false), (false, 5));
        // So few cells go into the youngest run, which was read.
        let few = |store: &Store| write(store, 10..11, 9);
        assert_eq!(apply("few", combine, few, true), (false, 4));
        let merged = |store: &Store| store.merge_as_is(TREE, None, Some(&[30])).unwrap();
        assert_eq!(apply("gone", combine, merged, true), (false, 4));
        assert_eq!(apply("gone-merge", merge, merged, true), (false, 4));
    }
}
