//! Looking after a directory: who reads it, copies of it, and giving space back.

use std::path::Path;

use super::Engine;
use crate::guard::Vacuumed;
use crate::tree::Reader;
use crate::Result;

impl Engine {
    /// Who holds a state of the store, in this or another process, the oldest first.
    pub fn readers(&self) -> Result<Vec<Reader>> {
        self.inner.directory()?.readers()
    }

    /// Copies the store as it is now into a new directory; gives the bytes written.
    pub fn backup(&self, target: &Path) -> Result<u64> {
        if !self.inner.options.read_only {
            self.flush()?;
        }
        self.inner.directory()?.backup(target)
    }

    /// Makes the file as short as its content allows; nobody else may have it open.
    pub fn vacuum(&self) -> Result<Vacuumed> {
        let directory = self.inner.writable()?;
        self.flush()?;
        directory.vacuum(self.inner.options.lock_timeout)
    }
}
