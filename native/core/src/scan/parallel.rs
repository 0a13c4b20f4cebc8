//! Parts of a scan made ahead by threads and given out in order, within a limit of memory.
//!
//! The thread that makes the part which is read next never waits, so the others may: nothing can lock up.
//! Threads end by themselves soon after the scan is dropped. They are not waited for: after a fork they
//! would not be there.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::cells::Range;
use crate::tree::Watch;
use crate::{Error, Result};

use super::feed::Shared;
use super::parts::Parts;

/// How many bytes of finished batches may wait.
const WAITING: usize = 6 << 20;
/// How long a thread sleeps before it looks whether the scan is still there.
const NAP: Duration = Duration::from_millis(50);

/// What a thread makes at once.
pub trait Batch: Send + 'static {
    /// About how much memory it takes.
    fn size_bytes(&self) -> usize;
    fn is_empty(&self) -> bool;
}

/// Takes what was made.
pub type Give<'a, B> = &'a mut dyn FnMut(B) -> Result<()>;
/// Makes the batches of one part after the other.
pub type Make<B> = Box<dyn FnMut(Vec<Range>, Give<'_, B>) -> Result<()> + Send>;
/// Makes a thread ready.
pub type Start<B> = Box<dyn Fn(&Arc<Watch>) -> Result<Make<B>> + Send + Sync>;

/// The rest of a scan, from parts that threads make.
pub struct Parallel<B> {
    work: Arc<Work<B>>,
}

struct Work<B> {
    shared: Arc<Shared>,
    start: Start<B>,
    watch: Arc<Watch>,
    state: Mutex<State<B>>,
    changed: Condvar,
}

struct State<B> {
    parts: Parts,
    /// The number of the next part that a thread takes, and of the one that is read.
    taken: u64,
    head: u64,
    exhausted: bool,
    /// How many threads are still there.
    threads: usize,
    made: BTreeMap<u64, Made<B>>,
    waiting: usize,
}

/// What there is of a part.
struct Made<B> {
    batches: VecDeque<B>,
    outcome: Option<Result<()>>,
}

impl<B> Default for Made<B> {
    fn default() -> Self {
        Made {
            batches: VecDeque::new(),
            outcome: None,
        }
    }
}

impl<B: Batch> Parallel<B> {
    /// Starts threads on parts.
    pub fn start(shared: &Arc<Shared>, parts: Parts, start: Start<B>) -> Parallel<B> {
        let work = Arc::new(Work {
            shared: Arc::clone(shared),
            start,
            watch: Arc::new(Watch::under(&shared.watch)),
            state: Mutex::new(State {
                parts,
                taken: 0,
                head: 0,
                exhausted: false,
                threads: 0,
                made: BTreeMap::new(),
                waiting: 0,
            }),
            changed: Condvar::new(),
        });
        for _ in 0..shared.threads {
            let theirs = Arc::clone(&work);
            work.lock().threads += 1;
            let thread = std::thread::Builder::new().name("lexigraph-scan".into());
            if thread.spawn(move || theirs.run()).is_err() {
                work.lock().threads -= 1;
            }
        }
        Parallel { work }
    }

    /// The next batch; none behind the last.
    pub fn next(&mut self) -> Result<Option<B>> {
        let work = &self.work;
        let mut state = work.lock();
        loop {
            let head = state.head;
            if let Some(made) = state.made.get_mut(&head) {
                if let Some(batch) = made.batches.pop_front() {
                    state.waiting = state.waiting.saturating_sub(batch.size_bytes());
                    work.changed.notify_all();
                    return Ok(Some(batch));
                }
                if let Some(outcome) = made.outcome.take() {
                    state.made.remove(&head);
                    state.head += 1;
                    work.changed.notify_all();
                    outcome?;
                    continue;
                }
            } else if state.exhausted && head >= state.taken {
                return Ok(None);
            }
            if state.threads == 0 {
                return Err(Error::Store(
                    "no thread could be started for a scan; ask for one thread".into(),
                ));
            }
            work.shared.watch.check()?;
            state = work.wait(state);
        }
    }
}

impl<B> Drop for Parallel<B> {
    fn drop(&mut self) {
        // No lock: after a fork nobody would give it back.
        self.work.watch.stop();
        self.work.changed.notify_all();
    }
}

impl<B: Batch> Work<B> {
    fn run(&self) {
        let mut make = (self.start)(&self.watch).map_err(Some);
        while let Some((number, part)) = self.take() {
            let outcome = match &mut make {
                Ok(make) => make(part, &mut |batch| self.give(number, batch)),
                Err(error) => Err(error.take().unwrap_or_else(stopped)),
            };
            let failed = outcome.is_err();
            let mut state = self.lock();
            state.made.entry(number).or_default().outcome = Some(outcome);
            self.changed.notify_all();
            if failed {
                state.exhausted = true;
                break;
            }
        }
        let mut state = self.lock();
        state.threads -= 1;
        self.changed.notify_all();
    }

    fn take(&self) -> Option<(u64, Vec<Range>)> {
        let mut state = self.lock();
        if state.exhausted || self.watch.check().is_err() {
            state.exhausted = true;
            return None;
        }
        let number = state.taken;
        match state.parts.next() {
            Ok(Some(part)) => {
                state.taken += 1;
                state.made.entry(number).or_default();
                Some((number, part))
            }
            Ok(None) => {
                state.exhausted = true;
                None
            }
            Err(error) => {
                state.exhausted = true;
                state.taken += 1;
                state.made.entry(number).or_default().outcome = Some(Err(error));
                None
            }
        }
    }

    /// Hands a batch over, once there is room or it is the one that is waited for.
    fn give(&self, number: u64, batch: B) -> Result<()> {
        if batch.is_empty() {
            return Ok(());
        }
        let mut state = self.lock();
        while state.waiting >= WAITING && number != state.head {
            self.watch.check()?;
            state = self.wait(state);
        }
        state.waiting += batch.size_bytes();
        state
            .made
            .entry(number)
            .or_default()
            .batches
            .push_back(batch);
        self.changed.notify_all();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State<B>> {
        // A thread that died left whole batches behind or none.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<B>>) -> MutexGuard<'a, State<B>> {
        let woken = self.changed.wait_timeout(state, NAP);
        woken.unwrap_or_else(PoisonError::into_inner).0
    }
}

fn stopped() -> Error {
    Error::Cancelled("the scan was cancelled".into())
}
