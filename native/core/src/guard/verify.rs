//! Checks a whole store: LMDB's pages first, then what stands on them.
//!
//! The pages are read without the map. Only if they are sound are the blocks read through it, so that a
//! damaged file does not end the process. Still, a page that is damaged in between, or one that the walk takes for
//! sound and LMDB does not, can: callers run this in a process of its own.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::check::check_file;
use super::directory::no_store;
use super::marker::{self, Found};
use super::pages::{read_metas, walk, Depth, Pages};
use super::{Directory, DirectoryOptions};
use crate::tree::lmdb::{Environment, Flags, ReadTxn};
use crate::tree::{Inspection, Options, Problem};
use crate::{Error, Result};

/// What a check read and found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    pub pages: Pages,
    /// Nothing was counted where the pages are damaged.
    pub cells: Inspection,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.problem_count() == 0
    }

    /// How many things are wrong.
    pub fn problem_count(&self) -> u64 {
        self.pages.problem_count + self.cells.problem_count
    }

    /// What is wrong; of very many things only the first hundred.
    pub fn problems(&self) -> Vec<Problem> {
        let page = |what: &String| Problem {
            table: None,
            what: what.clone(),
        };
        let pages = self.pages.problems.iter().map(page);
        pages.chain(self.cells.problems.iter().cloned()).collect()
    }
}

/// Checks the store in a directory that this process has not opened. A file that cannot be opened at all is
/// a report with that one problem; errors are about the directory (missing, locked, another version).
pub fn verify(path: &Path) -> Result<Report> {
    let data = path.join("data.mdb");
    match marker::look(path) {
        Ok(Found::Store) => {}
        Ok(_) => return Err(no_store(path)),
        Err(Error::Corruption(what)) => {
            return Ok(Report {
                pages: problem(what),
                ..Report::default()
            })
        }
        Err(error) => return Err(error),
    }
    let file = File::open(&data)
        .map_err(|error| Error::Store(format!("could not open {}: {error}", data.display())))?;
    let pages = match check_file(path, || Ok(())).and_then(|()| walk_apart(path, &file)) {
        Err(Error::Corruption(what)) => problem(what),
        other => other?,
    };
    if pages.problem_count > 0 {
        return Ok(Report {
            pages,
            ..Report::default()
        });
    }
    let options = DirectoryOptions {
        store: Options {
            create: false,
            read_only: true,
            ..Options::default()
        },
        force: true,
        lock_timeout: Duration::from_secs(10),
    };
    let cells = Directory::open(path, &options).and_then(|directory| directory.store()?.inspect());
    match cells {
        Ok(cells) => Ok(Report { pages, cells }),
        Err(Error::Corruption(what)) => Ok(Report {
            pages: problem(what),
            ..Report::default()
        }),
        Err(error) => Err(error),
    }
}

fn problem(what: String) -> Pages {
    Pages {
        problems: vec![what],
        problem_count: 1,
        ..Pages::default()
    }
}

/// Walks over the newest state. A read transaction keeps its pages from being used again meanwhile; beginning
/// one touches nothing but the meta pages.
fn walk_apart(path: &Path, file: &File) -> Result<Pages> {
    let flags = Flags {
        read_only: true,
        relaxed: false,
    };
    let map = Options::default().map_size;
    let environment =
        Environment::open(path, map, flags).map_err(super::open_failure(path, true))?;
    let environment = Arc::new(environment);
    for _ in 0..100 {
        let transaction = ReadTxn::begin(&environment)
            .map_err(|code| super::failure(code.0, &format!("could not start to read: {code}")))?;
        // The meta page of a state is written over by the second commit after it.
        if let Some(meta) = read_metas(file)?.of(transaction.id()) {
            return walk(file, meta, Depth::All);
        }
    }
    Err(Error::Store(
        "other processes write too fast to check the store".into(),
    ))
}

impl Directory {
    /// Checks the whole store as it is now, while others read and write.
    pub fn verify(&self) -> Result<Report> {
        let store = self.store()?;
        let data = self.path().join("data.mdb");
        let file = File::open(&data)
            .map_err(|error| Error::Store(format!("could not open {}: {error}", data.display())))?;
        for _ in 0..100 {
            let snapshot = store.snapshot()?;
            let _guard = snapshot.enter()?;
            if let Some(meta) = read_metas(&file)?.of(snapshot.transaction_id()) {
                let pages = walk(&file, meta, Depth::All)?;
                let cells = match pages.problem_count {
                    0 => store.inspect()?,
                    _ => Inspection::default(),
                };
                return Ok(Report { pages, cells });
            }
        }
        Err(Error::Store(
            "other processes write too fast to check the store".into(),
        ))
    }
}
