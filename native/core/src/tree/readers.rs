//! The read transactions of a store in this process: reused, counted, and ended when they are too old.
//!
//! A [`Slot`] is the life of one read transaction as a snapshot. Its `state` is one atomic number: how many
//! guards it has, whether it may still be entered, and whether its transaction has ended. A guard is added
//! only while neither bit is set; the end comes only by a change from "no guards" to "ended". So no
//! transaction ends under a guard and none is used after its end, without a lock.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::lmdb::fork::generation;
use super::lmdb::{Environment, ReadTxn, RoTxn};
use super::mapped::failed;
use crate::{Error, Result};

/// No new guards, and why.
const RENEWED: u32 = 1 << 27;
const EXPIRED: u32 = 1 << 28;
const CLOSED: u32 = 1 << 29;
const RELEASED: u32 = 1 << 30;
/// The transaction is over.
const ENDED: u32 = 1 << 31;
const SHUT: u32 = RENEWED | EXPIRED | CLOSED | RELEASED | ENDED;

/// Transactions that wait to be used again; each keeps a slot of LMDB's reader table.
const SPARE: usize = 64;

/// All slots of an environment.
#[derive(Debug)]
pub(super) struct Readers {
    max_age: Option<Duration>,
    generation: u64,
    inner: Mutex<Inner>,
    /// Wakes the thread that ends old snapshots, when they are to be closed.
    wake: Condvar,
}

#[derive(Debug, Default)]
struct Inner {
    next: u64,
    /// By number, thus oldest first.
    live: BTreeMap<u64, Arc<Slot>>,
    spare: Vec<ReadTxn>,
    reaping: bool,
    closed: bool,
}

/// A read transaction as long as it serves one snapshot.
#[derive(Debug)]
pub(super) struct Slot {
    number: u64,
    started: Instant,
    transaction_id: u64,
    state: AtomicU32,
    transaction: Mutex<Option<ReadTxn>>,
    readers: Weak<Readers>,
    max_age: Option<Duration>,
    generation: u64,
}

/// Somebody who holds a state of the store, so that its pages are not used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reader {
    pub pid: u32,
    /// How many commits are newer.
    pub behind: u64,
    /// How long it is held; known of this process only.
    pub age: Option<Duration>,
}

impl Readers {
    pub fn new(max_age: Option<Duration>) -> Arc<Readers> {
        Arc::new(Readers {
            max_age,
            generation: generation(),
            inner: Mutex::default(),
            wake: Condvar::new(),
        })
    }

    /// Starts to read the newest state; a transaction that was used before is taken where there is one.
    pub fn start(self: &Arc<Self>, environment: &Arc<Environment>) -> Result<Arc<Slot>> {
        not_inherited(self.generation)?;
        let mut inner = self.lock();
        if inner.closed {
            return Err(closed());
        }
        let transaction = match inner.spare.pop() {
            Some(mut spare) => spare.renew().map(|()| spare),
            None => begin(environment),
        };
        let transaction = transaction.map_err(failed("start to read"))?;
        inner.next += 1;
        let slot = Arc::new(Slot {
            number: inner.next,
            started: Instant::now(),
            transaction_id: transaction.id(),
            state: AtomicU32::new(0),
            transaction: Mutex::new(Some(transaction)),
            readers: Arc::downgrade(self),
            max_age: self.max_age,
            generation: self.generation,
        });
        inner.live.insert(slot.number, Arc::clone(&slot));
        if !inner.reaping {
            if let Some(age) = self.max_age {
                inner.reaping = reap(self, age);
            }
        }
        Ok(slot)
    }

    /// Ends all snapshots that are past the age limit and not being read.
    pub fn sweep(&self) {
        let Some(age) = self.max_age else { return };
        let old: Vec<Arc<Slot>> = {
            let inner = self.lock();
            let old = inner.live.values().take_while(|slot| slot.age() > age);
            old.map(Arc::clone).collect()
        };
        for slot in old {
            slot.shut(EXPIRED);
        }
    }

