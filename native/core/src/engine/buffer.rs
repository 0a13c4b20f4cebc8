//! Commits that are in this process alone: sorted runs by table, visible to it at once.
//!
//! Their cells all have the timestamp of their commit; a cell with one of its own is never buffered.
//!
//! A flush freezes what is there, writes it in one transaction and lets it go. Meanwhile new commits go on in a
//! part of their own. A snapshot can tell by the number of its state whether the frozen part is in it already.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::clock;
use crate::tree::Run;

/// The buffered commits of one table.
#[derive(Debug, Clone, Default)]
pub(super) struct Pending {
    /// Oldest first.
    pub runs: Vec<Arc<Run>>,
    /// The oldest and the newest commit, in the table's unit.
    pub first: Option<i64>,
    pub last: Option<i64>,
    pub markers: u64,
}

/// The buffered commits of all tables, by table id.
#[derive(Debug, Clone, Default)]
pub(super) struct Tables {
    pub tables: BTreeMap<u32, Pending>,
    /// The oldest and the newest commit timestamp.
    pub oldest: Option<i64>,
    pub newest: Option<i64>,
    /// The last commit, by the numbers of this process.
    pub commit: u64,
    bytes: usize,
}

impl Tables {
    pub fn is_empty(&self) -> bool {
        self.newest.is_none()
    }

    /// Puts newer commits behind these.
    fn append(&mut self, newer: &Tables) {
        for (table, pending) in &newer.tables {
            let own = self.tables.entry(*table).or_default();
            own.runs.extend(pending.runs.iter().cloned());
            own.first = own.first.or(pending.first);
            own.last = own.last.max(pending.last);
            own.markers += pending.markers;
        }
        self.oldest = self.oldest.or(newer.oldest);
        self.newest = self.newest.max(newer.newest);
        self.commit = self.commit.max(newer.commit);
        self.bytes += newer.bytes;
    }
}

/// What is buffered, and the clock of this process.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    active: Arc<Tables>,
    /// What a transaction is writing, and the number of the state that will hold it.
    frozen: Option<(Arc<Tables>, u64)>,
    /// How often commits were frozen or came back: what a reader saw as active may be in the store since.
    epoch: u64,
    commits: u64,
    newest: Option<i64>,
    lasts: HashMap<u32, i64>,
}

/// One table's part of a buffered commit.
pub(super) struct Part {
    pub table: u32,
    pub time: i64,
    pub markers: u64,
    pub run: Run,
}

impl Buffer {
    /// The timestamp of a new commit; `last` is the newest that the store knows.
    pub fn tick(&mut self, now: i64, last: Option<i64>) -> i64 {
        let timestamp = clock::tick(now, self.newest.max(last));
        self.newest = Some(timestamp);
        timestamp
    }

    /// The newest commit timestamp that this process gave.
    pub fn newest(&self) -> Option<i64> {
        self.newest
    }

    /// The newest commit of a table that this process gave, or the one that the store knows.
    pub fn last(&self, table: u32, stored: Option<i64>) -> Option<i64> {
        self.lasts.get(&table).copied().max(stored)
    }

    pub fn set_last(&mut self, table: u32, time: Option<i64>) {
        match time {
            Some(time) => self.lasts.insert(table, time),
            None => self.lasts.remove(&table),
        };
    }

    /// Sets the clock of this process.
    pub fn set_newest(&mut self, timestamp: Option<i64>) {
        self.newest = timestamp;
    }

    /// The number of the next buffered commit.
    pub fn next_commit(&mut self) -> u64 {
        self.commits += 1;
        self.commits
    }

    /// How many bytes wait for a transaction to take them.
    pub fn size_bytes(&self) -> usize {
        self.active.bytes
    }

    /// Adds a commit.
    pub fn add(&mut self, parts: Vec<Part>, timestamp: i64, commit: u64) {
        let active = Arc::make_mut(&mut self.active);
        active.oldest = active.oldest.or(Some(timestamp));
        active.newest = Some(timestamp);
        active.commit = commit;
        for part in parts {
            active.bytes += part.run.size_bytes();
            let own = active.tables.entry(part.table).or_default();
            own.first = own.first.or(Some(part.time));
            own.last = Some(part.time);
            own.markers += part.markers;
            own.runs.push(Arc::new(part.run));
            join_small(&mut own.runs);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.active.is_empty() && self.frozen.is_none()
    }

    /// What a reader must add to a state of the store, older first, each with the number of the state that has
    /// it. It holds if the epoch is still the same when that state was taken.
    pub fn parts(&self) -> (Vec<(Arc<Tables>, u64)>, u64) {
        let mut parts: Vec<_> = self.frozen.iter().cloned().collect();
        if !self.active.is_empty() {
            parts.push((Arc::clone(&self.active), u64::MAX));
        }
        (parts, self.epoch)
    }

    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The number of the last buffered commit.
    pub fn commits(&self) -> u64 {
        self.commits
    }

    fn freeze(&mut self, number: u64) -> Arc<Tables> {
        // A writer whose commit failed may not have come to giving it back.
        if let Some((left, _)) = self.frozen.clone() {
            self.give_back(&left);
        }
        let tables = std::mem::take(&mut self.active);
        if !tables.is_empty() {
            self.frozen = Some((Arc::clone(&tables), number));
            self.epoch += 1;
        }
        tables
    }

    /// Puts a frozen part before what is active, unless that was done already.
    fn give_back(&mut self, frozen: &Arc<Tables>) {
        if self.let_go(frozen) {
            let mut tables = Tables::clone(frozen);
            tables.append(&self.active);
            self.active = Arc::new(tables);
            self.epoch += 1;
        }
    }

    /// Forgets a frozen part; says whether it was there.
    fn let_go(&mut self, frozen: &Arc<Tables>) -> bool {
        let held = self.frozen.as_ref();
        let same = held.is_some_and(|(held, _)| Arc::ptr_eq(held, frozen));
        if same {
            self.frozen = None;
        }
        same
    }
}

/// Locks the buffer. A thread that died left it whole: nothing in here fails half way.
pub(super) fn lock(buffer: &Mutex<Buffer>) -> MutexGuard<'_, Buffer> {
    buffer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The part of the buffer that a transaction writes; it comes back unless the transaction is done.
pub(super) struct Frozen<'b> {
    buffer: &'b Mutex<Buffer>,
    pub tables: Arc<Tables>,
}

impl<'b> Frozen<'b> {
    /// `number` is that of the state after the transaction, which must hold the right to write. The buffer is
    /// given locked, as it was frozen; the lock must go before the frozen part does.
    pub fn new(buffer: &'b Mutex<Buffer>, number: u64) -> (Frozen<'b>, MutexGuard<'b, Buffer>) {
        let mut held = lock(buffer);
        let tables = held.freeze(number);
        (Frozen { buffer, tables }, held)
    }

    pub fn done(self) {
        lock(self.buffer).let_go(&self.tables);
    }
}

impl Drop for Frozen<'_> {
    fn drop(&mut self) {
        // After `done` there is nothing to give back.
        lock(self.buffer).give_back(&self.tables);
    }
}

/// Joins the newest runs while the older is at most twice as long: n commits make about log n runs.
pub(super) fn join_small(runs: &mut Vec<Arc<Run>>) {
    while let [.., older, newer] = runs.as_slice() {
        if older.len() > 2 * newer.len() {
            break;
        }
        let joined = Arc::new(Run::join(newer, older));
        runs.truncate(runs.len() - 2);
        runs.push(joined);
    }
}
