//! Merging a table for ever: rows after rows, base and delta together, through its merge-scope stages.
//!
//! Each range of rows is a short transaction that leaves a right store, so a merge may stop anywhere and start
//! again. A merge sees every cell of its rows: combining is always safe, and delete markers end in it.
//! `spec/cells.md` sections 4 to 6.

use std::sync::{Arc, Mutex};

use super::background::{lock, stopped};
use super::catalog::put_table;
use super::clock;
use super::definition::Definition;
use super::merge_stages::{MergeStack, StageCount};
use super::merge_step::Step;
use super::state::{state_key, State};
use super::{Engine, Inner};
use crate::settings::Settings;
use crate::tree::{merge_end, next_in_delta, Durability, Snapshot};
use crate::{Error, Result};

/// What a merge did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MergeReport {
    pub table: String,
    /// Whether every row took part.
    pub full: bool,
    pub now: i64,
    pub cells_in: u64,
    pub cells_out: u64,
    pub stages: Vec<StageCount>,
    /// How many transactions it took.
    pub transactions: u64,
}

/// Rows from the first on, without the second; none is infinite.
pub type RowSpan = (Option<Vec<u8>>, Option<Vec<u8>>);

/// Which rows a merge takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// All of them, so that stages see everything.
    All,
    /// Those that have cells in a delta.
    Written,
}

impl Engine {
    /// Merges a table, or some of its rows. `now` is in the table's time unit; none is the clock's.
    pub fn compact(
        &self,
        table: &str,
        rows: Option<RowSpan>,
        now: Option<i64>,
    ) -> Result<MergeReport> {
        self.compact_at(table, rows, now, None)
    }

    /// As [`Engine::compact`], with the clock in microseconds.
    pub fn compact_at(
        &self,
        table: &str,
        rows: Option<RowSpan>,
        now: Option<i64>,
        clock: Option<i64>,
    ) -> Result<MergeReport> {
        self.inner.writable()?;
        self.inner.flush(Durability::Relaxed)?;
        self.inner.merge(table, rows, now, clock, Which::All)
    }
}

impl Inner {
    /// Merges, and takes note of a failure: nobody waits for a merge that started by itself.
    pub(super) fn merge(
        &self,
        table: &str,
        rows: Option<RowSpan>,
        now: Option<i64>,
        clock: Option<i64>,
        which: Which,
    ) -> Result<MergeReport> {
        let id = self.view()?.table(table)?.id;
        let outcome = self.merge_rows(table, rows, now, clock, which);
        self.failures.note(id, &outcome);
        outcome
    }

    fn merge_rows(
        &self,
        table: &str,
        rows: Option<RowSpan>,
        now: Option<i64>,
        clock: Option<i64>,
        which: Which,
    ) -> Result<MergeReport> {
        let stops = self.background.stops();
        let view = self.view()?;
        let info = view.table(table)?;
        let unit = info.settings.time_unit;
        let now = now.unwrap_or_else(|| {
            let newest = view.newest().ok().flatten();
            let micros = clock::merging(clock::micros(clock), newest);
            clock::now_in_unit(micros, unit, info.last)
        });
        let mut report = MergeReport {
            table: table.to_owned(),
            full: rows.is_none(),
            now,
            ..MergeReport::default()
        };
        let stack = MergeStack::new(&info.settings, now)?;
        stack.check_clock(table, &info.settings, info.last)?;
        report.stages = stack.no_counts();
        let (start, end) = rows.unwrap_or_default();
        let mut place = MergePlace {
            start,
            end,
            whole: stack.moves_rows(),
            settings: Arc::clone(&info.settings),
        };
        let (id, generation) = (info.id, info.generation);
        let mut steady = true;
        drop((view, info));
        loop {
            let more = self.merge_some(id, &mut place, which, &mut report)?;
            let Some(now_at) = more else {
                break;
            };
            self.background.step();
            steady &= now_at == generation;
            if place.start.is_none() {
                break;
            }
            if self.background.stops() != stops {
                return Err(stopped());
            }
        }
        if report.full && steady && which == Which::All {
            self.settle_groups(id, generation)?;
        }
        Ok(report)
    }

