//! Work that threads share out and whose results are taken in order, only so many ahead.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::{Error, Result};

struct State<T> {
    /// The next piece of work to start, and the next result to take.
    next: usize,
    taken: usize,
    done: BTreeMap<usize, Result<T>>,
    stopped: bool,
    working: usize,
}

struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nothing is left half done under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the workers however the taker ends.
struct Stop<'a, T>(&'a Shared<T>);

impl<T> Drop for Stop<'_, T> {
    fn drop(&mut self) {
        self.0.lock().stopped = true;
        self.0.changed.notify_all();
    }
}

/// Says that a worker is gone, also when it died.
struct Gone<'a, T>(&'a Shared<T>);

impl<T> Drop for Gone<'_, T> {
    fn drop(&mut self) {
        self.0.lock().working -= 1;
        self.0.changed.notify_all();
    }
}

/// Makes the results of `0..count` in `threads` threads and gives them to `take`, in order and in this
/// thread. At most `threads + 2` results wait. The first failure, of either side, ends it.
pub(crate) fn in_order<T: Send>(
    count: usize,
    threads: usize,
    make: impl Fn(usize) -> Result<T> + Sync,
    mut take: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let threads = threads.clamp(1, count.max(1));
    let shared = Shared {
        state: Mutex::new(State {
            next: 0,
            taken: 0,
            done: BTreeMap::new(),
            stopped: false,
            working: threads,
        }),
        changed: Condvar::new(),
    };
    std::thread::scope(|scope| {
        let _stop = Stop(&shared);
        for _ in 0..threads {
            scope.spawn(|| work(&shared, count, threads + 2, &make));
        }
        for number in 0..count {
            take(wait_for(&shared, number)?)?;
        }
        Ok(())
    })
}

fn work<T>(shared: &Shared<T>, count: usize, ahead: usize, make: impl Fn(usize) -> Result<T>) {
    let _gone = Gone(shared);
    loop {
        let mut state = shared.lock();
        while !state.stopped && state.next < count && state.next >= state.taken + ahead {
            state = wait(shared, state);
        }
        if state.stopped || state.next >= count {
            return;
        }
        let number = state.next;
        state.next += 1;
        drop(state);
        let result = make(number);
        shared.lock().done.insert(number, result);
        shared.changed.notify_all();
    }
}

fn wait_for<T>(shared: &Shared<T>, number: usize) -> Result<T> {
    let mut state = shared.lock();
    loop {
        if let Some(result) = state.done.remove(&number) {
            state.taken = number + 1;
            shared.changed.notify_all();
            return result;
        }
        if state.working == 0 {
            return Err(Error::Store(
                "a thread that prepared cells to load has died; nothing was stored".into(),
            ));
        }
        state = wait(shared, state);
    }
}

fn wait<'a, T>(shared: &Shared<T>, state: MutexGuard<'a, State<T>>) -> MutexGuard<'a, State<T>> {
    shared
        .changed
        .wait(state)
        .unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let mut taken = Vec::new();
        let take = |number| {
            taken.push(number);
            Ok(())
        };
        assert_eq!(in_order(500, 3, |number| Ok(number * 2), take), Ok(()));
        assert!(taken.iter().copied().eq((0..500).map(|number| number * 2)));
    }

    #[test]
    fn a_failure_of_either_side_ends_it() {
        let failure = || Error::Store("no".into());
        let make = |number| match number {
            7 => Err(failure()),
            _ => Ok(number),
        };
        let mut taken = 0;
        let count = |_| {
            taken += 1;
            Ok(())
        };
        assert_eq!(in_order(100, 2, make, count), Err(failure()));
        assert_eq!(taken, 7);
        assert_eq!(in_order(100, 2, Ok, |_| Err(failure())), Err(failure()));
    }
}
