//! The read transactions of a store in this process: reused, listed, and ended when they are too old.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::lmdb::fork::generation;
use super::lmdb::{Environment, ReadTxn};
use super::looked_up::Newest;
use super::mapped::failed;
use super::slot::{closed, lock, not_inherited, Slot, CLOSED, EXPIRED, RENEWED};
use crate::Result;

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
    newest: Newest,
    reaping: bool,
    closed: bool,
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
        let looked_up = inner.newest.of(transaction.id(), environment.last().1);
        inner.next += 1;
        let slot = Slot::new(inner.next, transaction, looked_up, self);
        inner.live.insert(slot.number(), Arc::clone(&slot));
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
            .map(|slot| (slot.transaction_id(), slot.age()))
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

    pub fn max_age(&self) -> Option<Duration> {
        self.max_age
    }

    /// Keeps the transaction of a slot that has ended for the next.
    pub fn take_back(&self, number: u64, mut transaction: ReadTxn) {
        let mut inner = self.lock();
        inner.live.remove(&number);
        transaction.reset();
        if inner.spare.len() < SPARE && !inner.closed {
            inner.spare.push(transaction);
        }
    }
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
