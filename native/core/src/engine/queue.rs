//! Group commit: small writes of several threads in one transaction.
//!
//! A thread puts its commit into the queue. One of the waiting threads takes all that are there, judges each, writes
//! those that hold and tells everyone their own outcome. While it waits for the disk the next group gathers.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::commit::{Commit, Request};
use super::stamps::Wanted;
use super::{EngineSnapshot, Inner, MutationBatch};
use crate::cells::{CellColumns, Range};
use crate::tree::Durability;
use crate::visibility::View;
use crate::{Error, Result};

/// Writes with more cells, or bytes, are transactions of their own: to copy them would cost more than it saves.
pub(super) const MOST_CELLS: usize = 1024;
pub(super) const MOST_BYTES: usize = 1 << 18;

/// A commit that owns what it writes.
#[derive(Debug)]
pub(super) struct Job {
    pub batches: Vec<(String, CellColumns, Vec<u8>)>,
    pub now: Option<i64>,
    pub unchanged: Option<(EngineSnapshot, Vec<(String, Range)>)>,
    pub writer: View,
    pub checked: u64,
    pub durability: Durability,
}

impl Job {
    fn tables(&self) -> Vec<&str> {
        self.batches.iter().map(|(name, ..)| &**name).collect()
    }

    fn request(&self) -> Request<'_, '_> {
        let unchanged = self.unchanged.as_ref();
        Request {
            batches: self
                .batches
                .iter()
                .map(|(name, cells, timed)| {
                    let cells = cells.view();
                    (name.as_str(), MutationBatch { cells, timed })
                })
                .collect(),
            sorted: Vec::new(),
            unchanged: unchanged.map(|(snapshot, ranges)| (snapshot, ranges.as_slice())),
            writer: &self.writer,
            checked: Some(self.checked),
        }
    }
}

/// Commits that wait, and whether a thread is writing.
#[derive(Debug, Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: Vec<Arc<QueuePlace>>,
    writing: bool,
}

/// One commit in the queue.
#[derive(Debug)]
struct QueuePlace {
    job: Job,
    outcome: Mutex<Option<Result<i64>>>,
}

impl Inner {
    /// Writes a small commit together with those of other threads.
    pub(super) fn write_grouped(&self, job: Job) -> Result<i64> {
        let place = Arc::new(QueuePlace {
            job,
            outcome: Mutex::new(None),
        });
        let mut state = lock(&self.queue.state);
        state.waiting.push(Arc::clone(&place));
        loop {
            if let Some(outcome) = lock(&place.outcome).take() {
                return outcome;
            }
            if state.writing {
                let woken = self.queue.changed.wait(state);
                state = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let group = std::mem::take(&mut state.waiting);
            if !group.iter().any(|waiting| Arc::ptr_eq(waiting, &place)) {
                // Whoever was writing for this one died without a word.
                return Err(Error::Store(
                    "the thread that wrote this commit ended: read to see whether it is there"
                        .into(),
                ));
            }
            state.writing = true;
            drop(state);
            let leading = Leading(self);
            let outcomes = self.write_group(&group);
            for (place, outcome) in group.iter().zip(outcomes) {
                *lock(&place.outcome) = Some(outcome);
            }
            drop(leading);
            state = lock(&self.queue.state);
        }
    }

    /// One transaction; the outcome of each.
    fn write_group(&self, group: &[Arc<QueuePlace>]) -> Vec<Result<i64>> {
        match self.try_group(group) {
            Ok(outcomes) => outcomes,
            Err(error) => group.iter().map(|_| Err(error.clone())).collect(),
        }
    }

    fn try_group(&self, group: &[Arc<QueuePlace>]) -> Result<Vec<Result<i64>>> {
        let directory = self.writable()?;
        let wanted = Wanted {
            now: group.iter().filter_map(|place| place.job.now).max(),
            commits: group.iter().map(|place| place.job.tables()).collect(),
        };
        let mut commit = Commit::begin(self, &directory, "write", &wanted)?;
        let mut durability = Durability::Relaxed;
        let mut outcomes = Vec::with_capacity(group.len());
        for place in group {
            let outcome = commit.add(place.job.request());
            if outcome.is_ok() && place.job.durability == Durability::Sync {
                durability = Durability::Sync;
            }
            outcomes.push(outcome);
        }
        if outcomes.iter().any(Result::is_ok) {
            if let Err(error) = commit.finish(durability) {
                // Those that were refused keep their own reason.
                for outcome in &mut outcomes {
                    if outcome.is_ok() {
                        *outcome = Err(error.clone());
                    }
                }
            }
        }
        Ok(outcomes)
    }
}

/// The right to write for the group; given back also by a thread that dies.
struct Leading<'i>(&'i Inner);

impl Drop for Leading<'_> {
    fn drop(&mut self) {
        lock(&self.0.queue.state).writing = false;
        self.0.queue.changed.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
