//! Signals while the core works: Ctrl-C ends a long scan, as it ends a loop of Python.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// So seldom, because it takes the interpreter's lock.
const EVERY: Duration = Duration::from_millis(50);

/// Looks for signals on behalf of the thread that waits for the core.
#[derive(Default)]
pub struct Interrupt(Mutex<State>);

#[derive(Default)]
struct State {
    /// Whoever called: Python handles signals in its main thread only, so no other may look.
    caller: Option<(ThreadId, Instant)>,
    raised: Option<PyErr>,
}

impl Interrupt {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that this thread calls the core now.
    pub fn enter(&self) {
        self.state().caller = Some((thread::current().id(), Instant::now()));
    }

    /// Whether a signal was handled by raising something.
    pub fn is_due(&self) -> bool {
        match &mut self.state().caller {
            Some((caller, last)) if *caller == thread::current().id() => {
                if last.elapsed() < EVERY {
                    return false;
                }
                *last = Instant::now();
            }
            _ => return false,
        }
        // Without the lock on the state: another thread may hold the interpreter and ask for the state.
        let Err(error) = Python::attach(|py| py.check_signals()) else {
            return false;
        };
        self.state().raised = Some(error);
        true
    }

    /// What was raised, once.
    pub fn raised(&self) -> Option<PyErr> {
        self.state().raised.take()
    }
}
