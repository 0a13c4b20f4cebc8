//! Merges that leave lone cells as they are: planned by several threads, written by the one that holds the
//! transaction.

use std::sync::atomic::AtomicU64;

use super::counters::Counts;
use super::edit::{Edit, Editor};
use super::keys::PREFIX;
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
        let mut edits = Vec::with_capacity(2 * trees.len());
        for &tree in trees {
            let belongs = |family: &[u8]| route(family) == tree;
            let ranges = self.divide(tree, &range)?;
            let last = ranges.len() - 1;
            let mut parts = Vec::with_capacity(ranges.len());
            for (place, range) in ranges.into_iter().enumerate() {
                let levels = [Level::Base, Level::Delta];
                let touched = levels.map(|level| touched(&self.snapshot, tree, level, &range));
                let [base, delta] = touched;
                let (base, delta) = (base?, delta?);
                parts.push(Part {
                    trees: [base.tree, delta.tree],
                    entries: [base.entries, delta.entries],
                    range,
                    keeps: (place == 0, place == last),
                    packers: [Sizing::Full, Sizing::Roomy].map(|sizing| self.store.packer(sizing)),
                    transform,
                    belongs: &belongs,
                    ids: &ids,
                });
            }
            let mut bases = Vec::with_capacity(parts.len());
            let mut deltas = Vec::with_capacity(parts.len());
            let (mut values, mut freed) = (Vec::new(), Vec::new());
            for woven in weave(parts) {
                let Some(woven) = woven? else {
                    return Ok(None);
                };
                merged.lone += woven.lone;
                merged.given += woven.given;
                bases.push(woven.base);
                deltas.push(woven.delta);
                values.extend(woven.values);
                freed.extend(woven.freed);
            }
            let prefix = |level| Tree::new(&self.snapshot, tree, level).prefix;
            let mut base = join(prefix(Level::Base), bases);
            if !freed.is_empty() {
                let edit = base.get_or_insert_with(Edit::default);
                edit.prefix = prefix(Level::Base);
            }
            if let Some(edit) = &mut base {
                (edit.values, edit.freed) = (values, freed);
            }
            edits.extend(base);
            edits.extend(join(prefix(Level::Delta), deltas));
        }
        let mut editor = Editor::new(&mut self.transaction, self.store.databases());
        for edit in edits {
            editor.apply(edit)?;
        }
        self.store
            .set_next_overflow(&mut self.transaction, ids.into_inner())?;
        Ok(Some(merged))
    }

    /// The range, or the two halves of it, which part at a row.
    fn divide(&self, tree: TreeId, range: &Range) -> Result<Vec<Range>> {
        let mut widest: Option<Touched> = None;
        for level in [Level::Base, Level::Delta] {
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
