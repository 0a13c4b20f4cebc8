//! Gives unused space back: a compacted copy takes the place of the file.
//!
//! A crash leaves the old file or the new one, never a mix: the copy is on disk before a rename gives it
//! the name, and a rename is all or nothing. Nobody may have the old file open then, so a vacuum waits until this
//! process alone has the store open and no snapshot of it is held.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::backup::{at, copy, sync_directory};
use super::lock::LockFile;
use super::Directory;
use crate::{Error, Result};

const COPY: &str = "data.mdb.vacuum";

/// The length of the file before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vacuumed {
    pub before: u64,
    pub after: u64,
}

impl Directory {
    /// Makes the file as short as its content allows. `Locked` when other processes have the store open, or
    /// snapshots of this one are held, for longer than `timeout`.
    pub fn vacuum(self: &Arc<Self>, timeout: Duration) -> Result<Vacuumed> {
        let deadline = Instant::now() + timeout;
        let _turn = self.lock_writer(timeout, "vacuum")?;
        let _shared = self.alone(deadline, "a vacuum")?;
        let done = self.replace(deadline);
        clean(self.path());
        done
    }

    /// Has the store for this process alone until the answer is dropped; `Locked` where another has it open.
    pub(crate) fn alone(&self, deadline: Instant, doing: &str) -> Result<SharedAgain<'_>> {
        let lock = self.lock_file()?;
        if !lock.use_alone(deadline)? {
            let other = lock.other_user().unwrap_or_default();
            return Err(Error::Locked(format!(
                "{doing} cannot run while process {other} has {} open: close it there",
                self.path().display()
            )));
        }
        Ok(SharedAgain(lock))
    }

    fn replace(&self, deadline: Instant) -> Result<Vacuumed> {
        let (data, fresh) = (self.path().join("data.mdb"), self.path().join(COPY));
        let store = self.store()?;
        let before = std::fs::metadata(&data).map_err(at(&data, "read"))?.len();
        clean(self.path());
        let after = copy(&*store.environment()?, &fresh)?;
        let exchanged = store.exchange(deadline, |path| {
            std::fs::rename(&fresh, &data).map_err(at(&data, "replace"))?;
            sync_directory(path)
        })?;
        match exchanged {
            true => Ok(Vacuumed { before, after }),
            false => Err(Error::Locked(format!(
                "a vacuum of {} cannot run while this process has open snapshots: close them",
                self.path().display()
            ))),
        }
    }
}

/// Removes what a vacuum that was killed left behind. None is running: it would have the store for itself.
pub(super) fn clean(directory: &Path) {
    let _ = std::fs::remove_file(directory.join(COPY));
}

/// Lets other processes open the store again.
pub(crate) struct SharedAgain<'l>(&'l LockFile);

impl Drop for SharedAgain<'_> {
    fn drop(&mut self) {
        // From alone to shared nobody can be in the way.
        let _ = self.0.use_shared(Instant::now());
    }
}
