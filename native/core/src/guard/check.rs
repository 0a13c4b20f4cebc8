//! What is checked of a file before LMDB may map it.

use std::fs::File;
use std::path::Path;

use super::pages::{read_metas, walk, Depth};
use crate::{Error, Result};

/// Checks the start and the length of `data.mdb`. Whether it may be missing or empty, `marker` says.
///
/// `quiet` keeps writers away while pages are read; it is asked for only when the file is shorter than it may be.
pub(super) fn check_file<G>(directory: &Path, quiet: impl FnOnce() -> Result<G>) -> Result<()> {
    let path = directory.join("data.mdb");
    let Ok(file) = File::open(&path) else {
        // LMDB tells why it cannot be opened.
        return Ok(());
    };
    let length = file.metadata().map_or(0, |held| held.len());
    if length == 0 {
        return Ok(());
    }
    let named = |error| match error {
        Error::Corruption(what) => Error::Corruption(format!("{}: {what}", directory.display())),
        Error::FormatVersion(what) => {
            Error::FormatVersion(format!("{}: {what}", directory.display()))
        }
        other => other,
    };
    let metas = read_metas(&file).map_err(named)?;
    let newest = metas.newest();
    let used = (newest.last + 1).saturating_mul(newest.page_size as u64);
    if length >= used {
        return Ok(());
    }
    // The last pages may be free ones that were never written, so only the pages can tell.
    let _quiet = quiet()?;
    let metas = read_metas(&file).map_err(named)?;
    let found = walk(&file, metas.newest(), Depth::Places)?;
    match found.problems.first() {
        None => Ok(()),
        Some(what) => Err(named(Error::Corruption(format!(
            "data.mdb: {what}; {length} of {used} bytes are there: restore it from a backup"
        )))),
    }
}
