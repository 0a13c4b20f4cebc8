//! Merges that start by themselves, in a thread that lives while there is something to merge.
//!
//! The thread takes its turn as a writer for each short transaction and lets others in between. What it has done and
//! what went wrong is kept for whoever asks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::combining::{choose, Chosen};
use super::merging::Which;
use super::{Engine, Inner, MergeReport};
use crate::tree::{Counts, MOST_RUNS};
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
    /// Transactions of merges so far; writers that are too fast wait for them.
    steps: Mutex<u64>,
    stepped: Condvar,
}

impl Background {
    /// What a merge that starts now compares with, to know whether it is to stop.
    pub fn stops(&self) -> u64 {
        self.stops.load(Ordering::Relaxed)
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
        let done = self.inner.background.done.lock();
        std::mem::take(&mut *done.unwrap_or_else(PoisonError::into_inner))
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
        let is_over = || over(LIMIT) || inner.has_many_runs().unwrap_or_default();
        while inner.background.running.load(Ordering::Acquire) && is_over() {
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
        // A large commit may have become a run of its own.
        if written < (policy.delta_cells / 8).max(1) && cells < inner.options.own_run as u64 {
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

/// Work for the thread.
enum Due {
    Combine(Chosen),
    Merge(String),
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
        while self.background.stops() == stops {
            let outcome = match self.next_due() {
                Ok(Some(Due::Merge(table))) => {
                    let merged = self.merge(&table, None, None, None, Which::Written);
                    merged.map(Some)
                }
                Ok(Some(Due::Combine(chosen))) => self.combine(&chosen).map(|()| None),
                _ => return,
            };
            let failed = outcome.is_err();
            if let Some(outcome) = outcome.transpose() {
                let mut done = lock(&self.background.done);
                if done.len() >= KEPT {
                    drop(done.remove(0));
                }
                done.push(outcome);
            }
            if failed {
                // Tried again after more was written.
                return;
            }
        }
    }

    /// What is to be done next, if anything. Runs first: that is done sooner, and readers gain at once.
    fn next_due(&self) -> Result<Option<Due>> {
        let view = self.view()?;
        let _guard = view.snapshot.enter()?;
        for definition in view.catalog.tables.values() {
            for tree in definition.trees() {
                if let Some(chosen) = choose(&view.snapshot, tree)? {
                    return Ok(Some(Due::Combine(chosen)));
                }
            }
        }
        let tables = self.due(1)?;
        Ok(tables.into_iter().next().map(Due::Merge))
    }

    /// Whether a locality group has as many runs as it may have.
    fn has_many_runs(&self) -> Result<bool> {
        let view = self.view()?;
        let _guard = view.snapshot.enter()?;
        for definition in view.catalog.tables.values() {
            for tree in definition.trees() {
                if view.snapshot.runs(tree)?.len() >= MOST_RUNS {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The tables whose delta is so many times large enough for a merge.
    fn due(&self, times: u64) -> Result<Vec<String>> {
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
                due.push(definition.name.clone());
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
