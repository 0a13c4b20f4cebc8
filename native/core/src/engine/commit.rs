//! One transaction of commits: each is judged and gets its timestamp, then all are written at once.
//!
//! The transaction also takes what is buffered in this process, as older commits: so the order of the store is the
//! order in which this process saw them. Where others have committed meanwhile they get new timestamps.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::buffer::{join_small, Frozen, Tables};
use super::catalog::Catalog;
use super::clock;
use super::constraints::check_batch;
use super::definition::Definition;
use super::log::Touched;
use super::retime;
use super::snapshot::COMMITS;
use super::stamps::{Stamps, Wanted};
use super::state::{state_key, State};
use super::{EngineSnapshot, Inner, MutationBatch, Turn};
use crate::cells::{CellRef, Range};
use crate::guard::Directory;
use crate::settings::TimeUnit;
use crate::tree::{self, sort_batch, Batch, Run, Snapshot, TreeId};
use crate::visibility;
use crate::{Error, Result};

/// A commit to be judged: cells by table.
pub(super) struct Request<'r, 'a> {
    pub batches: Vec<(&'r str, MutationBatch<'a>)>,
    /// The cells of each batch in their order, where that does not depend on the time of the commit; else nothing.
    pub sorted: Vec<Option<Vec<CellRef<'a>>>>,
    pub unchanged: Option<(&'r EngineSnapshot, &'r [(String, Range)])>,
    pub writer: &'r visibility::View,
    /// The catalog by which the constraints were checked already.
    pub checked: Option<u64>,
}

/// What an accepted commit writes to one table, sorted.
pub(super) struct Accepted<'a> {
    pub table: u32,
    pub cells: Vec<CellRef<'a>>,
}

/// A transaction of commits. Dropped without `finish`, it leaves nothing, and the buffer as it was.
pub(super) struct Commit<'s, 'a> {
    pub(super) inner: &'s Inner,
    pub catalog: Arc<Catalog>,
    /// Before the writer: it comes back, where it does, before the next writer can freeze it again.
    frozen: Frozen<'s>,
    /// What is frozen, as it is to be stored.
    pub(super) buffered: Arc<Tables>,
    writer: Turn<'s>,
    stamps: Stamps<'s>,
    states: HashMap<u32, State>,
    pub(super) accepted: Vec<Accepted<'a>>,
    /// Of each table that was asked for, the accepted cells as runs.
    joined: HashMap<u32, Joined>,
    /// The newest commit timestamp.
    newest: Option<i64>,
}

/// Accepted commits as runs, and how many they are.
#[derive(Default)]
struct Joined {
    runs: Vec<Arc<Run>>,
    taken: usize,
}

impl<'s, 'a> Commit<'s, 'a> {
    pub fn begin(
        inner: &'s Inner,
        directory: &'s Arc<Directory>,
        doing: &str,
        wanted: &Wanted<'_>,
    ) -> Result<Commit<'s, 'a>> {
        let writer = inner.turn(directory, doing)?;
        let catalog = inner.catalogs.of(writer.snapshot())?;
        let last = writer.get_number(b"last-commit")?.map(|last| last as i64);
        let mut states = HashMap::new();
        // The clock of this process stands still until the frozen commits and the new ones have their times.
        let (frozen, mut held) = Frozen::new(&inner.buffer, writer.number());
        let named = wanted.commits.iter().flatten();
        let named = named.filter_map(|name| Some(catalog.find(name).ok()?.id));
        for table in frozen.tables.tables.keys().copied().chain(named) {
            states.insert(table, State::read(writer.get(&state_key(table))?)?);
        }
        let buffered = retime::behind(&frozen.tables, last, &states, &catalog, &mut held);
        let newest = last.max(buffered.newest);
        let stamps = Stamps::take(&inner.buffer, &mut held, wanted, &catalog, newest, &states);
        drop(held);
        for (table, pending) in &buffered.tables {
            if let Some(state) = states.get_mut(table) {
                state.last = state.last.max(pending.last);
                state.markers += pending.markers;
            }
        }
        Ok(Commit {
            inner,
            catalog,
            newest,
            stamps,
            writer,
            frozen,
            buffered,
            states,
            accepted: Vec::new(),
            joined: HashMap::new(),
        })
    }

