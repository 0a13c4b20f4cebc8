//! What watches over a scan: whether it is still wanted, and how much it has read.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Instant;

use crate::{Error, Result};

/// Says whether a scan is to end. Every thread of the scan asks, at every block, so it must be quick.
#[derive(Clone)]
pub struct Ask(Arc<dyn Fn() -> bool + Send + Sync>);

impl Ask {
    pub fn new(ask: impl Fn() -> bool + Send + Sync + 'static) -> Ask {
        Ask(Arc::new(ask))
    }
}

impl std::fmt::Debug for Ask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Ask")
    }
}

/// Asked at every block; threads of one scan share it.
#[derive(Debug, Default)]
pub struct Watch {
    ask: Option<Ask>,
    cancelled: Arc<AtomicBool>,
    deadline: Option<Instant>,
    blocks: AtomicU64,
    cells: AtomicU64,
    /// Ends this one too, and counts with it.
    above: Option<Arc<Watch>>,
}

impl Watch {
    /// Ends a scan when `cancelled` is set or the time is up.
    pub fn new(cancelled: Arc<AtomicBool>, deadline: Option<Instant>) -> Watch {
        Watch {
            cancelled,
            deadline,
            ..Watch::default()
        }
    }

    /// The same, which also asks whoever runs it.
    pub fn asking(self, ask: Option<Ask>) -> Watch {
        Watch { ask, ..self }
    }

    /// One that ends with another, or before it.
    pub fn under(above: &Arc<Watch>) -> Watch {
        Watch {
            above: Some(Arc::clone(above)),
            ..Watch::default()
        }
    }

    /// Ends what it watches over.
    pub fn stop(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// An error where the scan is to end.
    pub fn check(&self) -> Result<()> {
        if let Some(above) = &self.above {
            above.check()?;
        }
        let asked = self.ask.as_ref().is_some_and(|ask| (ask.0)());
        if asked || self.cancelled.load(Ordering::Relaxed) {
            return Err(Error::Cancelled("the scan was cancelled".into()));
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Error::Timeout(
                "the scan ran past its time limit; give it more, or ask for less".into(),
            )),
            _ => Ok(()),
        }
    }

    /// Blocks that were opened and their cells that lay in a range.
    pub fn counts(&self) -> (u64, u64) {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (read(&self.blocks), read(&self.cells))
    }

    pub(super) fn opened(&self) -> Result<()> {
        if let Some(above) = &self.above {
            above.blocks.fetch_add(1, Ordering::Relaxed);
        }
        self.blocks.fetch_add(1, Ordering::Relaxed);
        self.check()
    }

    pub(super) fn entered(&self, cells: usize) {
        if let Some(above) = &self.above {
            above.cells.fetch_add(cells as u64, Ordering::Relaxed);
        }
        self.cells.fetch_add(cells as u64, Ordering::Relaxed);
    }
}