    /// Lets nobody enter any more, and ends what nobody reads. Guards that live end theirs when they go.
    pub fn close(&self) {
        self.retire();
        self.shut_all(CLOSED);
    }

    /// Like `close`, of an environment that is to be opened anew.
    pub fn end_all(&self) {
        self.shut_all(RENEWED);
    }

    fn shut_all(&self, why: u32) {
        let live: Vec<Arc<Slot>> = self.lock().live.values().map(Arc::clone).collect();
        for slot in live {
            slot.shut(why);
        }
    }

    /// Retires if no transaction is in use; says whether.
    pub fn retire_if_idle(&self) -> bool {
        let mut inner = self.lock();
        if inner.live.is_empty() {
            inner.closed = true;
            inner.spare.clear();
        }
        inner.closed
    }

    /// Starts nothing new. Snapshots that live go on.
    pub fn retire(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        inner.spare.clear();
        drop(inner);
        self.wake.notify_all();
    }

    /// The readers of all processes, the oldest first.
    pub fn list(&self, environment: &Environment) -> Vec<Reader> {
        // The table is read first: what ends in between is then listed without an age, not twice.
        let (mut table, newest) = (environment.readers(), environment.last().1);
        table.sort_by_key(|slot| slot.transaction);
        let inner = self.lock();
        let mut ages: Vec<(u64, Duration)> = inner
            .live
            .values()
            .map(|slot| (slot.transaction_id, slot.age()))
            .collect();
        let mut age = |transaction| {
            let place = ages.iter().position(|held| held.0 == transaction)?;
            Some(ages.remove(place).1)
        };
        let here = std::process::id();
        let reader = |slot: &super::lmdb::Reader| Reader {
            pid: slot.pid,
            behind: newest.saturating_sub(slot.transaction),
            age: (slot.pid == here).then(|| age(slot.transaction)).flatten(),
        };
        table.iter().map(reader).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        lock(&self.inner)
    }

    fn take_back(&self, number: u64, mut transaction: ReadTxn) {
        let mut inner = self.lock();
        inner.live.remove(&number);
        transaction.reset();
        if inner.spare.len() < SPARE && !inner.closed {
            inner.spare.push(transaction);
        }
    }
}

impl Slot {
    /// One more guard, if it may still be entered.
    pub fn enter(self: &Arc<Self>) -> Result<Guard> {
        self.add_guard()?;
        Ok(Guard {
            slot: Arc::clone(self),
        })
    }

    /// Reads from the transaction: one thread at a time, guarded meanwhile.
    pub fn read<T>(&self, with: impl FnOnce(&RoTxn) -> Result<T>) -> Result<T> {
        self.add_guard()?;
        let _guard = Held(self);
        let transaction = lock(&self.transaction);
        match transaction.as_ref() {
            Some(transaction) => with(transaction),
            // `end` alone takes it out, which a guard rules out.
            None => Err(self.refusal(EXPIRED)),
        }
    }

    pub fn age(&self) -> Duration {
        self.started.elapsed()
    }

    pub fn transaction_id(&self) -> u64 {
        self.transaction_id
    }

    #[inline]
    pub fn has_ended(&self) -> bool {
        self.state.load(Ordering::Acquire) & ENDED != 0
    }

    /// The snapshot is gone.
    pub fn release(&self) {
        self.shut(RELEASED);
    }

    fn add_guard(&self) -> Result<()> {
        not_inherited(self.generation)?;
        // A guard that lives keeps the others in: a batch does not break off in its middle.
        let late = |state: u32| state == 0 && self.max_age.is_some_and(|limit| self.age() > limit);
        let mut state = self.state.load(Ordering::Acquire);
        loop {
            if state & SHUT != 0 || late(state) {
                return Err(self.refusal(state));
            }
            let swap = (Ordering::AcqRel, Ordering::Acquire);
            match self
                .state
                .compare_exchange_weak(state, state + 1, swap.0, swap.1)
            {
                Ok(_) => return Ok(()),
                Err(now) => state = now,
            }
        }
    }

