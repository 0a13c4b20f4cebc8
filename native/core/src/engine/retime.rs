//! Buffered commits that reach the store behind commits of other processes, which were given newer timestamps.
//!
//! A merge of another process takes what is in the store for all there is up to its newest commit, and combines
//! it for ever. So whatever comes later must be newer: these commits get new timestamps, in their order. All their
//! cells have the timestamp of their commit, so all move with it.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::buffer::{Buffer, Tables};
use super::catalog::Catalog;
use super::clock;
use super::state::State;
use crate::tree::Run;

/// The buffered commits as they are to be stored; `stored` is the newest commit of the store, `states` what it knows
/// of their tables.
pub(super) fn behind(
    tables: &Arc<Tables>,
    stored: Option<i64>,
    states: &HashMap<u32, State>,
    catalog: &Catalog,
    buffer: &mut Buffer,
) -> Arc<Tables> {
    let last = |table: &u32| states.get(table).and_then(|state| state.last);
    // Two commits can have one time in a table's unit, whichever has the later timestamp.
    let mut parts = tables.tables.iter();
    let is_behind = |oldest: Option<i64>, newest: Option<i64>| oldest.is_some() && newest >= oldest;
    if !is_behind(tables.oldest, stored)
        && !parts.any(|(table, pending)| is_behind(pending.first, last(table)))
    {
        return Arc::clone(tables);
    }
    let mut commits: BTreeSet<u64> = BTreeSet::new();
    let mut by_table: HashMap<u32, BTreeSet<u64>> = HashMap::new();
    for (table, pending) in &tables.tables {
        let own = by_table.entry(*table).or_default();
        for run in &pending.runs {
            own.extend((0..run.len()).map(|place| run.commit(place)));
        }
        commits.extend(own.iter());
    }
    let mut times: HashMap<(u32, u64), i64> = HashMap::new();
    let mut moved = Tables::clone(tables);
    for commit in commits {
        // As early as can be: right behind the newest.
        let timestamp = buffer.tick(i64::MIN, stored);
        moved.newest = Some(timestamp);
        for definition in catalog.tables.values() {
            let table = definition.id;
            if by_table
                .get(&table)
                .is_some_and(|own| own.contains(&commit))
            {
                let newest = buffer.last(table, last(&table));
                let time = clock::in_unit(timestamp, definition.settings.time_unit, newest);
                buffer.set_last(table, Some(time));
                times.insert((table, commit), time);
            }
        }
    }
    for (table, pending) in &mut moved.tables {
        let time = |commit| times.get(&(*table, commit)).copied();
        let own = by_table.get(table).into_iter().flatten();
        let own: Vec<i64> = own.filter_map(|commit| time(*commit)).collect();
        // A table that is gone has no times; nothing of it is stored.
        (pending.first, pending.last) = (own.first().copied(), own.last().copied());
        for run in &mut pending.runs {
            *run = Arc::new(Run::retimed(run, |commit| time(commit).unwrap_or_default()));
        }
    }
    Arc::new(moved)
}
