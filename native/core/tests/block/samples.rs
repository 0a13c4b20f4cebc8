//! Cells to try: few distinct parts, so that keys repeat and columns take every encoding.

use lexigraph_core::block::{BlockBuilder, CellCursor, Compression, Page};
use lexigraph_core::cells::{Cell, Key};
use lexigraph_core::Result;
use proptest::collection::vec;
use proptest::prelude::*;

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => vec(prop_oneof![Just(0u8), Just(1), Just(b'a'), Just(0xff)], 0..4),
        2 => vec(any::<u8>(), 0..20),
        1 => Just(vec![b'x'; 300]),
        1 => (0u16..400).prop_map(|number| number.to_be_bytes().to_vec()),
    ]
}

fn times() -> impl Strategy<Value = i64> {
    prop_oneof![Just(7), 0i64..4, 1_000_000i64..90_000_000, any::<i64>()]
}

/// A tagged value of two properties, made from a cell's own bytes.
fn tagged(cell: &Cell) -> Vec<u8> {
    let first = &cell.value[..cell.value.len().min(3)];
    let [second @ .., _, _, _, _, _, _] = cell.key.timestamp.to_le_bytes();
    [&[1, 3, first.len() as u8], first, &[0x80, 0x01, 2], &second].concat()
}

pub fn cell() -> impl Strategy<Value = Cell> {
    let parts = (bytes(), bytes(), bytes(), bytes());
    (parts, times(), prop::bool::weighted(0.1), bytes()).prop_map(
        |((row, family, qualifier, visibility), timestamp, deleted, value)| Cell {
            key: Key {
                row,
                family,
                qualifier,
                visibility,
                timestamp,
                deleted,
            },
            value,
        },
    )
}

/// Sorted cells; in some samples parts are the same in all, or every value is tagged.
pub fn cells() -> impl Strategy<Value = Vec<Cell>> {
    (vec(cell(), 1..50), any::<[bool; 7]>()).prop_map(|(mut cells, same)| {
        let first = cells[0].clone();
        for cell in &mut cells {
            if same[6] {
                cell.value = tagged(cell);
                cell.key.deleted = false;
            }
            let key = &mut cell.key;
            for (part, other, same) in [
                (&mut key.row, &first.key.row, same[0]),
                (&mut key.family, &first.key.family, same[1]),
                (&mut key.qualifier, &first.key.qualifier, same[2]),
                (&mut key.visibility, &first.key.visibility, same[3]),
                (&mut cell.value, &first.value, same[4]),
            ] {
                if same {
                    part.clone_from(other);
                }
            }
            if same[5] {
                key.timestamp = first.key.timestamp;
            }
        }
        cells.sort_by(|left, right| left.key.cmp(&right.key));
        cells
    })
}

pub fn build(cells: &[Cell], compression: Compression) -> Vec<u8> {
    let mut builder = BlockBuilder::new(compression);
    for cell in cells {
        builder.push(&cell.as_ref()).unwrap();
    }
    builder.finish().unwrap()
}

pub fn read(bytes: &[u8]) -> Result<Vec<Cell>> {
    let page = Page::open(bytes)?;
    let block = page.block();
    let mut cursor = CellCursor::default();
    let mut cells = Vec::new();
    let mut more = cursor.seek(&block, 0)?;
    while more {
        cells.push(cursor.cell(&block).to_owned());
        more = cursor.advance(&block)?;
    }
    Ok(cells)
}
