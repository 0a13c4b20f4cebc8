//! A damaged file: an error that names table and block, never other cells.

use lexigraph_core::cells::Range;
use lexigraph_core::stages::{Cursor, Families};
use lexigraph_core::tree::{Options, Store, TreeCursor};
use lexigraph_core::Error;

use crate::support::*;

#[test]
fn a_flipped_byte_in_a_block_is_named() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let marker = b"a value that is easy to find in the file";
    write(&store, TREE, &[cell(b"r", 1, marker)]);
    drop(store);
    let file = directory.path().join("data.mdb");
    let mut bytes = std::fs::read(&file).unwrap();
    let place = bytes
        .windows(marker.len())
        .position(|held| held == marker)
        .unwrap();
    bytes[place] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let mut cursor = TreeCursor::new(&store.snapshot().unwrap(), &[TREE]);
    let answer = cursor.seek(&Range::default(), &Families::default());
    for error in [answer.unwrap_err(), store.verify().unwrap_err()] {
        let Error::Corruption(message) = error else {
            unreachable!("{error}");
        };
        assert!(
            message.contains("table 1, group 0, delta block []"),
            "{message}"
        );
    }
}

#[test]
fn another_format_is_refused() {
    let directory = Directory::new();
    drop(Store::open(directory.path(), Options::default()).unwrap());
    let file = directory.path().join("data.mdb");
    let mut bytes = std::fs::read(&file).unwrap();
    let places: Vec<usize> = (0..bytes.len() - 5)
        .filter(|&at| &bytes[at..at + 5] == b"LXGS\x01")
        .collect();
    for place in places {
        bytes[place + 4] = 2;
    }
    std::fs::write(&file, bytes).unwrap();
    let answer = Store::open(directory.path(), Options::default());
    assert!(matches!(answer, Err(Error::FormatVersion(message)) if message.contains("format")));
}
