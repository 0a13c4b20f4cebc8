//! Cells into a tree, and out of a cursor.

use lexigraph_core::cells::{Cell, CellRef, Range};
use lexigraph_core::stages::{Cursor, Families};
use lexigraph_core::tree::{sort_batch, Batch, Store, TreeId};
use lexigraph_core::Result;

/// Writes cells in the order they are given, as one commit.
pub fn write<'c>(
    store: &Store,
    tree: TreeId,
    cells: impl IntoIterator<Item = &'c Cell>,
) -> Result<()> {
    let mut refs: Vec<CellRef<'_>> = cells.into_iter().map(Cell::as_ref).collect();
    sort_batch(&mut refs);
    store.write(&[Batch { tree, cells: &refs }], 1)
}

/// What is left of a cursor.
pub fn drain(cursor: &mut dyn Cursor) -> Result<Vec<Cell>> {
    let mut cells = Vec::new();
    while let Some(cell) = cursor.top() {
        cells.push(cell.to_owned());
        cursor.advance()?;
    }
    Ok(cells)
}

/// What a cursor gives of ranges, one after the other.
pub fn read(cursor: &mut dyn Cursor, ranges: &[Range], families: &Families) -> Result<Vec<Cell>> {
    let mut cells = Vec::new();
    for range in ranges {
        cursor.seek(range, families)?;
        cells.extend(drain(cursor)?);
    }
    Ok(cells)
}
