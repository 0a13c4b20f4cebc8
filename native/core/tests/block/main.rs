//! Blocks give back what was put in, whatever it was, and refuse bytes that nobody put in.
#![allow(clippy::unwrap_used)]

mod columns;
mod damage;
mod samples;

use lexigraph_core::block::{BlockBuilder, CellCursor, Compression, Page, RowCursor};
use lexigraph_core::cells::{Cell, Key};
use lexigraph_core::Error;
use proptest::prelude::*;
use samples::{build, cell, cells, read};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_block_gives_back_its_cells(cells in cells(), squeeze: bool) {
        let compression = if squeeze { Compression::WherePays } else { Compression::Never };
        prop_assert_eq!(read(&build(&cells, compression)).unwrap(), cells);
    }

    #[test]
    fn any_stretch_of_a_builder_is_a_block(cells in cells(), cut in 0usize..80, end in 0usize..80) {
        let (cut, end) = (cut % cells.len(), end % cells.len());
        let (low, high) = (cut.min(end), cut.max(end) + 1);
        let mut builder = BlockBuilder::default();
        cells.iter().for_each(|cell| builder.push(&cell.as_ref()).unwrap());
        prop_assert_eq!(&read(&builder.encode(low..high).unwrap()).unwrap(), &cells[low..high]);
        builder.drain(low);
        prop_assert_eq!(&read(&builder.finish().unwrap()).unwrap(), &cells[low..]);
    }

    #[test]
    fn the_lower_bound_is_that_of_a_list(cells in cells(), other in cell(), pick in 0usize..80) {
        let bytes = build(&cells, Compression::Never);
        let page = Page::open(&bytes[..]).unwrap();
        let held = cells[pick % cells.len()].clone();
        let beside = Key { timestamp: other.key.timestamp, ..held.key.clone() };
        for key in [other.key, held.key, beside] {
            let expected = cells.partition_point(|cell| cell.key < key);
            let found = page.block().lower_bound(&key.as_ref(), &mut RowCursor::default()).unwrap();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_cursor_seeks_to_any_cell(cells in cells(), pick in 0usize..80) {
        let bytes = build(&cells, Compression::Never);
        let page = Page::open(&bytes[..]).unwrap();
        let pick = pick % cells.len();
        let mut cursor = CellCursor::default();
        prop_assert!(cursor.seek(&page.block(), pick).unwrap());
        prop_assert_eq!(cursor.cell(&page.block()), cells[pick].as_ref());
    }
}

fn at(row: &[u8], timestamp: i64) -> Cell {
    Cell {
        key: Key {
            row: row.to_vec(),
            timestamp,
            ..Key::default()
        },
        value: Vec::new(),
    }
}

#[test]
fn keys_of_a_mebibyte_share_nearly_all_of_it() {
    let prefix = vec![b'k'; 1 << 20];
    let cells: Vec<Cell> = (0..40u8)
        .map(|last| at(&[&prefix[1..], &[last]].concat(), 0))
        .collect();
    let bytes = build(&cells, Compression::Never);
    assert!(bytes.len() < 4 << 20);
    assert_eq!(read(&bytes).unwrap(), cells);
}

#[test]
fn thousands_of_labels_and_timestamps_fit_one_block() {
    let mut cells: Vec<Cell> = (0..70_000i64).map(|n| at(b"r", n * n * n)).collect();
    for (number, cell) in cells.iter_mut().enumerate() {
        cell.key.visibility = format!("label{number:05}").into_bytes();
    }
    assert_eq!(read(&build(&cells, Compression::WherePays)).unwrap(), cells);
}

#[test]
fn fully_equal_keys_keep_their_order() {
    let mut cells = vec![at(b"r", 1); 5];
    for (cell, value) in cells.iter_mut().zip([b"3", b"1", b"2", b"1", b"9"]) {
        cell.value = value.to_vec();
    }
    assert_eq!(read(&build(&cells, Compression::Never)).unwrap(), cells);
}

#[test]
fn a_block_is_not_cut_between_fully_equal_keys() {
    let mut builder = BlockBuilder::default();
    for cell in [at(b"a", 2), at(b"a", 1), at(b"a", 1), at(b"b", 1)] {
        builder.push(&cell.as_ref()).unwrap();
    }
    let cuts: Vec<usize> = (0..=4).filter(|&cell| builder.may_cut(cell)).collect();
    assert_eq!(cuts, [0, 1, 3, 4]);
}

#[test]
fn cells_out_of_order_are_refused() {
    let mut builder = BlockBuilder::default();
    builder.push(&at(b"b", 1).as_ref()).unwrap();
    for wrong in [at(b"a", 1), at(b"", 1), at(b"b", 2)] {
        assert!(matches!(
            builder.push(&wrong.as_ref()),
            Err(Error::InvalidKey(_))
        ));
    }
}

#[test]
fn long_ids_are_compressed_and_short_ones_are_not() {
    let url = |n: u64| {
        format!(
            "https://www.example.org/{:x}/a/long/path/{n}",
            n * 7919 % 97
        )
    };
    let mut urls: Vec<Cell> = (0..300).map(|n| at(url(n).as_bytes(), 0)).collect();
    for (number, cell) in urls.iter_mut().enumerate() {
        cell.key.qualifier = url(number as u64 * 31).into_bytes();
    }
    urls.sort_by(|left, right| left.key.cmp(&right.key));
    let squeezed = build(&urls, Compression::WherePays);
    assert!(squeezed.len() * 3 <= build(&urls, Compression::Never).len() * 2);
    assert_eq!(read(&squeezed).unwrap(), urls);
    let ids: Vec<Cell> = (0..300u32)
        .map(|n| at(&n.wrapping_mul(0x9e37_79b9).to_be_bytes(), 0))
        .collect();
    let mut ids = ids;
    ids.sort_by(|left, right| left.key.cmp(&right.key));
    assert_eq!(
        build(&ids, Compression::WherePays),
        build(&ids, Compression::Never)
    );
}
