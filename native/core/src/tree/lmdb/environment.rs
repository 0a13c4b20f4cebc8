//! An LMDB environment: open at most once per directory and process, closed when the last user drops it.

use std::collections::HashSet;
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

use super::fork::{generation, PerProcess};
use super::{check, sys, Answer, Code};

/// The stores that this process has open. LMDB's locks are those of POSIX: closing one of two
/// environments of a directory would take away the locks of the other.
static OPEN: PerProcess<HashSet<(u64, u64)>> = PerProcess::new();

/// How an environment is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Flags {
    pub read_only: bool,
    /// Do not wait for the meta page to reach the disk: a power loss may lose the last commits.
    pub relaxed: bool,
}

/// An open environment.
#[derive(Debug)]
pub(crate) struct Environment {
    raw: *mut sys::MDB_env,
    path: PathBuf,
    identity: Option<(u64, u64)>,
    generation: u64,
    read_only: bool,
    failed: AtomicBool,
}

// SAFETY: LMDB allows the calls made here from any thread; transactions are kept to their rules by their types.
unsafe impl Send for Environment {}
// SAFETY: as above.
unsafe impl Sync for Environment {}

/// A slot of the reader table that holds a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reader {
    pub pid: u32,
    pub transaction: u64,
}

impl Environment {
    /// Opens the environment of a directory; `Code(EBUSY)` where this process has it open already.
    pub fn open(path: &Path, map_size: usize, flags: Flags) -> Answer<Environment> {
        // Held to the end, so that no two threads open one directory.
        let mut open = OPEN.lock();
        if identity(path).is_some_and(|held| open.contains(&held)) {
            return Err(Code(libc::EBUSY));
        }
        let raw = open_raw(path, map_size, flags)?;
        let identity = identity(path);
        open.extend(identity);
        Ok(Environment {
            raw,
            path: path.to_path_buf(),
            identity,
            generation: generation(),
            read_only: flags.read_only,
            failed: AtomicBool::new(false),
        })
    }

    /// Whether it was opened before a fork, and is thus another process's.
    pub fn is_inherited(&self) -> bool {
        self.generation != generation()
    }

    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    pub(super) fn raw(&self) -> *mut sys::MDB_env {
        self.raw
    }

    /// The last page that was ever used and the newest transaction.
    pub fn last(&self) -> (u64, u64) {
        // SAFETY: a struct of numbers, which LMDB fills.
        let mut info: sys::MDB_envinfo = unsafe { std::mem::zeroed() };
        // SAFETY: the environment is open.
        unsafe { sys::mdb_env_info(self.raw, &mut info) };
        (info.me_last_pgno as u64, info.me_last_txnid as u64)
    }

    /// Frees the slots of readers whose process is gone; gives their number.
    pub fn clear_stale_readers(&self) -> Answer<usize> {
        let mut dead = 0;
        // SAFETY: the environment is open.
        check(unsafe { sys::mdb_reader_check(self.raw, &mut dead) })?;
        Ok(usize::try_from(dead).unwrap_or_default())
    }

    /// The readers of all processes, as far as they hold a transaction now.
    pub fn readers(&self) -> Vec<Reader> {
        let mut text = String::new();
        // SAFETY: `collect` gets the pointer to `text` back, during the call only.
        unsafe { sys::mdb_reader_list(self.raw, Some(collect), (&raw mut text).cast()) };
        // A line is: process, thread, transaction or "-".
        let reader = |line: &str| {
            let mut words = line.split_whitespace();
            let pid = words.next()?.parse().ok()?;
            let transaction = words.nth(1)?.parse().ok()?;
            Some(Reader { pid, transaction })
        };
        text.lines().filter_map(reader).collect()
    }