    /// The timestamp that the next commit will get.
    pub fn coming(&self) -> Result<i64> {
        self.stamps.coming().ok_or_else(too_many)
    }

    /// Judges a commit and takes it; gives its timestamp.
    pub fn add(&mut self, request: Request<'_, 'a>) -> Result<i64> {
        let mut found = Vec::with_capacity(request.batches.len());
        for (name, batch) in &request.batches {
            let definition = Arc::clone(self.catalog.find(name)?);
            if request.checked != Some(self.catalog.version) {
                check_batch(name, &definition.settings, batch, request.writer)?;
            }
            found.push((definition, batch));
        }
        if let Some((snapshot, ranges)) = request.unchanged {
            self.check_unchanged(snapshot, ranges)?;
        }
        let timestamp = self.stamps.next().ok_or_else(too_many)?;
        self.newest = Some(timestamp);
        let mut sorted = request.sorted.into_iter();
        for (definition, batch) in found {
            self.take(&definition, batch, sorted.next().flatten(), timestamp)?;
        }
        Ok(timestamp)
    }

    fn take(
        &mut self,
        definition: &Definition,
        batch: &MutationBatch<'a>,
        sorted: Option<Vec<CellRef<'a>>>,
        timestamp: i64,
    ) -> Result<()> {
        if batch.cells.is_empty() {
            return Ok(());
        }
        let table = definition.id;
        let time = match definition.settings.time_unit {
            TimeUnit::Micros => timestamp,
            _ => self.stamps.next_of(table).ok_or_else(too_many)?,
        };
        let state = self.state(table)?;
        state.last = Some(time);
        state.client_timed |= batch.is_client_timed();
        state.markers += batch.markers();
        let cells = match sorted {
            Some(mut cells) => {
                batch.stamp(&mut cells, time);
                cells
            }
            None => {
                let mut cells = batch.at(time);
                sort_batch(&mut cells);
                cells
            }
        };
        self.accepted.push(Accepted { table, cells });
        Ok(())
    }

    /// The newest commit timestamp.
    pub fn newest(&self) -> Option<i64> {
        self.newest
    }

    /// The state that the transaction started from.
    pub fn snapshot(&self) -> &Arc<Snapshot> {
        self.writer.snapshot()
    }

    /// The newest commit of a table, and what is to be written to it so far, oldest first.
    pub fn table(&mut self, table: u32) -> Result<(Option<i64>, Vec<Arc<Run>>)> {
        let last = self.state(table)?.last;
        let pending = self.buffered.tables.get(&table);
        let mut runs = pending.map_or_else(Vec::new, |pending| pending.runs.clone());
        let joined = self.joined.entry(table).or_default();
        let own = self.accepted.iter().filter(|held| held.table == table);
        for accepted in own.skip(joined.taken) {
            joined.runs.push(Arc::new(Run::sorted(&accepted.cells)));
            join_small(&mut joined.runs);
            joined.taken += 1;
        }
        runs.extend(joined.runs.iter().cloned());
        Ok((last, runs))
    }

    fn state(&mut self, table: u32) -> Result<&mut State> {
        match self.states.entry(table) {
            std::collections::hash_map::Entry::Occupied(held) => Ok(held.into_mut()),
            std::collections::hash_map::Entry::Vacant(free) => {
                let stored = self.writer.get(&state_key(table))?;
                Ok(free.insert(State::read(stored)?))
            }
        }
    }