    fn drop_guard(&self) {
        let before = self.state.fetch_sub(1, Ordering::AcqRel);
        if before & SHUT != 0 {
            self.end();
        }
    }

    fn shut(&self, why: u32) {
        self.state.fetch_or(why, Ordering::AcqRel);
        self.end();
    }

    /// Ends the transaction if it is shut and has no guard; whoever changes the state does it, once.
    fn end(&self) {
        // The transaction is the parent's, and a lock that a thread of the parent held at the fork stays taken.
        if self.generation != generation() {
            return;
        }
        let ended = self
            .state
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| {
                let guards = state & !SHUT;
                (guards == 0 && state & SHUT != 0 && state & ENDED == 0).then_some(state | ENDED)
            });
        if ended.is_err() {
            return;
        }
        let transaction = lock(&self.transaction).take();
        if let (Some(transaction), Some(readers)) = (transaction, self.readers.upgrade()) {
            readers.take_back(self.number, transaction);
        }
    }

    fn refusal(&self, state: u32) -> Error {
        if state & CLOSED != 0 {
            return closed();
        }
        if state & RENEWED != 0 {
            return Error::SnapshotExpired(
                "this snapshot was ended because the store had to be opened anew after a failure of the disk: \
                 take a new one"
                    .into(),
            );
        }
        let limit = self.max_age.unwrap_or_default().as_secs_f64();
        Error::SnapshotExpired(format!(
            "this snapshot is {:.1} s old and was ended after {limit} s, so that old pages can be used again: \
             take a new one, or open the store with a greater max_snapshot_age",
            self.age().as_secs_f64()
        ))
    }
}

/// Keeps a snapshot's bytes as they are while it lives.
#[derive(Debug)]
pub struct Guard {
    slot: Arc<Slot>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.slot.drop_guard();
    }
}

/// A guard for the time of a call. Declared before the lock of the transaction, thus dropped after it.
struct Held<'s>(&'s Slot);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.drop_guard();
    }
}

/// Nothing is left half done by a thread that died while it held one of these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes sure that what was opened before a fork is not used in the child.
pub(crate) fn not_inherited(opened: u64) -> Result<()> {
    match opened == generation() {
        true => Ok(()),
        false => Err(Error::Usage(
            "this store was opened before a fork: open it again in the child".into(),
        )),
    }
}

pub(crate) fn closed() -> Error {
    Error::Closed("the store was closed: open it again".into())
}

fn begin(environment: &Arc<Environment>) -> std::result::Result<ReadTxn, super::lmdb::Code> {
    ReadTxn::begin(environment).or_else(|code| {
        // All slots may be taken by processes that are gone.
        if environment.clear_stale_readers()? == 0 {
            return Err(code);
        }
        ReadTxn::begin(environment)
    })
}

/// Starts the thread that ends old snapshots; it ends itself when there is none. Needed because a process that
/// forgets a snapshot and then does nothing would keep the pages of the others.
fn reap(readers: &Arc<Readers>, age: Duration) -> bool {
    let readers = Arc::downgrade(readers);
    let thread = std::thread::Builder::new().name("lexigraph-reaper".into());
    let run = move || loop {
        let Some(readers) = readers.upgrade() else {
            return;
        };
        readers.sweep();
        let mut inner = readers.lock();
        // Those that are old already end with their guards.
        let ages = inner.live.values().map(|slot| slot.age());
        let Some(oldest) = ages.filter(|held| *held <= age).max() else {
            inner.reaping = false;
            return;
        };
        let rest = age.saturating_sub(oldest) + Duration::from_millis(1);
        let waited = readers.wake.wait_timeout(inner, rest);
        drop(waited);
    };
    thread.spawn(run).is_ok()
}
