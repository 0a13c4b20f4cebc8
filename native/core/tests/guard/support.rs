//! Directories for tests, and cells to put into them.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::guard::{Directory, DirectoryOptions};
use lexigraph_core::stages::Families;
use lexigraph_core::tree::{Options, Snapshot, Store, TreeCursor, TreeId};
use lexigraph_core::{Error, Result};

use crate::common::cells;
pub use crate::common::folder::Folder;

pub const TREE: TreeId = TreeId { table: 1, group: 0 };

pub fn options() -> DirectoryOptions {
    DirectoryOptions {
        lock_timeout: Duration::from_secs(20),
        ..DirectoryOptions::default()
    }
}

/// Options with an age limit for snapshots.
pub fn aging(age: Duration) -> DirectoryOptions {
    DirectoryOptions {
        store: Options {
            max_snapshot_age: Some(age),
            ..Options::default()
        },
        ..options()
    }
}

/// Does it once more where a busy machine let a snapshot that was just taken grow too old before it was used.
pub fn in_time<T>(mut act: impl FnMut() -> Result<T>) -> T {
    for _ in 0..1000 {
        match act() {
            Err(Error::SnapshotExpired(_)) => {}
            done => return done.unwrap(),
        }
    }
    unreachable!("every snapshot is too old from the start");
}

pub fn open(path: &Path) -> Arc<Directory> {
    Directory::open(path, &options()).unwrap()
}

pub fn cell(row: u32, timestamp: i64, value: &[u8]) -> Cell {
    Cell {
        key: Key {
            row: row.to_be_bytes().to_vec(),
            family: b"f".to_vec(),
            timestamp,
            ..Key::default()
        },
        value: value.to_vec(),
    }
}

pub fn rows(count: u32) -> Vec<Cell> {
    (0..count).map(|n| cell(n, 1, &n.to_le_bytes())).collect()
}

/// Writes cells as one commit, under the writer lock.
pub fn write(directory: &Arc<Directory>, cells: &[Cell]) -> Result<()> {
    let _turn = directory.lock_writer(Duration::from_secs(20), "test")?;
    put(directory.store()?, cells)
}

pub fn put(store: &Store, cells: &[Cell]) -> Result<()> {
    cells::write(store, TREE, cells)
}

/// All cells of a snapshot.
pub fn read(snapshot: &Arc<Snapshot>) -> Result<Vec<Cell>> {
    let _guard = snapshot.enter()?;
    let mut cursor = TreeCursor::new(snapshot, &[TREE]);
    cells::read(&mut cursor, &[Range::default()], &Families::default())
}

pub fn all(directory: &Directory) -> Result<Vec<Cell>> {
    read(&directory.store()?.snapshot()?)
}
