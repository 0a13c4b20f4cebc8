//! The stages of a merge on the cells of some rows, counted one by one.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use crate::cells::{CellRef, Range};
use crate::plan::Plan;
use crate::scan::resolve_priorities;
use crate::settings::Settings;
use crate::stages::elements::read_aggregate;
use crate::stages::{
    build_stack, find_stage, Cursor, Families, Scope, Source, StageContext, StageSpec,
};
use crate::tree::{Run, RunCursor};
use crate::{Error, Result};

/// How many cells one stage was given and passed on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StageCount {
    pub name: String,
    pub cells_in: u64,
    pub cells_out: u64,
}

/// The merge-scope stages of a table, in their places.
pub(super) struct MergeStack {
    stages: Vec<StageSpec>,
    context: StageContext,
}

impl MergeStack {
    pub fn new(settings: &Settings, now: i64) -> Result<MergeStack> {
        let mut context = StageContext {
            scope: Scope::Full,
            now,
            ..StageContext::default()
        };
        for (name, plan) in &settings.plans {
            context.plans.give(name, plan.clone());
        }
        let stages = resolve_priorities(settings.stages(true))?;
        Ok(MergeStack { stages, context })
    }

    /// Counts that nothing went into yet.
    pub fn no_counts(&self) -> Vec<StageCount> {
        let named = |stage: &StageSpec| StageCount {
            name: stage.name.clone(),
            ..StageCount::default()
        };
        self.stages.iter().map(named).collect()
    }

    /// Whether a stage may give cells of other rows than it was given.
    pub fn moves_rows(&self) -> bool {
        let moves = |stage: &StageSpec| matches!(stage.name.as_str(), "roll-up" | "decode");
        self.stages.iter().any(moves)
    }

    /// Whether a cell that is no delete marker and has a column to itself passes as it is.
    pub fn passes_lone(&self) -> bool {
        let passes = |stage: &StageSpec| matches!(stage.name.as_str(), "versions" | "aggregate");
        self.stages.iter().all(passes)
    }

    /// The plan of the `aggregate` that is the only stage; nothing where there are others.
    pub fn aggregates(&self) -> Result<Option<Arc<Plan>>> {
        match self.stages.as_slice() {
            [only] if only.name == "aggregate" => {
                read_aggregate(&only.options, &mut self.context.clone()).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Refuses a clock that cannot be right, where stages remove cells for ever.
    pub fn check_clock(&self, table: &str, settings: &Settings, newest: Option<i64>) -> Result<()> {
        let removes = |stage: &StageSpec| {
            stage.name != "versions" && find_stage(&stage.name).is_ok_and(|kind| !kind.combines)
        };
        let (Some(newest), true) = (newest, self.stages.iter().any(removes)) else {
            return Ok(());
        };
        let now = self.context.now;
        if now < newest {
            return Err(Error::Usage(format!(
                "the merge of table '{table}' removes cells and its clock, {now}, is older than \
                 the newest commit, {newest}"
            )));
        }
        let ahead = now.saturating_sub(newest);
        match settings.max_clock_jump {
            Some(jump) if ahead > jump => Err(Error::Usage(format!(
                "the merge of table '{table}' removes cells and its clock, {now}, is {ahead} ahead \
                 of the newest commit; max_clock_jump is {jump}"
            ))),
            _ => Ok(()),
        }
    }

    /// Puts the stages on the raw cells of a range.
    pub fn put_on(&self, cells: Source, range: &Range) -> Result<(Source, Counters)> {
        let mut context = self.context.clone();
        let raw = Counter::default();
        let cells = Box::new(Counted::new(cells, &raw));
        let mut cells = build_stack(cells, &[], &mut context, &[], b"")?;
        let mut counts = Vec::with_capacity(self.stages.len());
        // Such a stage takes every cell once, so they can be counted as they pass by.
        let passes = |stage: &StageSpec| stage.name == "versions";
        let stream = self.stages.iter().all(passes);
        for stage in &self.stages {
            let (before, after) = (Counter::default(), Counter::default());
            if !stream {
                // A stage that seeks would not pass by what it leaves out.
                let run = collect(cells, range)?;
                before.add(run.len() as u64);
                cells = Box::new(RunCursor::new(Arc::new(run)));
            } else {
                cells = Box::new(Counted::new(cells, &before));
            }
            cells = (find_stage(&stage.name)?.build)(cells, &stage.options, &mut context)?;
            cells = Box::new(Counted::new(cells, &after));
            counts.push((stage.name.clone(), before, after));
        }
        Ok((cells, Counters { raw, counts }))
    }
}

/// All cells of a range as a run.
fn collect(mut cells: Source, range: &Range) -> Result<Run> {
    cells.seek(range, &Families::default())?;
    let mut run = Run::default();
    while let Some(cell) = cells.top() {
        run.push(&cell, 0);
        cells.advance()?;
    }
    Ok(run)
}

/// What went through a stack.
pub(super) struct Counters {
    pub raw: Counter,
    counts: Vec<(String, Counter, Counter)>,
}

impl Counters {
    /// Adds to the counts of the same stages.
    pub fn add_to(&self, stages: &mut Vec<StageCount>) {
        for (place, (name, before, after)) in self.counts.iter().enumerate() {
            if stages.get(place).is_none_or(|held| held.name != *name) {
                // The settings changed during the merge.
                stages.insert(
                    place.min(stages.len()),
                    StageCount {
                        name: name.clone(),
                        ..StageCount::default()
                    },
                );
            }
            if let Some(count) = stages.get_mut(place) {
                count.cells_in += before.cells();
                count.cells_out += after.cells();
            }
        }
    }
}

/// How many cells went by.
#[derive(Debug, Clone, Default)]
pub(super) struct Counter(Arc<[AtomicU64; 2]>);

impl Counter {
    pub fn cells(&self) -> u64 {
        self.0[0].load(Ordering::Relaxed)
    }

    pub fn markers(&self) -> u64 {
        self.0[1].load(Ordering::Relaxed)
    }

    fn add(&self, cells: u64) {
        self.0[0].fetch_add(cells, Ordering::Relaxed);
    }

    fn count(&self, marker: bool) {
        self.add(1);
        if marker {
            self.0[1].fetch_add(1, Ordering::Relaxed);
        }
    }

    fn restart(&self) {
        self.0[0].store(0, Ordering::Relaxed);
        self.0[1].store(0, Ordering::Relaxed);
    }
}

/// Counts the cells that are taken from it since it was last sought.
struct Counted {
    source: Source,
    counter: Counter,
}

impl Counted {
    fn new(source: Source, counter: &Counter) -> Counted {
        Counted {
            source,
            counter: counter.clone(),
        }
    }
}

impl Cursor for Counted {
    fn seek(&mut self, range: &Range, families: &Families) -> Result<()> {
        self.counter.restart();
        self.source.seek(range, families)
    }

    fn top(&self) -> Option<CellRef<'_>> {
        self.source.top()
    }

    fn advance(&mut self) -> Result<()> {
        if let Some(cell) = self.source.top() {
            self.counter.count(cell.key.deleted);
        }
        self.source.advance()
    }

    fn fork(&self) -> Source {
        // A second cursor is read for its own sake: it must not count.
        self.source.fork()
    }
}
