//! Merges that start by themselves, in a thread that lives while there is something to merge.
//!
//! The thread takes its turn as a writer for each short transaction and lets others in between. What it has done and
//! what went wrong is kept for whoever asks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::combining::{all_runs, choose, Chosen};
use super::merging::Which;
use super::{Engine, Inner, MergeReport};
use crate::tree::{Counts, MOST_RUNS};
use crate::{Error, Result};

/// The most reports that are kept.
const KEPT: usize = 100;
/// A delta that is due for a merge, in quarters of the size that makes it due; and one that writers wait for.
const DUE: u64 = 4;
const LIMIT: u64 = 5;
/// Commits of so many cells wait for one step of a merge only.
const SMALL: u64 = 100;
/// Runs become one when nothing was written for so long, and for so long for each cell that this moves: about ten times
/// what it takes.
const IDLE: Duration = Duration::from_secs(1);
const IDLE_CELL: Duration = Duration::from_micros(5);

/// The state of merges in this process.
#[derive(Debug, Default)]
pub(super) struct Background {
    /// Cells that were written since somebody looked whether a merge is due.
    written: AtomicU64,
    /// Large commits so far.
    commits: AtomicU64,
    running: AtomicBool,
    /// Whether the thread waits until nothing is written, and how often it did; changed under the lock of `steps`.
    resting: AtomicBool,
    rests: AtomicU64,
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

    /// Waits for so long; `false` where large commits, or an order to stop, came in between.
    fn rest(&self, time: Duration) -> bool {
        let state = || (self.commits.load(Ordering::Relaxed), self.stops());
        let before = state();
        let steps = lock(&self.steps);
        self.resting.store(true, Ordering::Relaxed);
        self.rests.fetch_add(1, Ordering::Relaxed);
        // Whoever waits for a step would wait for the rest.
        self.stepped.notify_all();
        let waited = self
            .stepped
            .wait_timeout_while(steps, time, |_| state() == before);
        self.resting.store(false, Ordering::Relaxed);
        drop(waited);
        state() == before
    }

    /// Ends a rest: there may be something to do. The lock of `steps` is held.
    fn wake(&self) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.stepped.notify_all();
    }

    /// Tells merges to stop.
    fn stop(&self) {
        let _steps = lock(&self.steps);
        self.stops.fetch_add(1, Ordering::Relaxed);
        self.stepped.notify_all();
    }

    /// Waits for the next step of a merge, if one is under way.
    fn wait(&self) {
        let steps = lock(&self.steps);
        if self.resting.load(Ordering::Relaxed) {
            self.wake();
        }
        let state = |steps: u64| (steps, self.rests.load(Ordering::Relaxed));
        let before = state(*steps);
        let going = |now: &mut u64| state(*now) == before && self.running.load(Ordering::Acquire);
        drop(self.stepped.wait_while(steps, going));
    }
}

/// A merge thread that is running; noted as ended also when it dies.
struct Running(Arc<Inner>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.background.running.store(false, Ordering::Release);
        self.0.background.step();
    }
}

impl Engine {
    /// Stops the merges that are under way, after the transaction they are in; what they have merged stays.
    pub fn stop_merges(&self) {
        self.inner.background.stop();
    }

    /// What merges that started by themselves have done since the last call.
    pub fn take_merge_reports(&self) -> Vec<Result<MergeReport>> {
        let done = self.inner.background.done.lock();
        std::mem::take(&mut *done.unwrap_or_else(PoisonError::into_inner))
    }
}

/// Work for the thread.
enum Due {
    Combine(Chosen),
    Merge(String),
    /// To combine these after a rest.
    Rest(Duration, Chosen),
}

impl Inner {
    /// Starts the thread if so much was written that a merge may be due, and waits for it where writers are so
    /// much faster that the deltas would grow without bound.
    pub(super) fn after_commit(self: &Arc<Self>, cells: u64) {
        if !self.options.merge.automatic {
            return;
        }
        self.start_merging(cells);
        let over = |quarters| self.due(quarters).is_ok_and(|over| !over.is_empty());
        let is_over = || over(LIMIT) || self.has_many_runs().unwrap_or_default();
        while self.background.running.load(Ordering::Acquire) && is_over() {
            self.background.wait();
            // A small commit adds less than one step takes away, as a rule.
            if cells <= SMALL && !over(2 * LIMIT) {
                break;
            }
        }
    }

