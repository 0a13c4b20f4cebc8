//! Removes what deleted cells left behind: bytes of their keys in separators, splits, the log and free pages.
//!
//! Every step is a transaction or a rename, and none changes an answer: a purge that ends anywhere can be begun again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::catalog::put_table;
use super::definition::Definition;
use super::{log, Engine};
use crate::guard::{Directory, Vacuumed};
use crate::{Error, Result};

/// What a purge did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purged {
    /// Cells that were written anew.
    pub cells: u64,
    /// Splits that were removed.
    pub splits: u64,
    pub file: Vacuumed,
}

impl Engine {
    /// `Locked` where another process, or another engine of this one, has the store open.
    pub fn check_alone(&self) -> Result<()> {
        let directory = self.inner.writable()?;
        // A merge in the background holds the directory too; the next commit starts it again.
        self.inner.end_merges();
        let deadline = Instant::now() + self.inner.options.lock_timeout;
        check_others(&directory)?;
        directory.alone(deadline, "a purge").map(drop)
    }

    /// Writes these tables anew, without splits that hold any of the patterns, empties the log of commits, and
    /// copies what is left to a new file. Tables should be merged before: delete markers stay.
    pub fn purge(&self, tables: &[String], patterns: &[Vec<u8>]) -> Result<Purged> {
        let inner = &*self.inner;
        let directory = inner.writable()?;
        self.flush()?;
        inner.end_merges();
        let deadline = Instant::now() + inner.options.lock_timeout;
        check_others(&directory)?;
        let _alone = directory.alone(deadline, "a purge")?;
        crate::load::remove_stale(directory.path());
        let (mut cells, mut splits) = (0, 0);
        for name in tables {
            inner.change(|catalog, writer| {
                let definition = catalog.find(name)?;
                cells += writer.rebuild(definition.id, &definition.trees())?;
                let mut kept = definition.splits.to_vec();
                kept.retain(|row| !patterns.iter().any(|pattern| holds(row, pattern)));
                let gone = definition.splits.len() - kept.len();
                if gone > 0 {
                    splits += gone as u64;
                    let mut definition = Definition::clone(definition);
                    definition.splits = kept.into();
                    put_table(writer, &definition)?;
                }
                Ok(())
            })?;
        }
        inner.change(|_, writer| log::clear(writer))?;
        let file = directory.vacuum(inner.options.lock_timeout)?;
        Ok(Purged {
            cells,
            splits,
            file,
        })
    }
}

fn holds(row: &[u8], pattern: &[u8]) -> bool {
    !pattern.is_empty() && row.windows(pattern.len()).any(|part| part == pattern)
}

/// How long an engine that is being closed by another thread may take. One that stays open is not
/// waited for: its user may be the very thread that waits.
const CLOSING: Duration = Duration::from_millis(250);

/// Refuses while another engine of this process has the directory open: it may have buffered commits.
fn check_others(directory: &Arc<Directory>) -> Result<()> {
    let deadline = Instant::now() + CLOSING;
    // One is the caller's and one that of its engine.
    while Arc::strong_count(directory) > 2 {
        if Instant::now() > deadline {
            return Err(Error::Locked(format!(
                "{} is open more than once in this process: close the others",
                directory.path().display()
            )));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}
