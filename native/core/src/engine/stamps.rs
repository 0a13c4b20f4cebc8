//! Timestamps that a transaction takes before it judges its commits.
//!
//! They are taken while the buffer is frozen: what is buffered later is newer, so no commit of this process overtakes
//! another one. Those that are not used go back, unless the clock went on meanwhile.

use std::collections::{HashMap, VecDeque};
use std::sync::Mutex;

use super::buffer::{self, Buffer};
use super::catalog::Catalog;
use super::clock;
use super::state::State;
use crate::settings::TimeUnit;

/// What a transaction may come to write.
#[derive(Debug, Default)]
pub(super) struct Wanted<'r> {
    /// The clock in microseconds; none is the system's when its turn has come.
    pub now: Option<i64>,
    /// Of each commit, the tables that it names.
    pub commits: Vec<Vec<&'r str>>,
}

/// Times of one clock, in order.
#[derive(Debug)]
struct Taken {
    left: VecDeque<i64>,
    /// What the clock shows if nothing more is used.
    shown: Option<i64>,
    /// What it shows since they were taken.
    newest: i64,
}

impl Taken {
    fn next(&mut self) -> Option<i64> {
        let time = self.left.pop_front();
        self.shown = time.or(self.shown);
        time
    }
}

/// The timestamps of a transaction.
#[derive(Debug)]
pub(super) struct Stamps<'b> {
    buffer: &'b Mutex<Buffer>,
    commits: Option<Taken>,
    /// Those of tables that do not count in microseconds, in their unit.
    tables: HashMap<u32, Taken>,
}

impl<'b> Stamps<'b> {
    /// Takes what is wanted from the clock of `held`; `last` is the newest commit of the store, `states` what it
    /// knows of the wanted tables.
    pub fn take(
        buffer: &'b Mutex<Buffer>,
        held: &mut Buffer,
        wanted: &Wanted<'_>,
        catalog: &Catalog,
        last: Option<i64>,
        states: &HashMap<u32, State>,
    ) -> Stamps<'b> {
        let mut stamps = Stamps {
            buffer,
            commits: None,
            tables: HashMap::new(),
        };
        let now = clock::micros(wanted.now);
        for names in &wanted.commits {
            let shown = held.newest();
            let timestamp = held.tick(now, last);
            add(&mut stamps.commits, shown, timestamp);
            for name in names {
                // A commit that names no table of the store is refused later.
                let Ok(definition) = catalog.find(name) else {
                    continue;
                };
                let (table, unit) = (definition.id, definition.settings.time_unit);
                if unit == TimeUnit::Micros {
                    continue;
                }
                let shown = held.last(table, None);
                let stored = states.get(&table).and_then(|state| state.last);
                let time = clock::in_unit(timestamp, unit, held.last(table, stored));
                held.set_last(table, Some(time));
                let mut taken = stamps.tables.remove(&table);
                add(&mut taken, shown, time);
                stamps.tables.extend(taken.map(|taken| (table, taken)));
            }
        }
        stamps
    }

    /// The timestamp that the next commit will get.
    pub fn coming(&self) -> Option<i64> {
        self.commits.as_ref()?.left.front().copied()
    }

    /// The timestamp of the next commit; none is left when more commits come than were wanted.
    pub fn next(&mut self) -> Option<i64> {
        self.commits.as_mut().and_then(Taken::next)
    }

    /// The same in the unit of a table that does not count in microseconds.
    pub fn next_of(&mut self, table: u32) -> Option<i64> {
        self.tables.get_mut(&table).and_then(Taken::next)
    }
}

fn add(taken: &mut Option<Taken>, shown: Option<i64>, time: i64) {
    let taken = taken.get_or_insert_with(|| Taken {
        left: VecDeque::new(),
        shown,
        newest: time,
    });
    taken.left.push_back(time);
    taken.newest = time;
}

impl Drop for Stamps<'_> {
    fn drop(&mut self) {
        let mut held = buffer::lock(self.buffer);
        if let Some(commits) = &self.commits {
            if held.newest() == Some(commits.newest) {
                held.set_newest(commits.shown);
            }
        }
        for (table, taken) in &self.tables {
            if held.last(*table, None) == Some(taken.newest) {
                held.set_last(*table, taken.shown);
            }
        }
    }
}
