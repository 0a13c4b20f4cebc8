//! Conditional writes: change one row only if it still is what the writer thinks it is.
//!
//! Conditions see what a scan of the table with the writer's authorizations sees, one mutation after another,
//! all in one transaction.

use std::sync::Arc;

use super::commit::{Commit, Request};
use super::stamps::Wanted;
use super::{clock, Engine, MutationBatch};
use crate::cells::{Key, Range};
use crate::scan::{self, Input, ScanOptions, Spec};
use crate::visibility::{LabelCache, View, Visibility};
use crate::{Error, Result};

/// One column must have this value, or be absent when no value is given.
#[derive(Debug, Clone, Copy)]
pub struct Condition<'a> {
    pub family: &'a [u8],
    pub qualifier: &'a [u8],
    pub visibility: &'a [u8],
    pub value: Option<&'a [u8]>,
    pub timestamp: Option<i64>,
}

/// Cells of one row that are written together, if every condition holds.
#[derive(Debug, Clone)]
pub struct Conditional<'a> {
    pub row: &'a [u8],
    pub conditions: Vec<Condition<'a>>,
    pub batch: MutationBatch<'a>,
}

/// What became of one conditional mutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Accepted,
    /// A condition did not hold; nothing was written.
    Rejected,
    /// The conditions held, a constraint of the table did not.
    Violated,
    /// A condition names a label that the writer cannot see, so it cannot be judged.
    InvisibleVisibility,
}

impl Engine {
    /// Writes rows whose conditions hold, one after another, each atomically.
    pub fn conditional_write(
        &self,
        table: &str,
        mutations: &[Conditional<'_>],
        writer: &View,
        now: Option<i64>,
    ) -> Result<Vec<Outcome>> {
        let inner = &*self.inner;
        let directory = inner.writable()?;
        let wanted = Wanted {
            now,
            commits: vec![vec![table]; mutations.len()],
        };
        let mut commit = Commit::begin(inner, &directory, "write on conditions", &wanted)?;
        let definition = Arc::clone(commit.catalog.find(table)?);
        let durability = inner.durability_of(&definition.settings);
        let mut outcomes = Vec::with_capacity(mutations.len());
        for mutation in mutations {
            let mut judge = Judge {
                commit: &mut commit,
                table,
                writer,
                now,
            };
            outcomes.push(judge.write(mutation)?);
        }
        if outcomes.contains(&Outcome::Accepted) {
            commit.finish(durability.of_store())?;
            self.inner.after_commit(mutations.len() as u64);
        }
        Ok(outcomes)
    }
}

/// Judges mutations inside of a transaction.
struct Judge<'j, 's, 'a> {
    commit: &'j mut Commit<'s, 'a>,
    table: &'j str,
    writer: &'a View,
    now: Option<i64>,
}

impl<'a> Judge<'_, '_, 'a> {
    fn write(&mut self, mutation: &Conditional<'a>) -> Result<Outcome> {
        let outcome = self.judge(mutation)?;
        if outcome != Outcome::Accepted {
            return Ok(outcome);
        }
        let request = Request {
            batches: vec![(self.table, mutation.batch)],
            sorted: Vec::new(),
            unchanged: None,
            writer: self.writer,
            checked: None,
        };
        match self.commit.add(request) {
            Err(Error::Constraint { .. }) => Ok(Outcome::Violated),
            Err(error) => Err(error),
            Ok(_) => Ok(Outcome::Accepted),
        }
    }

    fn judge(&mut self, mutation: &Conditional<'_>) -> Result<Outcome> {
        let definition = Arc::clone(self.commit.catalog.find(self.table)?);
        let default = &definition.settings.default_visibility;
        let mut labels = LabelCache::new(self.writer.clone(), default, LabelCache::LIMIT_BYTES);
        for condition in &mutation.conditions {
            // The owner sees unparsable labels, yet no condition can be about one.
            let label = condition.visibility;
            if Visibility::parse(label).is_err() || !labels.can_see(label) {
                return Ok(Outcome::InvisibleVisibility);
            }
        }
        if mutation.conditions.is_empty() {
            return Ok(Outcome::Accepted);
        }
        let newest = self.commit.newest();
        let micros = clock::reading(clock::micros(self.now), newest);
        let (last, runs) = self.commit.table(definition.id)?;
        let input = Input {
            snapshot: Arc::clone(self.commit.snapshot()),
            settings: definition.settings.clone(),
            groups: definition.layout.clone(),
            buffered: runs,
            splits: definition.splits.clone(),
            now: clock::now_in_unit(micros, definition.settings.time_unit, last),
        };
        for condition in &mutation.conditions {
            let spec = Spec {
                ranges: vec![condition.range(mutation.row)],
                view: self.writer.clone(),
                ..Spec::default()
            };
            let mut found = scan::open(input.clone(), &spec, &ScanOptions::default())?;
            let first = found.next(1)?;
            let value = first.as_ref().map(|cells| cells.view().value.get(0));
            if value != condition.value {
                return Ok(Outcome::Rejected);
            }
        }
        Ok(Outcome::Accepted)
    }
}

impl Condition<'_> {
    /// The keys that it is about.
    fn range(&self, row: &[u8]) -> Range {
        let parts = [row, self.family, self.qualifier, self.visibility];
        let mut start = Key::leading(row, self.family, self.qualifier, self.visibility);
        let mut end = Key::following(&parts);
        if let Some(timestamp) = self.timestamp {
            start.timestamp = timestamp;
            if let Some(older) = timestamp.checked_sub(1) {
                end = Key {
                    timestamp: older,
                    ..start.clone()
                };
            }
        }
        Range {
            start: Some(start),
            start_inclusive: true,
            end: Some(end),
            end_inclusive: false,
        }
    }
}
