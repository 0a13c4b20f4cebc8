//! Threads of one process take turns in the order they came, each with its own patience.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A lock whose waiters are served in order.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Waiting {
    next: u64,
    /// Whose turn it is stands in front.
    tickets: VecDeque<u64>,
}

impl Queue {
    /// Waits for a turn until `deadline`; says whether it came.
    pub fn enter(&self, deadline: Instant) -> bool {
        let mut waiting = self.lock();
        let ticket = waiting.next;
        waiting.next += 1;
        waiting.tickets.push_back(ticket);
        while waiting.tickets.front() != Some(&ticket) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                waiting.tickets.retain(|held| *held != ticket);
                return false;
            }
            let woken = self.changed.wait_timeout(waiting, left);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Ends the turn of whoever has it.
    pub fn leave(&self) {
        self.lock().tickets.pop_front();
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn nobody_shares_a_turn_and_everybody_gets_one() {
        let (queue, inside, turns) = (Queue::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        assert!(queue.enter(Instant::now() + Duration::from_secs(60)));
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        turns.fetch_add(1, Ordering::SeqCst);
                        inside.fetch_sub(1, Ordering::SeqCst);
                        queue.leave();
                    }
                });
            }
        });
        assert_eq!(turns.load(Ordering::SeqCst), 1600);
    }

    #[test]
    fn who_gives_up_does_not_block_those_behind() {
        let queue = Queue::default();
        assert!(queue.enter(Instant::now()));
        assert!(!queue.enter(Instant::now()));
        queue.leave();
        assert!(queue.enter(Instant::now()));
    }
}
