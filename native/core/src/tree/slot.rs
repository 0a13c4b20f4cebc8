//! One read transaction as a snapshot: entered, shut and ended, each at most once and never in the wrong order.
//!
//! The state of a [`Slot`] is one atomic number: how many guards it has, whether it may still be entered, and
//! whether its transaction has ended. A first guard is added only while no bit is set, a further one always; the end comes
//! only by a change from "no guards" to "ended". So no transaction ends under a guard and none is used after
//! its end, without a lock.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::lmdb::fork::generation;
use super::lmdb::{ReadTxn, RoTxn};
use super::looked_up::LookedUp;
use super::readers::Readers;
use crate::{Error, Result};

/// No new guards, and why.
pub(super) const RENEWED: u32 = 1 << 27;
pub(super) const EXPIRED: u32 = 1 << 28;
pub(super) const CLOSED: u32 = 1 << 29;
const RELEASED: u32 = 1 << 30;
/// The transaction is over.
const ENDED: u32 = 1 << 31;
const SHUT: u32 = RENEWED | EXPIRED | CLOSED | RELEASED | ENDED;

/// A read transaction as long as it serves one snapshot.
#[derive(Debug)]
pub(super) struct Slot {
    number: u64,
    started: Instant,
    transaction_id: u64,
    /// What is known of the state.
    looked_up: Arc<LookedUp>,
    state: AtomicU32,
    transaction: Mutex<Option<ReadTxn>>,
    readers: Weak<Readers>,
    max_age: Option<Duration>,
    generation: u64,
}

impl Slot {
    /// For a snapshot of a transaction that was just started.
    pub fn new(
        number: u64,
        transaction: ReadTxn,
        looked_up: Arc<LookedUp>,
        readers: &Arc<Readers>,
    ) -> Arc<Slot> {
        Arc::new(Slot {
            number,
            started: Instant::now(),
            transaction_id: transaction.id(),
            looked_up,
            state: AtomicU32::new(0),
            transaction: Mutex::new(Some(transaction)),
            readers: Arc::downgrade(readers),
            max_age: readers.max_age(),
            generation: generation(),
        })
    }

    /// One that has no transaction any more.
    pub fn ended(&self) -> Slot {
        Slot {
            number: self.number,
            started: self.started,
            transaction_id: self.transaction_id,
            looked_up: Arc::default(),
            state: AtomicU32::new(EXPIRED | ENDED),
            transaction: Mutex::default(),
            readers: Weak::new(),
            max_age: self.max_age,
            generation: self.generation,
        }
    }

    /// Later ones have greater numbers.
    pub fn number(&self) -> u64 {
        self.number
    }

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

    pub fn looked_up(&self) -> &LookedUp {
        &self.looked_up
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
        let late = || self.max_age.is_some_and(|limit| self.age() > limit);
        let mut state = self.state.load(Ordering::Acquire);
        loop {
            // Under a guard that lives, others may come: what was begun under it does not break off.
            let has_guards = state & !SHUT != 0;
            if !has_guards && (state != 0 || late()) {
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

    /// Lets nobody enter any more, for this reason; ends now or with the last guard.
    pub fn shut(&self, why: u32) {
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
             take a new one, or open the store with a larger max_snapshot_age_s",
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
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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
