//! Opening an environment anew under a store: for a vacuum, and after a failure of the disk.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::databases::{find_databases, Holds};
use super::readers::Readers;
use super::slot::{closed, not_inherited};
use super::store::{open_environment, Current, Store};
use crate::{Error, Result};

impl Store {
    /// Closes the environment, calls `between` and opens it again; false when it was in use until the deadline.
    ///
    /// The locks of LMDB are those of the process on its lock file: of two environments of one directory, the
    /// one that closes would end the locks of the other. So the old one is closed first.
    pub(crate) fn exchange(
        &self,
        deadline: Instant,
        between: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<bool> {
        not_inherited(self.generation)?;
        loop {
            let mut held = self.write_current();
            let current = held.as_mut().ok_or_else(closed)?;
            if current.readers.retire_if_idle() {
                if Arc::strong_count(&current.environment) == 1 {
                    *held = None;
                    let done = between(&self.path);
                    *held = Some(self.again()?);
                    return done.map(|()| true);
                }
                current.readers = Readers::new(self.options.max_snapshot_age);
            }
            drop(held);
            if Instant::now() > deadline {
                return Ok(false);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn again(&self) -> Result<Current> {
        let environment = open_environment(&self.path, &self.options)?;
        if find_databases(&environment)? != Holds::Ours(self.databases) {
            return Err(Error::Store(format!(
                "{} is another store than before",
                self.path.display()
            )));
        }
        Ok(Current {
            environment,
            readers: Readers::new(self.options.max_snapshot_age),
        })
    }

    /// Opens anew what LMDB refuses to use after a failed write of a meta page. Nothing of the failed
    /// transaction is in the store.
    pub(super) fn renew(&self) -> Result<()> {
        match self.write_current().as_ref() {
            Some(current) if current.environment.has_failed() => current.readers.end_all(),
            // Another thread was faster.
            _ => return Ok(()),
        }
        let deadline = Instant::now() + Duration::from_secs(5);
        match self.exchange(deadline, |_| Ok(()))? {
            true => Ok(()),
            false => Err(Error::Store(
                "the disk failed during a commit; the store cannot be opened anew while it is being read".into(),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Options;

    #[test]
    fn a_store_goes_on_after_a_failure_of_the_disk() -> Result<()> {
        let path = std::env::temp_dir().join(format!("lexigraph-renew-{}", std::process::id()));
        let store = Store::open(&path, Options::default())?;
        let table = store.create_table("{}")?;
        let before = store.snapshot()?;
        store.environment()?.fail();
        assert_eq!(store.tables()?, [(table, "{}".to_string())]);
        assert!(matches!(before.enter(), Err(Error::SnapshotExpired(_))));
        assert_eq!(store.create_table("{}")?, table + 1);
        drop((before, store));
        let _ = std::fs::remove_dir_all(path);
        Ok(())
    }
}
