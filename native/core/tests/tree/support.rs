//! A store in a directory of its own, and a list that says what it should hold.

use lexigraph_core::block::Compression;
use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::stages::Families;
use lexigraph_core::tree::{Options, Store, TreeCursor, TreeId};

use crate::common::cells;
pub use crate::common::folder::Folder as Directory;

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
    cells::write(store, tree, cells).unwrap();
}

/// What the list holds after such a commit.
pub fn model_write(model: &mut Vec<Cell>, cells: &[Cell]) {
    let newest_first = cells.iter().rev().cloned();
    let mut all: Vec<Cell> = newest_first.chain(std::mem::take(model)).collect();
    all.sort_by(|left, right| left.key.cmp(&right.key));
    *model = all;
}

pub fn scan(store: &Store, trees: &[TreeId], range: &Range, families: &Families) -> Vec<Cell> {
    let mut cursor = TreeCursor::new(&store.snapshot().unwrap(), trees);
    cells::read(&mut cursor, std::slice::from_ref(range), families).unwrap()
}

pub fn all(store: &Store, tree: TreeId) -> Vec<Cell> {
    scan(store, &[tree], &Range::default(), &Families::default())
}

/// Merges rows without changing any cell.
pub fn merge(store: &Store, tree: TreeId, start: Option<&[u8]>, end: Option<&[u8]>) {
    store.merge_range(tree, start, end, Ok).unwrap();
}
