//! What a person does with a whole store: see who reads, copy it, give space back, check it.

use std::path::Path;

use super::Engine;
use crate::guard::{Report, Vacuumed};
use crate::tree::Reader;
use crate::Result;

impl Engine {
    /// Who holds a state of the store, in this and other processes, the oldest first.
    pub fn readers(&self) -> Result<Vec<Reader>> {
        self.inner.directory()?.readers()
    }

    /// Writes what is there now, buffered commits included, into a new directory; gives its bytes.
    pub fn backup(&self, target: &Path) -> Result<u64> {
        let directory = self.inner.directory()?;
        if !self.inner.options.read_only {
            self.flush()?;
        }
        directory.backup(target)
    }

    /// Makes the file as short as its content allows. Needs the store for itself: `Locked` names who has it.
    pub fn vacuum(&self) -> Result<Vacuumed> {
        let directory = self.inner.writable()?;
        self.flush()?;
        directory.vacuum(self.inner.options.lock_timeout)
    }

    /// Checks everything that is stored, from the pages up; better done in a process of its own, by
    /// [`crate::guard::verify`].
    pub fn verify(&self) -> Result<Report> {
        self.inner.directory()?.verify()
    }
}
