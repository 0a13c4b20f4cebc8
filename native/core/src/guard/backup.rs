//! Copies of a store: compacted, whole, and under their name only when they are on disk.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::pages::number_from;
use super::{failure, marker, Directory};
use crate::tree::lmdb::Environment;
use crate::{Error, Result};

impl Directory {
    /// Writes the newest state into a new directory, while others read and write; gives its bytes. Unused space
    /// is left out. A directory of that name must not be there; it appears when all of it is on disk.
    pub fn backup(&self, target: &Path) -> Result<u64> {
        let environment = self.store()?.environment()?;
        if target.symlink_metadata().is_ok() {
            return Err(Error::Usage(format!(
                "{} already exists: a backup needs a new directory",
                target.display()
            )));
        }
        let building = beside(target)?;
        let done = fill(&environment, &building)
            .and_then(|length| publish(&building, target).map(|()| length));
        if done.is_err() {
            let _ = std::fs::remove_dir_all(&building);
        }
        done
    }
}

/// The name of the directory while it is being filled.
fn beside(target: &Path) -> Result<PathBuf> {
    let Some(name) = target.file_name() else {
        return Err(Error::Usage(format!(
            "{} is not a valid name for a backup",
            target.display()
        )));
    };
    let mut name = name.to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    Ok(target.with_file_name(name))
}

fn fill(environment: &Environment, building: &Path) -> Result<u64> {
    std::fs::create_dir(building).map_err(at(building, "make"))?;
    let length = copy(environment, &building.join("data.mdb"))?;
    marker::finish(building)?;
    sync_directory(building)?;
    Ok(length)
}

fn publish(building: &Path, target: &Path) -> Result<()> {
    std::fs::rename(building, target).map_err(at(target, "make"))?;
    match target
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        Some(parent) => sync_directory(parent),
        None => sync_directory(Path::new(".")),
    }
}

/// Writes a compacted copy to a new file and waits until it is on disk; gives its length.
pub(super) fn copy(environment: &Environment, path: &Path) -> Result<u64> {
    let file = File::options()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path);
    let file = file.map_err(at(path, "make"))?;
    environment.copy_to(&file).map_err(|code| {
        failure(
            code.0,
            &format!("could not write {}: {code}", path.display()),
        )
    })?;
    // The copy is of this transaction or of one before it.
    number_from(&file, environment.last().1)?;
    file.sync_all().map_err(at(path, "write"))?;
    Ok(file.metadata().map_err(at(path, "read"))?.len())
}

pub(super) fn sync_directory(path: &Path) -> Result<()> {
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(at(path, "write"))
}

/// Turns a failure with a file into ours.
pub(super) fn at<'p>(path: &'p Path, doing: &'p str) -> impl Fn(std::io::Error) -> Error + 'p {
    move |error| {
        let code = error.raw_os_error().unwrap_or_default();
        failure(
            code,
            &format!("could not {doing} {}: {error}", path.display()),
        )
    }
}
