//! Knows whether this process was forked since something was opened.
//!
//! A number that goes up by one in every child, at a cost of one load to ask for; `getpid` is a system call.

use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

static GENERATION: AtomicU64 = AtomicU64::new(0);

/// The number of forks between the first process that used a store and this one.
pub(crate) fn generation() -> u64 {
    static WATCH: Once = Once::new();
    if !WATCH.is_completed() {
        WATCH.call_once(watch);
    }
    GENERATION.load(Ordering::Relaxed)
}

#[cfg(unix)]
fn watch() {
    extern "C" fn child() {
        GENERATION.fetch_add(1, Ordering::Relaxed);
    }
    // SAFETY: the handler only adds to an atomic number, which is safe in a child of a process with threads.
    // When it cannot be registered (no memory), forks go unnoticed, as with plain LMDB.
    unsafe { libc::pthread_atfork(None, None, Some(child)) };
}

#[cfg(not(unix))]
fn watch() {}

/// A value of which every generation has its own: a child starts with an empty one, and never waits for
/// a lock that a thread of its parent held at the moment of the fork.
pub(crate) struct PerProcess<T: 'static> {
    held: AtomicPtr<(u64, Mutex<T>)>,
}

impl<T: Default + Send> PerProcess<T> {
    pub const fn new() -> PerProcess<T> {
        PerProcess {
            held: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    pub fn lock(&'static self) -> MutexGuard<'static, T> {
        let now = generation();
        loop {
            let held = self.held.load(Ordering::Acquire);
            // SAFETY: the pointer is null or comes from `Box::into_raw` below, and what was published
            // is never freed: a child leaks its parent's value, whose lock may be taken for ever.
            if let Some((generation, value)) = unsafe { held.as_ref() } {
                if *generation == now {
                    return value.lock().unwrap_or_else(PoisonError::into_inner);
                }
            }
            let fresh = Box::into_raw(Box::new((now, Mutex::new(T::default()))));
            let swap = (Ordering::AcqRel, Ordering::Acquire);
            if self
                .held
                .compare_exchange(held, fresh, swap.0, swap.1)
                .is_err()
            {
                // SAFETY: nobody else has seen it.
                drop(unsafe { Box::from_raw(fresh) });
            }
        }
    }
}
