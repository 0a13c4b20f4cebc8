//! Keys that share more than LMDB's keys hold.

use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::stages::Families;
use lexigraph_core::tree::{Options, Store};

use crate::support::*;

fn long(length: usize, number: u32) -> Vec<u8> {
    [&vec![b'k'; length][..], &number.to_be_bytes()].concat()
}

fn row_range(row: &[u8]) -> Range {
    Range {
        start: Some(Key::leading(row, b"", b"", b"")),
        end: Some(Key::leading(&[row, &[0]].concat(), b"", b"", b"")),
        ..Range::default()
    }
}

#[test]
fn rows_that_share_two_kilobytes_are_found() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), small_blocks()).unwrap();
    let mut model = Vec::new();
    for round in 0..20u32 {
        let number = |place: u32| (place * 7919 + round * 104_729) % 100_000;
        let cells: Vec<Cell> = (0..20)
            .map(|n| cell(&long(2048, number(n)), 1, b"v"))
            .collect();
        write(&store, TREE, &cells);
        model_write(&mut model, &cells);
    }
    assert_eq!(all(&store, TREE), model);
    assert!(store.stats(TREE).unwrap().delta.blocks > 50);
    for held in &model {
        let found = scan(
            &store,
            &[TREE],
            &row_range(&held.key.row),
            &Families::default(),
        );
        assert_eq!(found[0].key.row, held.key.row);
    }
    store.verify().unwrap();
}

#[test]
fn a_chain_without_room_is_renumbered() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), small_blocks()).unwrap();
    let mut model = Vec::new();
    let large = |number| cell(&long(700, number), 1, &[7; 300]);
    let first = [large(0), large(1 << 31), large(u32::MAX)];
    write(&store, TREE, &first);
    model_write(&mut model, &first);
    // Each row lies between the second and the one before it, so every new block halves the same gap,
    // which has room for sixteen.
    for round in 1..40u32 {
        let cells = [large(u32::MAX - round)];
        write(&store, TREE, &cells);
        model_write(&mut model, &cells);
        store.verify().unwrap();
    }
    assert_eq!(all(&store, TREE), model);
}

#[test]
fn one_batch_changes_blocks_of_a_chain_that_it_has_renumbered() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), small_blocks()).unwrap();
    let mut model = Vec::new();
    let large = |number: u32| {
        let value: Vec<u8> = (0..500u32)
            .map(|n| (number.wrapping_mul(31) ^ (n * n)) as u8)
            .collect();
        cell(&long(600, number), 1, &value)
    };
    let first: Vec<Cell> = (0..6).map(|n| large(n << 20)).collect();
    // Forty blocks into a gap that has room for sixteen, then a row into each block behind it.
    let inside = (1..=40).map(|n| large((1 << 20) + n));
    let second: Vec<Cell> = inside.chain((2..6).map(|n| large((n << 20) + 1))).collect();
    for cells in [first, second] {
        write(&store, TREE, &cells);
        model_write(&mut model, &cells);
        store.verify().unwrap();
        assert_eq!(all(&store, TREE), model);
    }
    merge(
        &store,
        TREE,
        Some(&long(600, (1 << 20) + 9)),
        Some(&long(600, 3 << 20)),
    );
    store.verify().unwrap();
    assert_eq!(all(&store, TREE), model);
}

#[test]
fn keys_of_a_mebibyte_work() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let mut model = Vec::new();
    for round in 0..3u32 {
        let number = |n: u32| (n * 3 + round) % 9;
        let cells: Vec<Cell> = (0..3)
            .map(|n| cell(&long(1 << 20, number(n)), 1, b"v"))
            .collect();
        write(&store, TREE, &cells);
        model_write(&mut model, &cells);
    }
    assert!(all(&store, TREE) == model);
    merge(&store, TREE, None, None);
    assert!(all(&store, TREE) == model);
    store.verify().unwrap();
}
