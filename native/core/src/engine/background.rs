//! Merges that start by themselves, in a thread that lives while there is something to merge.
//!
//! The thread takes its turn as a writer for each short transaction and lets others in between. What it has done and
//! what went wrong is kept for whoever asks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::merging::Which;
use super::{Engine, Inner, MergeReport};
use crate::tree::Counts;
use crate::{Error, Result};

/// The most reports that are kept.
const KEPT: usize = 100;
/// Writers wait when a delta is so many times as large as one that is due for a merge.
const LIMIT: u64 = 2;
/// Commits of so many cells wait for one step of a merge only.
const SMALL: u64 = 100;

/// The state of merges in this process.
#[derive(Debug, Default)]
pub(super) struct Background {
    /// Cells that were written since somebody looked whether a merge is due.
    written: AtomicU64,
    running: AtomicBool,
    thread: Mutex<Option<JoinHandle<()>>>,
    /// How often merges were told to stop.
    stops: AtomicU64,
    done: Mutex<Vec<Result<MergeReport>>>,
    /// Why the last merge of a table failed, by its number, until one of it succeeds.
    failures: Mutex<BTreeMap<u32, Error>>,
    /// Transactions of merges so far; writers that are too fast wait for them.
    steps: Mutex<u64>,
    stepped: Condvar,
}

impl Background {
    /// What a merge that starts now compares with, to know whether it is to stop.
    pub fn stops(&self) -> u64 {
        self.stops.load(Ordering::Relaxed)
    }

    /// Why the last merge of a table in this process failed, where it did.
    pub fn failure(&self, table: u32) -> Option<Error> {
        lock(&self.failures).get(&table).cloned()
    }

    /// Notes that a whole table was merged.
    pub fn merged(&self, table: u32) {
        lock(&self.failures).remove(&table);
    }

    /// Notes that a transaction of a merge is done, or a merge.
    pub fn step(&self) {
        *lock(&self.steps) += 1;
        self.stepped.notify_all();
    }

    /// Waits for the next step of a merge, if one is under way.
    fn wait(&self) {
        let steps = lock(&self.steps);
        let before = *steps;
        let going = |now: &mut u64| *now == before && self.running.load(Ordering::Acquire);
        drop(self.stepped.wait_while(steps, going));
    }
}

impl Engine {
    /// Stops the merges that are under way, after the transaction they are in; what they have merged stays.
    pub fn stop_merges(&self) {
        self.inner.background.stops.fetch_add(1, Ordering::Relaxed);
    }

    /// What merges that started by themselves have done since the last call.
    pub fn take_merge_reports(&self) -> Vec<Result<MergeReport>> {
        std::mem::take(&mut *lock(&self.inner.background.done))
    }

    /// Starts the thread if so much was written that a merge may be due, and waits for it where writers are so
    /// much faster that the deltas would grow without bound.
    pub(super) fn after_commit(&self, cells: u64) {
        let (inner, policy) = (&self.inner, &self.inner.options.merge);
        if !policy.automatic {
            return;
        }
        self.start_merging(cells);
        let over = |times| inner.due(times).is_ok_and(|over| !over.is_empty());
        while inner.background.running.load(Ordering::Acquire) && over(LIMIT) {
            inner.background.wait();
            // A small commit adds less than one step takes away, as a rule.
            if cells <= SMALL && !over(2 * LIMIT) {
                break;
            }
        }
    }

    fn start_merging(&self, cells: u64) {
        let (inner, policy) = (&self.inner, &self.inner.options.merge);
        let written = inner.background.written.fetch_add(cells, Ordering::Relaxed) + cells;
        if written < (policy.delta_cells / 8).max(1) {
            return;
        }
        inner.background.written.store(0, Ordering::Relaxed);
        if inner.background.running.swap(true, Ordering::AcqRel) {
            return;
        }
        let held = Arc::clone(inner);
        let work = move || {
            held.merge_what_is_due();
            held.background.running.store(false, Ordering::Release);
            held.background.step();
        };
        let thread = std::thread::Builder::new().name("lexigraph-merge".into());
        let mut place = lock(&inner.background.thread);
        match thread.spawn(work) {
            Ok(thread) => *place = Some(thread),
            Err(_) => inner.background.running.store(false, Ordering::Release),
        }
    }
}

impl Inner {
    /// Ends the thread of merges.
    pub(super) fn end_merges(&self) {
        self.background.stops.fetch_add(1, Ordering::Relaxed);
        let thread = lock(&self.background.thread).take();
        if let Some(thread) =
            thread.filter(|held| held.thread().id() != std::thread::current().id())
        {
            // A thread that died has nothing more to say.
            let _ = thread.join();
        }
    }

    fn merge_what_is_due(&self) {
        let stops = self.background.stops();
        // They are tried again after more was written, and do not keep others from being merged.
        let mut failed = BTreeSet::new();
        loop {
            let mut due = self.due(1).unwrap_or_default();
            due.retain(|(id, _)| !failed.contains(id));
            if due.is_empty() {
                return;
            }
            for (id, name) in due {
                if self.background.stops() != stops {
                    return;
                }
                let outcome = self.merge(&name, None, None, None, Which::Written);
                match &outcome {
                    Ok(_) | Err(Error::Cancelled(_)) => {}
                    Err(error) => {
                        lock(&self.background.failures).insert(id, error.clone());
                        failed.insert(id);
                    }
                }
                let mut done = lock(&self.background.done);
                if done.len() >= KEPT {
                    drop(done.remove(0));
                }
                done.push(outcome);
            }
        }
    }

    /// The tables whose delta is so many times large enough for a merge: numbers and names.
    fn due(&self, times: u64) -> Result<Vec<(u32, String)>> {
        let (view, policy) = (self.view()?, &self.options.merge);
        let mut due = Vec::new();
        for definition in view.catalog.tables.values() {
            let (mut base, mut delta) = (Counts::default(), Counts::default());
            for tree in definition.trees() {
                let [own_base, own_delta] = view.snapshot.counts(tree)?;
                base.add(&own_base);
                delta.add(&own_delta);
            }
            let share = base.cells / policy.base_share.max(1);
            if delta.cells > 0 && delta.cells >= times * policy.delta_cells.max(share) {
                due.push((definition.id, definition.name.clone()));
            }
        }
        Ok(due)
    }
}

/// The error of a merge that was told to stop.
pub(super) fn stopped() -> Error {
    Error::Cancelled("the merge was stopped; what it has merged so far stays".into())
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
