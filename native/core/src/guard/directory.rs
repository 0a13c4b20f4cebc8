//! An open store's directory: one per directory and process, shared by all who open it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use super::backup::at;
use super::check::check_file;
use super::lock::{LockFile, WriterGuard};
use super::marker::{self, Found};
use super::{filesystem, vacuum};
use crate::tree::lmdb::fork::{generation, PerProcess};
use crate::tree::lmdb::identity;
use crate::tree::{closed, not_inherited, Options, Reader, Store};
use crate::{Error, Result};

/// What is open in this process, by what [`identity`] gives. An entry goes when all of it is closed:
/// a file handle of the lock file that is closed late would take the locks of the next one.
static OPEN: PerProcess<HashMap<(u64, u64), Weak<Directory>>> = PerProcess::new();

/// How a directory is opened.
#[derive(Debug, Clone, Default)]
pub struct DirectoryOptions {
    pub store: Options,
    /// Open it on a network file system too, where locks and maps may not work.
    pub force: bool,
    /// How long to wait for a process that has the store for itself (a vacuum).
    pub lock_timeout: Duration,
}

/// A store with all that processes and threads need to share its directory.
#[derive(Debug)]
pub struct Directory {
    path: PathBuf,
    identity: Option<(u64, u64)>,
    generation: u64,
    /// None while it is being dropped.
    held: Option<Held>,
}

#[derive(Debug)]
struct Held {
    store: Store,
    /// None where there is none and none can be made.
    lock: Option<LockFile>,
}

impl Directory {
    /// Opens a directory, or gives what this process has open already. Then the first one's options hold;
    /// opening for writing what is open for reading is `Usage`.
    pub fn open(path: &Path, options: &DirectoryOptions) -> Result<Arc<Directory>> {
        if options.store.create && !options.store.read_only {
            make(path)?;
        }
        loop {
            // Held to the end: two threads that open one directory get one environment.
            let mut open = OPEN.lock();
            let found = identity(path).and_then(|identity| open.get(&identity));
            match found.map(Weak::upgrade) {
                None => {
                    let held = Held::open(path, options)?;
                    let directory = Arc::new(Directory {
                        // The working directory may change.
                        path: std::fs::canonicalize(path).unwrap_or_else(|_| path.into()),
                        identity: identity(path),
                        generation: generation(),
                        held: Some(held),
                    });
                    let known = directory
                        .identity
                        .map(|known| (known, Arc::downgrade(&directory)));
                    open.extend(known);
                    return Ok(directory);
                }
                Some(Some(found)) => {
                    // Its end, if this is the last of it, needs the lock.
                    drop(open);
                    return found.again(options);
                }
                // Another thread is closing it.
                Some(None) => {
                    drop(open);
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
        }
    }

    /// The store; `Usage` in a process that was forked since.
    pub fn store(&self) -> Result<&Store> {
        Ok(&self.held()?.store)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits for the right to write, at most `timeout`; then `Locked` names the process that has it, since
    /// when and what it is `doing`. Threads are served in the order they came.
    pub fn lock_writer(self: &Arc<Self>, timeout: Duration, doing: &str) -> Result<WriterGuard> {
        self.lock_file()?.lock_writer(timeout, doing)?;
        Ok(WriterGuard::new(Arc::clone(self)))
    }

    /// Who reads: every transaction that this or another process holds, the oldest first.
    pub fn readers(&self) -> Result<Vec<Reader>> {
        self.store()?.readers()
    }

    pub(super) fn unlock_writer(&self) {
        if let Ok(Held {
            lock: Some(lock), ..
        }) = self.held()
        {
            lock.unlock_writer();
        }
    }

    /// The lock file; `ReadOnly` where there is none or nothing may be written.
    pub(super) fn lock_file(&self) -> Result<&LockFile> {
        let held = self.held()?;
        let lock = held.lock.as_ref().filter(|_| !held.store.is_read_only());
        lock.ok_or_else(|| {
            Error::ReadOnly(format!("{} was opened for reading", self.path.display()))
        })
    }

    fn held(&self) -> Result<&Held> {
        not_inherited(self.generation)?;
        self.held.as_ref().ok_or_else(closed)
    }

    fn again(self: Arc<Self>, options: &DirectoryOptions) -> Result<Arc<Directory>> {
        if self.store()?.is_read_only() && !options.store.read_only {
            return Err(Error::Usage(format!(
                "{} is open in this process for reading: close that one before opening it for writing",
                self.path.display()
            )));
        }
        Ok(self)
    }
}

impl Held {
    fn open(path: &Path, options: &DirectoryOptions) -> Result<Held> {
        let makes = options.store.create && !options.store.read_only;
        // A directory that holds something else is left as it is.
        let creates = match marker::look(path)? {
            Found::Store => false,
            Found::Room if makes => true,
            Found::Foreign(names) if makes => return Err(marker::foreign(path, &names)),
            _ => return Err(no_store(path)),
        };
        if !options.force {
            filesystem::check(path)?;
        }
        if creates {
            marker::begin(path)?;
        }
        let lock = match LockFile::open(path, options.store.read_only) {
            Ok(lock) => Some(lock),
            // Nobody can have written here since the directory cannot be written.
            Err(_) if options.store.read_only => None,
            Err(error) => return Err(error),
        };
        if let Some(lock) = &lock {
            let deadline = Instant::now() + options.lock_timeout;
            if !lock.use_shared(deadline)? {
                return Err(Error::Locked(format!(
                    "{} is being vacuumed by process {}: try again later",
                    path.display(),
                    lock.other_user().unwrap_or_default()
                )));
            }
        }
        if creates {
            let store = create(path, options, lock.as_ref())?;
            return Ok(Held { store, lock });
        }
        let quiet = || match lock.as_ref().filter(|_| !options.store.read_only) {
            Some(lock) => lock
                .lock_writer(options.lock_timeout, "a check of the file's length")
                .map(|()| Some(lock)),
            None => Ok(None),
        };
        check_file(path, || quiet().map(Turn))?;
        if lock.is_some() && !options.store.read_only {
            vacuum::clean(path);
        }
        let store = Store::open(path, options.store.clone())?;
        if !options.store.read_only {
            marker::finish(path)?;
        }
        Ok(Held { store, lock })
    }
}

/// Makes the store of a directory that has none. Others who create it wait, and then find it there.
fn create(path: &Path, options: &DirectoryOptions, lock: Option<&LockFile>) -> Result<Store> {
    if let Some(lock) = lock {
        lock.lock_writer(options.lock_timeout, "creating the store")?;
    }
    let _turn = Turn(lock);
    marker::clear(path)?;
    let store = Store::open(path, options.store.clone())?;
    marker::finish(path)?;
    Ok(store)
}

/// The writer's turn while a directory is being opened.
struct Turn<'l>(Option<&'l LockFile>);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if let Some(lock) = self.0 {
            lock.unlock_writer();
        }
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        if self.generation != generation() {
            // All of it is the parent's; see `Environment` and `system.rs`.
            std::mem::forget(self.held.take());
            return;
        }
        let mut open = OPEN.lock();
        if let Some(held) = self.held.take() {
            let _ = held.store.close();
        }
        if let Some(identity) = self.identity {
            open.remove(&identity);
        }
    }
}

fn make(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(at(path, "make"))
}

/// For a directory that was to hold a store, and is not to become one.
pub(super) fn no_store(path: &Path) -> Error {
    Error::Store(format!(
        "there is no store in {}: data.mdb is missing",
        path.display()
    ))
}