    fn start_merging(self: &Arc<Self>, cells: u64) {
        let written = self.background.written.fetch_add(cells, Ordering::Relaxed) + cells;
        // A large commit may have become a run of its own.
        let due = (self.options.merge.delta_cells / 8).max(1);
        if written < due && cells < self.options.own_run as u64 {
            return;
        }
        {
            let _steps = lock(&self.background.steps);
            self.background.wake();
        }
        self.background.written.store(0, Ordering::Relaxed);
        if self.background.running.swap(true, Ordering::AcqRel) {
            return;
        }
        let running = Running(Arc::clone(self));
        let work = move || running.0.merge_what_is_due();
        let thread = std::thread::Builder::new().name("lexigraph-merge".into());
        let mut place = lock(&self.background.thread);
        // Where there can be no thread, the work is dropped, and with it the note that it runs.
        if let Ok(thread) = thread.spawn(work) {
            *place = Some(thread);
        }
    }

    /// Ends the thread of merges.
    pub(super) fn end_merges(&self) {
        self.background.stop();
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
                Ok(Some(Due::Combine(chosen))) => self.try_combine(&chosen).map(|()| None),
                Ok(Some(Due::Rest(time, chosen))) => match self.background.rest(time) {
                    true => self.try_combine(&chosen).map(|()| None),
                    false => continue,
                },
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

    fn try_combine(&self, chosen: &Chosen) -> Result<()> {
        let outcome = self.combine(chosen);
        if let Err(error @ Error::Corruption(_)) = &outcome {
            self.failures.note(chosen.tree.table, &Err(error.clone()));
        }
        outcome
    }

    /// What is to be done next, if anything. Runs first: that is done sooner, and readers gain at once. A table
    /// that failed comes last, so that it holds up no other.
    fn next_due(&self) -> Result<Option<Due>> {
        let view = self.view()?;
        let _guard = view.snapshot.enter()?;
        let due = self.due(DUE)?;
        let tables = view.catalog.tables.values();
        let (failed, sound): (Vec<_>, Vec<_>) =
            tables.partition(|definition| self.failures.of(definition.id).is_some());
        for tables in [&sound, &failed] {
            for definition in tables {
                for tree in definition.trees() {
                    if let Some(chosen) = choose(&view.snapshot, tree)? {
                        return Ok(Some(Due::Combine(chosen)));
                    }
                }
            }
            let mut names = tables.iter().map(|definition| &definition.name);
            if let Some(name) = names.find(|name| due.contains(name)) {
                return Ok(Some(Due::Merge(name.clone())));
            }
        }
        for definition in sound.into_iter().chain(failed) {
            for tree in definition.trees() {
                if let Some((chosen, cells)) = all_runs(&view.snapshot, tree)? {
                    let cells = u32::try_from(cells).unwrap_or(u32::MAX);
                    let time = IDLE.max(IDLE_CELL.saturating_mul(cells));
                    return Ok(Some(Due::Rest(time, chosen)));
                }
            }
        }
        Ok(None)
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

    /// The tables whose delta has so many quarters of the size that makes it due for a merge.
    fn due(&self, quarters: u64) -> Result<Vec<String>> {
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
            let size = policy.delta_cells.max(share);
            if delta.cells > 0 && delta.cells.saturating_mul(DUE) >= quarters.saturating_mul(size) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_ends_a_rest_instead_of_waiting_for_it() {
        let background = Arc::new(Background::default());
        background.running.store(true, Ordering::Release);
        let beside = Arc::clone(&background);
        let merges = std::thread::spawn(move || {
            let whole = beside.rest(Duration::from_secs(600));
            beside.step();
            whole
        });
        while !background.resting.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        background.wait();
        assert!(matches!(merges.join(), Ok(false)));
    }

    #[test]
    fn whoever_waits_for_a_merge_goes_on_when_its_thread_has_ended() {
        let background = Arc::new(Background::default());
        background.running.store(true, Ordering::Release);
        let beside = Arc::clone(&background);
        let writer = std::thread::spawn(move || beside.wait());
        background.running.store(false, Ordering::Release);
        background.step();
        assert!(writer.join().is_ok());
    }
}