    /// Writes everything that was taken.
    pub fn finish(mut self, durability: tree::Durability) -> Result<()> {
        let buffered = Arc::clone(&self.buffered);
        let by_id: HashMap<u32, Arc<Definition>> = self
            .catalog
            .tables
            .values()
            .map(|definition| (definition.id, Arc::clone(definition)))
            .collect();
        let mut tables: BTreeMap<u32, Vec<Vec<CellRef<'_>>>> = BTreeMap::new();
        let mut touched = Touched::new(self.inner.id, clock::micros(None));
        for (table, pending) in &buffered.tables {
            for run in &pending.runs {
                let keys =
                    (0..run.len()).filter_map(|at| Some((run.cell(at)?.key, run.commit(at))));
                touched.add(*table, run.len(), keys);
                tables.entry(*table).or_default().push(run.iter().collect());
            }
        }
        for accepted in self.accepted.drain(..) {
            touched.add_cells(accepted.table, &accepted.cells);
            let cells = accepted.cells;
            tables.entry(accepted.table).or_default().push(cells);
        }
        let mut trees = Vec::new();
        for (table, parts) in tables {
            // A table that another process dropped takes its buffered commits with it.
            if let Some(definition) = by_id.get(&table) {
                trees.extend(by_tree(definition, in_order(parts)));
            }
        }
        let batches: Vec<Batch<'_>> = trees
            .iter()
            .map(|(tree, cells)| Batch { tree: *tree, cells })
            .collect();
        self.writer.write(&batches)?;
        for (table, state) in &self.states {
            if by_id.contains_key(table) {
                self.writer.put(&state_key(*table), &state.write())?;
            }
        }
        if !touched.is_empty() {
            let commit = self.writer.get_number(COMMITS)?.unwrap_or_default() + 1;
            self.writer.put_number(COMMITS, commit)?;
            let age = self.inner.options.max_snapshot_age.as_micros() as i64;
            let oldest = clock::micros(None).saturating_sub(age);
            touched.write(&mut self.writer, commit, oldest)?;
        }
        if let Some(newest) = self.newest {
            self.writer.note_commit(newest)?;
        }
        // The right to write is kept until the buffer knows: the next writer freezes it again.
        let _guard = self.writer.commit_and_stay(durability)?;
        self.frozen.done();
        Ok(())
    }
}

fn too_many() -> Error {
    Error::Store("a transaction has more commits than it began with".into())
}

/// Sorted parts, older first, as one; at fully equal keys newer cells come first.
fn in_order<'a>(mut parts: Vec<Vec<CellRef<'a>>>) -> Vec<CellRef<'a>> {
    if parts.len() == 1 {
        return parts.pop().unwrap_or_default();
    }
    let written = parts.iter().flat_map(|part| part.iter().rev().copied());
    let mut all: Vec<CellRef<'a>> = written.collect();
    sort_batch(&mut all);
    all
}

/// Sorted cells by the tree they belong to.
fn by_tree<'a>(
    definition: &Definition,
    cells: Vec<CellRef<'a>>,
) -> Vec<(TreeId, Vec<CellRef<'a>>)> {
    if definition.groups.len() == 1 {
        return vec![(definition.tree_of(b""), cells)];
    }
    // Cells of one family come together, as a rule.
    let same = |left: &CellRef<'_>, right: &CellRef<'_>| left.key.family == right.key.family;
    let tree = |part: &[CellRef<'a>]| match part.first() {
        Some(cell) => definition.tree_of(cell.key.family),
        None => definition.tree_of(b""),
    };
    let first = tree(&cells);
    if cells.chunk_by(same).all(|part| tree(part) == first) {
        return vec![(first, cells)];
    }
    let mut trees: BTreeMap<TreeId, Vec<CellRef<'a>>> = BTreeMap::new();
    for part in cells.chunk_by(same) {
        trees.entry(tree(part)).or_default().extend_from_slice(part);
    }
    trees.into_iter().collect()
}
