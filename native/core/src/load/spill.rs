//! Sorted cells in a temporary file: frames of records, each with its length and checksum.
//!
//! Files stand in a directory `tmp-load-<process>-<number>` inside the store's own, so that they take
//! space where the store will. The directory goes when the load ends; one whose process died goes
//! when the store is opened next.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::xxh3_64;

use super::record;
use crate::cells::Key;
use crate::{Error, Result};

/// What the names of directories start with that a load sorts in.
pub const PREFIX: &str = "tmp-load-";
const HEAD: usize = 16;

/// The temporary directory of one load.
#[derive(Debug)]
pub(super) struct Spill {
    path: PathBuf,
    files: usize,
}

impl Spill {
    pub fn new(store: &Path) -> Result<Spill> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = store.join(format!("{PREFIX}{}-{number}", std::process::id()));
        fs::create_dir_all(&path).map_err(failed("make the directory", &path))?;
        Ok(Spill { path, files: 0 })
    }

    pub fn run(&mut self) -> Result<RunWriter> {
        let path = self.path.join(format!("{:06}", self.files));
        self.files += 1;
        let file = File::create(&path).map_err(failed("make the file", &path))?;
        Ok(RunWriter {
            file,
            run: Run {
                path,
                frames: Vec::new(),
                size: 0,
                restamp: None,
            },
        })
    }
}

impl Drop for Spill {
    fn drop(&mut self) {
        // What cannot be removed now is removed when the store is opened next.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes what loads left behind whose process is gone.
///
/// A process that cannot be asked for, because the system has no `/proc`, counts as gone unless it is this one.
pub fn remove_stale(store: &Path) {
    let Ok(entries) = fs::read_dir(store) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let process = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX))
            .and_then(|rest| rest.split('-').next())
            .and_then(|process| process.parse::<u32>().ok());
        if let Some(process) = process {
            let alive =
                process == std::process::id() || Path::new(&format!("/proc/{process}")).exists();
            if !alive {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// Some records of a run.
#[derive(Debug)]
struct Frame {
    first: Key,
    place: u64,
}

/// A file of sorted records.
#[derive(Debug)]
pub(super) struct Run {
    path: PathBuf,
    frames: Vec<Frame>,
    size: u64,
    /// Cells with the first time are read as if they had the second.
    restamp: Option<(i64, i64)>,
}

pub(super) struct RunWriter {
    file: File,
    run: Run,
}

impl RunWriter {
    /// Writes sorted records that come behind those before.
    pub fn frame(&mut self, records: &[u8]) -> Result<()> {
        let Some((first, _)) = record::read(records) else {
            return Ok(());
        };
        let mut head = [0; HEAD];
        let (length, sum) = head.split_at_mut(8);
        length.copy_from_slice(&(records.len() as u64).to_le_bytes());
        sum.copy_from_slice(&xxh3_64(records).to_le_bytes());
        self.run.frames.push(Frame {
            first: first.key.to_owned(),
            place: self.run.size,
        });
        self.run.size += (HEAD + records.len()) as u64;
        let written = self.file.write_all(&head);
        written
            .and_then(|()| self.file.write_all(records))
            .map_err(failed("write the file", &self.run.path))
    }

    pub fn finish(self) -> Run {
        self.run
    }
}

impl Run {
    /// The first keys of its frames: about evenly spaced by bytes.
    pub fn samples(&self) -> impl Iterator<Item = &Key> {
        self.frames.iter().map(|frame| &frame.first)
    }

    /// Gives cells of one time another, which must leave them in order.
    pub fn restamp(&mut self, from: i64, to: i64) {
        self.restamp = Some((from, to));
        for frame in &mut self.frames {
            if frame.first.timestamp == from {
                frame.first.timestamp = to;
            }
        }
    }

    /// Gives frames from the last that starts where `before` holds, or from the first, until `take` has
    /// enough and says `false`.
    pub fn read(
        &self,
        before: impl Fn(&Key) -> bool,
        mut take: impl FnMut(&[u8]) -> bool,
    ) -> Result<()> {
        let failed = |error| failed("read the file", &self.path)(error);
        let from = self.frames.partition_point(|frame| before(&frame.first));
        let Some(frame) = self.frames.get(from.saturating_sub(1)) else {
            return Ok(());
        };
        let mut file = File::open(&self.path).map_err(failed)?;
        file.seek(SeekFrom::Start(frame.place)).map_err(failed)?;
        let (mut place, mut bytes) = (frame.place, Vec::new());
        while place < self.size {
            let mut head = [0; HEAD];
            file.read_exact(&mut head).map_err(failed)?;
            let [length, sum] = [0, 8].map(|at| {
                let number = head.get(at..).and_then(<[u8]>::first_chunk);
                number.map_or(0, |number| u64::from_le_bytes(*number))
            });
            place += HEAD as u64 + length;
            if place > self.size {
                return Err(self.damaged());
            }
            bytes.resize(length as usize, 0);
            file.read_exact(&mut bytes).map_err(failed)?;
            if xxh3_64(&bytes) != sum {
                return Err(self.damaged());
            }
            if let Some((from, to)) = self.restamp {
                record::restamp(&mut bytes, from, to);
            }
            if !take(&bytes) {
                break;
            }
        }
        Ok(())
    }

    pub fn damaged(&self) -> Error {
        Error::Corruption(format!(
            "the temporary file {} was changed while it was in use; nothing was stored, load again",
            self.path.display()
        ))
    }
}

fn failed<'a>(doing: &'a str, path: &'a Path) -> impl Fn(std::io::Error) -> Error + 'a {
    move |error| {
        let message = format!(
            "could not {doing} {} that a load needs: {error}; nothing was stored",
            path.display()
        );
        match error.kind() {
            std::io::ErrorKind::StorageFull => Error::Full(message),
            _ => Error::Store(message),
        }
    }
}
