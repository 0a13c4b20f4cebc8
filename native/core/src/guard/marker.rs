//! Whether a directory holds a store, may become one, or has lost one.
//!
//! `lexigraph.store` says so. It is there, unfinished, before any other file of a new store, and finished once
//! the store can be opened. So a missing or empty `data.mdb` means one of two things: beside an unfinished marker, a creation that
//! was cut short, which can be done again; otherwise, lost data. Stores of before the marker get theirs
//! when they are next opened for writing.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::backup::{at, sync_directory};
use crate::load::SPILL_PREFIX;
use crate::{Error, Result};

const MARKER: &str = "lexigraph.store";
const UNFINISHED: &[u8] = b"a Lexigraph store that is being created\n";
const FINISHED: &[u8] = b"a Lexigraph store: all files in this directory belong to it\n";

/// What stands in a directory of ours besides the marker.
const OWN: [&str; 4] = ["data.mdb", "lock.mdb", "guard.lock", "data.mdb.vacuum"];
/// What a file system itself puts into an empty directory.
const IGNORED: &str = "lost+found";
/// What LMDB writes first, at once: a process that is killed then may leave a part of it.
const METAS: u64 = 2 * 4096;
/// How many foreign files an error names.
const NAMED: usize = 5;

/// What a directory is, by its files.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It has a `data.mdb` with something in it.
    Store,
    /// A new store can be made here: it is empty, or has what a creation that was cut short left.
    Room,
    /// It has other files, or is not there.
    Foreign(Vec<String>),
}

/// Looks at a directory; `Corruption` where a store was and its data is gone.
pub(super) fn look(path: &Path) -> Result<Found> {
    // In this order: who creates the store now writes the marker before all other files, and finishes it after them.
    let names = names(path)?;
    let marker = fs::read(path.join(MARKER)).ok();
    let data = fs::metadata(path.join("data.mdb"));
    let unfinished = marker.as_ref().is_some_and(|content| content != FINISHED);
    let least = if unfinished { METAS } else { 1 };
    if data.as_ref().is_ok_and(|held| held.len() >= least) {
        return Ok(Found::Store);
    }
    let is_own = |name: &String| name == MARKER || OWN.contains(&&**name);
    if !unfinished && names.iter().any(is_own) {
        let what = if data.is_ok() { "empty" } else { "missing" };
        return Err(Error::Corruption(format!(
            "{}: data.mdb is {what}, and it held a store: restore it from a backup; if nothing was ever stored \
             here, remove the directory",
            path.display()
        )));
    }
    let passed_over =
        |name: &String| is_own(name) || name == IGNORED || name.starts_with(SPILL_PREFIX);
    let foreign: Vec<String> = names
        .into_iter()
        .filter(|name| !passed_over(name))
        .collect();
    Ok(match foreign.is_empty() || unfinished {
        true => Found::Room,
        false => Found::Foreign(foreign),
    })
}

fn names(path: &Path) -> Result<Vec<String>> {
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(at(path, "read")(error)),
    };
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names
        .collect::<std::io::Result<Vec<String>>>()
        .map_err(at(path, "read"))?;
    names.sort();
    Ok(names)
}

/// The refusal of a directory that has other files.
pub(super) fn foreign(path: &Path, names: &[String]) -> Error {
    let shown = names[..names.len().min(NAMED)].join(", ");
    let more = match names.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Error::Usage(format!(
        "{} is not a Lexigraph store and is not empty: it contains {shown}{more}; choose a new or an empty directory",
        path.display()
    ))
}

/// Says that a store is being created, before any other file of it is there.
pub(super) fn begin(path: &Path) -> Result<()> {
    let marker = path.join(MARKER);
    match File::options().write(true).create_new(true).open(&marker) {
        Ok(mut file) => file.write_all(UNFINISHED).map_err(at(&marker, "write"))?,
        // Another process creates it too, or one was killed when it did.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(()),
        Err(error) => return Err(at(&marker, "make")(error)),
    }
    sync_directory(path)
}

/// Removes what a creation that was killed left of `data.mdb`; for the writer alone.
pub(super) fn clear(path: &Path) -> Result<()> {
    let data = path.join("data.mdb");
    match fs::metadata(&data) {
        Ok(held) if held.len() < METAS => fs::remove_file(&data).map_err(at(&data, "remove")),
        _ => Ok(()),
    }
}

/// Says that the store is there, unless the marker does so already. Nothing may be stored beside an unfinished
/// marker, so only a store of before the marker does without if it cannot be written.
pub(super) fn finish(path: &Path) -> Result<()> {
    let marker = path.join(MARKER);
    let before = fs::read(&marker).ok();
    if before.as_deref() == Some(FINISHED) {
        return Ok(());
    }
    match write(path, &marker) {
        Err(_) if before.is_none() => Ok(()),
        done => done,
    }
}

/// Writes the finished marker.
fn write(path: &Path, marker: &Path) -> Result<()> {
    // The names of the other files must be on disk before the marker speaks of them.
    sync_directory(path)?;
    let fresh = path.join(format!("{MARKER}.{}", std::process::id()));
    let done = fs::write(&fresh, FINISHED).and_then(|()| fs::rename(&fresh, marker));
    if done.is_err() {
        let _ = fs::remove_file(&fresh);
    }
    done.map_err(at(marker, "write"))
}
