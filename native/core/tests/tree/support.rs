//! A store in a directory of its own, and a list that says what it should hold.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use lexigraph_core::block::Compression;
use lexigraph_core::cells::{Cell, CellRef, Key, Range};
use lexigraph_core::stages::{Cursor, Families};
use lexigraph_core::tree::{sort_batch, Batch, Options, Store, TreeCursor, TreeId};

/// A directory that goes with its value.
pub struct Directory(PathBuf);

impl Directory {
    pub fn new() -> Directory {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("lexigraph-tree-{}-{number}", std::process::id());
        Directory(std::env::temp_dir().join(name))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub const TREE: TreeId = TreeId { table: 1, group: 0 };
pub const OTHER: TreeId = TreeId { table: 1, group: 1 };

pub fn small_blocks() -> Options {
    Options {
        target: 400,
        compression: Compression::Never,
        ..Options::default()
    }
}

pub fn cell(row: &[u8], timestamp: i64, value: &[u8]) -> Cell {
    Cell {
        key: Key {
            row: row.to_vec(),
            family: b"f".to_vec(),
            timestamp,
            ..Key::default()
        },
        value: value.to_vec(),
    }
}

/// Writes cells in the order they are given, as one commit.
pub fn write(store: &Store, tree: TreeId, cells: &[Cell]) {
    let mut refs: Vec<CellRef<'_>> = cells.iter().map(Cell::as_ref).collect();
    sort_batch(&mut refs);
    let batch = Batch { tree, cells: &refs };
    store.write(&[batch], 1).unwrap();
}

/// What the list holds after such a commit.
pub fn model_write(model: &mut Vec<Cell>, cells: &[Cell]) {
    let newest_first = cells.iter().rev().cloned();
    let mut all: Vec<Cell> = newest_first.chain(std::mem::take(model)).collect();
    all.sort_by(|left, right| left.key.cmp(&right.key));
    *model = all;
}

pub fn drain(cursor: &mut dyn Cursor) -> Vec<Cell> {
    let mut cells = Vec::new();
    while let Some(cell) = cursor.top() {
        cells.push(cell.to_owned());
        cursor.advance().unwrap();
    }
    cells
}

pub fn scan(store: &Store, trees: &[TreeId], range: &Range, families: &Families) -> Vec<Cell> {
    let mut cursor = TreeCursor::new(&store.snapshot().unwrap(), trees);
    cursor.seek(range, families).unwrap();
    drain(&mut cursor)
}

pub fn all(store: &Store, tree: TreeId) -> Vec<Cell> {
    scan(store, &[tree], &Range::default(), &Families::default())
}

/// Merges rows without changing any cell.
pub fn merge(store: &Store, tree: TreeId, start: Option<&[u8]>, end: Option<&[u8]>) {
    store.merge_range(tree, start, end, Ok).unwrap();
}
