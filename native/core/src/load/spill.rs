//! Cells in a temporary file: frames of records, each with its length and checksum. Frames ascend.
//!
//! Files stand in a directory `tmp-load-<process>-<number>` inside the store's own, so that they take
//! space where the store will. The directory goes when the load ends; one whose process died goes
//! when the store is opened next.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use xxhash_rust::xxh3::xxh3_64;

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

    /// A new file.
    pub fn writer(&mut self) -> Result<RunWriter> {
        let path = self.path.join(format!("{:06}", self.files));
        self.files += 1;
        let file = File::create(&path).map_err(failed("make the file", &path))?;
        Ok(RunWriter {
            file,
            run: Run {
                path,
                frames: Vec::new(),
                size: 0,
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

/// Some records of a run: those from a key on, up to that of the next frame.
#[derive(Debug)]
struct Frame {
    first: Key,
    place: u64,
}

/// Frames as they stand in a file.
#[derive(Debug, Default)]
pub(super) struct Framed {
    bytes: Vec<u8>,
    frames: Vec<Frame>,
}

impl Framed {
    /// Adds a frame of the cells from a key on, also if there are none.
    pub fn push<'p, P: Iterator<Item = &'p [u8]>>(&mut self, first: Key, pieces: impl Fn() -> P) {
        let place = self.bytes.len();
        let length: usize = pieces().map(<[u8]>::len).sum();
        self.bytes.reserve(HEAD + length);
        self.bytes.extend_from_slice(&(length as u64).to_le_bytes());
        self.bytes.extend_from_slice(&[0; 8]);
        for piece in pieces() {
            self.bytes.extend_from_slice(piece);
        }
        let (head, records) = self.bytes.split_at_mut(place + HEAD);
        let sum = xxh3_64(records).to_le_bytes();
        if let Some(place) = head.last_chunk_mut() {
            *place = sum;
        }
        self.frames.push(Frame {
            first,
            place: place as u64,
        });
    }
}

/// A file of records in frames, which ascend; within one, records stand as they came.
#[derive(Debug)]
pub(super) struct Run {
    path: PathBuf,
    frames: Vec<Frame>,
    size: u64,
}

pub(super) struct RunWriter {
    file: File,
    run: Run,
}

impl RunWriter {
    /// Writes frames behind those before.
    pub fn write(&mut self, framed: Framed) -> Result<()> {
        let run = &mut self.run;
        let written = self.file.write_all(&framed.bytes);
        written.map_err(failed("write the file", &run.path))?;
        for mut frame in framed.frames {
            frame.place += run.size;
            run.frames.push(frame);
        }
        run.size += framed.bytes.len() as u64;
        Ok(())
    }

    pub fn finish(self) -> Run {
        self.run
    }
}

impl Run {
    /// The first keys of its frames but the first, which has all that comes before: about evenly spaced by bytes.
    pub fn samples(&self) -> impl Iterator<Item = &Key> {
        self.frames.iter().skip(1).map(|frame| &frame.first)
    }

    /// Gives cells of one time another, which must leave them in order.
    pub fn restamp(&mut self, from: i64, to: i64) {
        for frame in &mut self.frames {
            if frame.first.timestamp == from {
                frame.first.timestamp = to;
            }
        }
    }

    /// Gives the records of each frame that may hold cells from a lower bound on and before an upper one, and whether
    /// it may also hold others. `before` and `below` tell whether a key comes before the one and before the other, `is_low`
    /// and `is_high` whether it is the bound itself; the end of the file is the upper bound if there is none.
    pub fn read(
        &self,
        before: impl Fn(&Key) -> bool,
        below: impl Fn(&Key) -> bool,
        is_low: impl Fn(&Key) -> bool,
        is_high: impl Fn(Option<&Key>) -> bool,
        mut take: impl FnMut(&[u8], bool) -> Result<()>,
    ) -> Result<()> {
        // The first frame has all that comes before the second.
        let later = self.frames.get(1..).unwrap_or_default();
        let from = 1 + later.partition_point(|frame| before(&frame.first));
        let to = 1 + later.partition_point(|frame| below(&frame.first));
        let first = |number: usize| self.frames.get(number).map(|frame| &frame.first);
        // Runs that were cut at the same keys share nearly all bounds.
        let starts = first(from).is_some_and(is_low);
        let from = if starts { from } else { from - 1 };
        let ends = is_high(first(to));
        let Some(first) = self.frames.get(from).filter(|_| from < to) else {
            return Ok(());
        };
        let end = self.frames.get(to).map_or(self.size, |frame| frame.place);
        let Some(size) = end.checked_sub(first.place) else {
            return Err(self.damaged());
        };
        let mut bytes = vec![0; size as usize];
        let file = File::open(&self.path).map_err(failed("read the file", &self.path))?;
        file.read_exact_at(&mut bytes, first.place)
            .map_err(failed("read the file", &self.path))?;
        let mut rest = bytes.as_slice();
        for number in from..to {
            let (head, later) = rest.split_at_checked(HEAD).ok_or_else(|| self.damaged())?;
            let [length, sum] = [0, 8].map(|at| {
                let number = head.get(at..).and_then(<[u8]>::first_chunk);
                number.map_or(0, |number| u64::from_le_bytes(*number))
            });
            let found = later.split_at_checked(length as usize);
            let (records, later) = found.ok_or_else(|| self.damaged())?;
            if xxh3_64(records) != sum {
                return Err(self.damaged());
            }
            let whole = (starts || number > from) && (ends || number + 1 < to);
            take(records, !whole)?;
            rest = later;
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