    /// One transaction of a merge; gives the generation of the table's groups, or nothing when all is done.
    fn merge_some(
        &self,
        table: u32,
        place: &mut MergePlace,
        which: Which,
        report: &mut MergeReport,
    ) -> Result<Option<u64>> {
        let directory = self.writable()?;
        let store = directory.store()?;
        let taken = Mutex::new(Vec::new());
        // Writers go on while a step is planned, and wait for it to be written only.
        let planned = self.step(table, place, which, &store.snapshot()?, report)?;
        let mut draft = None;
        if let Some(step) = planned.as_ref().filter(|step| step.stack.passes_lone()) {
            let route = |family: &[u8]| step.definition.tree_of(family);
            draft = step.transformed(&taken, |transform| {
                store.draft_lone(&step.trees, step.rows(), &route, transform)
            })?;
        }
        let mut writer = self.turn(&directory, "merge")?;
        let snapshot = Arc::clone(writer.snapshot());
        let mut merged = None;
        if let (Some(step), Some(draft)) = (&planned, draft) {
            let catalog = self.catalogs.of(&snapshot)?;
            let mut tables = catalog.tables.values();
            if tables.any(|held| Arc::ptr_eq(held, &step.definition)) {
                // Where times are the engine's, no cell of a younger run can lie between those that were combined.
                let state = State::read(writer.get(&state_key(table))?)?;
                merged = writer.apply_draft(draft, !state.client_timed)?;
            }
        }
        let step = match (planned, merged) {
            (Some(step), Some(_)) => step,
            _ => match self.step(table, place, which, &snapshot, report)? {
                Some(step) => step,
                None => return Ok(None),
            },
        };
        let merged = match merged {
            Some(merged) => merged,
            None => {
                lock(&taken).clear();
                step.merge(&mut writer, &taken)?
            }
        };
        let folded = &merged.folded;
        report.cells_in += merged.lone + folded.cells;
        report.cells_out += merged.lone + merged.given;
        for stage in &mut report.stages {
            stage.cells_in += merged.lone + folded.shown;
            stage.cells_out += merged.lone + folded.into;
        }
        let mut markers = folded.markers;
        for counters in lock(&taken).iter() {
            report.cells_in += counters.raw.cells();
            markers += counters.raw.markers();
            counters.add_to(&mut report.stages);
        }
        if markers > 0 {
            let mut state = State::read(writer.get(&state_key(table))?)?;
            state.markers = state.markers.saturating_sub(markers);
            writer.put(&state_key(table), &state.write())?;
        }
        report.transactions += 1;
        // A merge changes no answer: a power loss may take back its last steps.
        writer.commit(Durability::Relaxed)?;
        place.start = match step.end == place.end {
            true => None,
            false => step.end,
        };
        Ok(Some(step.definition.generation))
    }

    /// What one transaction of a merge is to take; nothing when all is done.
    fn step(
        &self,
        table: u32,
        place: &MergePlace,
        which: Which,
        snapshot: &Arc<Snapshot>,
        report: &MergeReport,
    ) -> Result<Option<Step>> {
        let _guard = snapshot.enter()?;
        let catalog = self.catalogs.of(snapshot)?;
        let named = catalog.tables.values().find(|held| held.id == table);
        let definition = named.ok_or_else(|| catalog.missing(&report.table))?;
        if !definition.settings.same_merges(&place.settings) {
            return Err(Error::Conflict(format!(
                "table '{}' was configured during the merge: what it has merged so far stays, merge again",
                definition.name
            )));
        }
        let trees = definition.trees();
        let mut start = place.start.clone();
        if which == Which::Written {
            match next_in_delta(snapshot, &trees, start.as_deref())? {
                Some(row) if place.is_before_end(&row) => start = Some(row),
                _ => return Ok(None),
            }
        }
        let blocks = self.options.merge.blocks;
        let end = match place.whole {
            true => None,
            false => merge_end(snapshot, &trees, start.as_deref(), blocks)?,
        };
        let end = match (end, &place.end) {
            (Some(end), Some(last)) if end >= *last => place.end.clone(),
            (None, _) => place.end.clone(),
            (end, _) => end,
        };
        Ok(Some(Step {
            stack: MergeStack::new(&definition.settings, report.now)?,
            definition: Arc::clone(definition),
            trees,
            start,
            end,
        }))
    }

    /// Notes that every cell stands where its family belongs, unless the groups changed meanwhile.
    fn settle_groups(&self, table: u32, generation: u64) -> Result<()> {
        let directory = self.writable()?;
        let mut writer = self.turn(&directory, "merge")?;
        let catalog = self.catalogs.of(writer.snapshot())?;
        let same = |held: &&Arc<Definition>| held.id == table && held.generation == generation;
        let Some(definition) = catalog.tables.values().find(same) else {
            return Ok(());
        };
        let mut settled = Definition::clone(definition);
        settled.settle();
        if settled.groups == definition.groups {
            return Ok(());
        }
        put_table(&mut writer, &settled)?;
        writer.commit(Durability::Relaxed)
    }
}

/// How far a merge has come: rows from `start` on, without `end`.
struct MergePlace {
    start: Option<Vec<u8>>,
    end: Option<Vec<u8>>,
    /// Everything in one transaction, because stages move cells to other rows.
    whole: bool,
    /// The settings that it started with, whose clock was checked.
    settings: Arc<Settings>,
}

impl MergePlace {
    fn is_before_end(&self, row: &[u8]) -> bool {
        self.end.as_deref().is_none_or(|end| row < end)
    }
}