    /// Whether LMDB refuses all transactions since a meta page could not be written.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// As after a meta page that could not be written.
    #[cfg(test)]
    pub fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// What a failed write means. LMDB calls one that was cut short an input/output error, also where
    /// the disk is full.
    pub(super) fn explain(&self, code: Code) -> Code {
        let mut raw = null_mut();
        // SAFETY: the environment is open; the transaction is ended at once.
        let begun = unsafe { sys::mdb_txn_begin(self.raw, null_mut(), sys::MDB_RDONLY, &mut raw) };
        match begun {
            // SAFETY: it was begun and is used by nobody.
            sys::MDB_SUCCESS => unsafe { sys::mdb_txn_abort(raw) },
            sys::MDB_PANIC => self.failed.store(true, Ordering::Relaxed),
            _ => {}
        }
        match code.0 {
            libc::EIO => Code(crate::guard::no_room(&self.path).unwrap_or(code.0)),
            _ => code,
        }
    }

    /// Writes a compacted copy of the newest state to an open file.
    #[cfg(unix)]
    pub fn copy_to(&self, file: &std::fs::File) -> Answer<()> {
        use std::os::fd::AsRawFd;
        // SAFETY: both are open for the whole call; LMDB reads through a transaction of its own.
        check(unsafe { sys::mdb_env_copyfd2(self.raw, file.as_raw_fd(), sys::MDB_CP_COMPACT) })
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        // What a forked child inherited is its parent's. It is left as it is: closing the lock file
        // would also end the locks of an environment that the child opened itself.
        if self.is_inherited() {
            return;
        }
        // SAFETY: every transaction holds the environment, so none is left.
        unsafe { sys::mdb_env_close(self.raw) };
        if let Some(identity) = self.identity {
            OPEN.lock().remove(&identity);
        }
    }
}

/// What tells the store of a directory from all others of this process, by whatever path: device and number of
/// its lock file, or of its data where there is none. Those of the directory itself would not do: a new
/// directory may get the number of one that was removed while its store was open.
#[cfg(unix)]
pub(crate) fn identity(directory: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let file = |name| std::fs::metadata(directory.join(name)).ok();
    let found = file("lock.mdb").or_else(|| file("data.mdb"))?;
    Some((found.dev(), found.ino()))
}

/// A hash of the whole path stands for it.
#[cfg(not(unix))]
pub(crate) fn identity(directory: &Path) -> Option<(u64, u64)> {
    let whole = std::fs::canonicalize(directory.join("lock.mdb")).ok()?;
    let hash = xxhash_rust::xxh3::xxh3_64(whole.to_string_lossy().as_bytes());
    Some((0, hash))
}

fn open_raw(path: &Path, map_size: usize, flags: Flags) -> Answer<*mut sys::MDB_env> {
    let path = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| Code(libc::EINVAL))?;
    // NOTLS: a read transaction belongs to no thread, so any may use and end it. The flags that could damage
    // the file when a process or machine dies (NOSYNC, WRITEMAP, NOLOCK) are never set.
    let mut bits = sys::MDB_NOTLS;
    if flags.read_only {
        bits |= sys::MDB_RDONLY;
    }
    if flags.relaxed {
        bits |= sys::MDB_NOMETASYNC;
    }
    let mut raw = null_mut();
    // SAFETY: the calls come in the order that LMDB asks for, and a failed environment is closed once.
    unsafe {
        check(sys::mdb_env_create(&mut raw))?;
        let opened = check(sys::mdb_env_set_mapsize(raw, map_size as sys::mdb_size_t))
            .and_then(|()| check(sys::mdb_env_set_maxdbs(raw, 8)))
            .and_then(|()| check(sys::mdb_env_set_maxreaders(raw, 1022)))
            .and_then(|()| check(sys::mdb_env_open(raw, path.as_ptr(), bits, 0o644)));
        if let Err(code) = opened {
            sys::mdb_env_close(raw);
            return Err(code);
        }
    }
    Ok(raw)
}

/// Takes a line of LMDB's list of readers.
unsafe extern "C" fn collect(line: *const c_char, text: *mut c_void) -> c_int {
    // SAFETY: `readers` gave the pointer to its own text; LMDB gives a line that ends in 0.
    let (text, line) = unsafe { (text.cast::<String>().as_mut(), CStr::from_ptr(line)) };
    if let Some(text) = text {
        text.push_str(&line.to_string_lossy());
    }
    0
}
