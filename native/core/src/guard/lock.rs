//! The lock file of a directory: whose turn it is to write, and who has the store open.
//!
//! Three bytes of `guard.lock` are locked, none of them is written:
//! byte 0 by the writer; byte 1 by who is next, so that a process that writes all the time lets
//! others in; byte 2 by every process that has the store open (shared), or by a vacuum (alone).

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::backup::at;
use super::directory::Directory;
use super::holder::Holder;
use super::queue::Queue;
use super::system::{in_the_way, lock_byte, Want};
use crate::{Error, Result};

const WRITER: i64 = 0;
const NEXT: i64 = 1;
const USE: i64 = 2;

/// The lock file, open once per process.
#[derive(Debug)]
pub(super) struct LockFile {
    file: File,
    queue: Queue,
    /// What this process wrote last about itself.
    told: Mutex<Option<Holder>>,
}

impl LockFile {
    /// Opens it, made if it is not there. Who only reads needs no right to write it: a shared lock goes without.
    pub fn open(directory: &Path, read_only: bool) -> Result<LockFile> {
        let path = directory.join("guard.lock");
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path);
        if read_only && file.is_err() {
            file = File::open(&path);
        }
        let file = file.map_err(at(&path, "open"))?;
        Ok(LockFile {
            file,
            queue: Queue::default(),
            told: Mutex::default(),
        })
    }

    /// Becomes the writer; `Locked` names who is it at the deadline.
    pub fn lock_writer(&self, timeout: Duration, doing: &str) -> Result<()> {
        let deadline = Instant::now() + timeout;
        if !self.queue.enter(deadline) {
            return Err(self.locked(timeout));
        }
        let taken = self.take_turn(deadline);
        if let Ok(true) = taken {
            self.tell(Holder::now(doing));
            return Ok(());
        }
        self.queue.leave();
        match taken {
            Err(error) => Err(error),
            Ok(_) => Err(self.locked(timeout)),
        }
    }

    pub fn unlock_writer(&self) {
        // Freeing a lock that is held does not fail.
        let _ = lock_byte(&self.file, WRITER, Want::Free);
        self.queue.leave();
    }

    /// Leaves this process's name. One that was left a moment ago does as well: writing takes longer than locking.
    fn tell(&self, holder: Holder) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let moment = Duration::from_millis(100);
        let still = told.as_ref().is_some_and(|told| {
            told.doing == holder.doing && holder.since.saturating_sub(told.since) < moment
        });
        if !(still && Holder::read(&self.file) == *told) {
            holder.write(&self.file);
            *told = Some(holder);
        }
    }

    /// The two locks, one after the other; the first is given back in any case.
    fn take_turn(&self, deadline: Instant) -> Result<bool> {
        // Nobody waits, nobody writes: the common case.
        let free = in_the_way(&self.file, NEXT, Want::Alone).is_none();
        if free && matches!(lock_byte(&self.file, WRITER, Want::Alone), Ok(true)) {
            return Ok(true);
        }
        if !self.poll(NEXT, Want::Alone, deadline, Duration::from_millis(10))? {
            return Ok(false);
        }
        // Only one process in all polls for the writer's byte, so it may ask often.
        let taken = self.poll(WRITER, Want::Alone, deadline, Duration::from_millis(1));
        let _ = lock_byte(&self.file, NEXT, Want::Free);
        taken
    }

    fn poll(&self, byte: i64, want: Want, deadline: Instant, longest: Duration) -> Result<bool> {
        let mut pause = Duration::from_micros(50);
        loop {
            let locked = lock_byte(&self.file, byte, want);
            if locked.map_err(|error| Error::Store(format!("could not lock the store: {error}")))? {
                return Ok(true);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            std::thread::sleep(pause.min(left));
            pause = (pause * 2).min(longest);
        }
    }

    fn locked(&self, timeout: Duration) -> Error {
        let who = match (self.writer(), Holder::read(&self.file)) {
            (_, Some(holder)) => holder.describe(),
            (Some(pid), None) => format!("process {pid}"),
            (None, None) => "another process".into(),
        };
        Error::Locked(format!(
            "waited {:.1} s to write, but {who} is writing: try again later, or with a larger lock_timeout_s",
            timeout.as_secs_f64()
        ))
    }

    /// The process that writes, if it is another.
    fn writer(&self) -> Option<u32> {
        in_the_way(&self.file, WRITER, Want::Alone)
    }

    /// Says to all that this process has the store open.
    pub fn use_shared(&self, deadline: Instant) -> Result<bool> {
        self.poll(USE, Want::Shared, deadline, Duration::from_millis(10))
    }

    /// Has the store for this process alone, if no other has it open.
    pub fn use_alone(&self, deadline: Instant) -> Result<bool> {
        self.poll(USE, Want::Alone, deadline, Duration::from_millis(10))
    }

    /// Another process that has the store open.
    pub fn other_user(&self) -> Option<u32> {
        in_the_way(&self.file, USE, Want::Alone)
    }
}

/// The right to write; ends with this value. Belongs to the thread that writes.
#[derive(Debug)]
pub struct WriterGuard {
    directory: Arc<Directory>,
}

impl WriterGuard {
    pub(super) fn new(directory: Arc<Directory>) -> WriterGuard {
        WriterGuard { directory }
    }
}

impl Drop for WriterGuard {
    fn drop(&mut self) {
        self.directory.unlock_writer();
    }
}
