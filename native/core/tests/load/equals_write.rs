//! Loads with little memory and with much, into empty and used trees, against one batch and a list.

use lexigraph_core::cells::{Cell, Key};
use lexigraph_core::load;
use lexigraph_core::tree::{Options, Store};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::*;

pub fn load(store: &Store, cells: &[Cell], memory: usize) -> u64 {
    let options = load::Options {
        memory,
        ..load::Options::default()
    };
    let mut loader = store.loader(options);
    for cell in cells {
        loader.push(TREE, &cell.as_ref()).unwrap();
    }
    store.load(loader, 1, &mut |_| Ok(())).unwrap().files
}

/// Rows with a common start, rows longer than an LMDB key, and few enough that keys meet.
fn row() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => (0u16..400).prop_map(|number| [b"https://example.org/a/path/", &number.to_be_bytes()[..]].concat()),
        2 => (0u8..40).prop_map(|number| [&[b'p'; 520][..], &[number]].concat()),
        1 => vec(0u8..3, 0..20),
    ]
}

fn cells(most: usize) -> impl Strategy<Value = Vec<Cell>> {
    let part = || prop_oneof![Just(vec![]), Just(vec![0]), Just(b"x".to_vec())];
    let value = prop_oneof![
        30 => vec(any::<u8>(), 0..30),
        1 => (9000usize..9100).prop_map(|length| vec![7; length]),
    ];
    let cell = (
        row(),
        part(),
        part(),
        0i64..3,
        prop::bool::weighted(0.1),
        value,
    )
        .prop_map(|(row, family, qualifier, timestamp, deleted, value)| Cell {
            key: Key {
                row,
                family,
                qualifier,
                visibility: vec![],
                timestamp,
                deleted,
            },
            value,
        });
    vec(cell, 0..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_load_shows_what_a_write_shows(
        base in prop_oneof![Just(Vec::new()), cells(300)],
        delta in prop_oneof![Just(Vec::new()), cells(60)],
        loaded in cells(600),
        memory in prop_oneof![Just(2_000usize), Just(20_000), Just(1 << 20)],
        compressed in any::<bool>(),
    ) {
        let directories = [Directory::new(), Directory::new()];
        let options = || match compressed {
            true => Options { target: 2000, ..Options::default() },
            false => small_blocks(),
        };
        let mut model = Vec::new();
        let mut found = Vec::new();
        for (number, directory) in directories.iter().enumerate() {
            let store = Store::open(directory.path(), options()).unwrap();
            if !base.is_empty() {
                write(&store, TREE, &base);
                merge(&store, TREE, None, None);
            }
            write(&store, TREE, &delta);
            match number {
                0 => write(&store, TREE, &loaded),
                _ => { load(&store, &loaded, memory); }
            }
            let verified = store.verify().unwrap();
            prop_assert_eq!(verified.counts.cells as usize, base.len() + delta.len() + loaded.len());
            found.push(all(&store, TREE));
        }
        for cells in [&base, &delta, &loaded] {
            model_write(&mut model, cells);
        }
        prop_assert_eq!(&found[0], &model);
        prop_assert_eq!(&found[1], &model);
    }
}

fn numbered(count: u32, factor: u32) -> Vec<Cell> {
    let row = |number: u32| number.wrapping_mul(factor) % 50_021;
    (0..count)
        .map(|number| cell(&row(number).to_be_bytes(), 1, &number.to_be_bytes()))
        .collect()
}

#[test]
fn little_memory_makes_files_and_the_same_table() {
    let cells = numbered(60_000, 2_654_435_761);
    let mut model = Vec::new();
    model_write(&mut model, &cells);
    for (memory, files) in [(64 << 20, 0), (600_000, 2), (100_000, 10)] {
        let directory = Directory::new();
        let store = Store::open(directory.path(), Options::default()).unwrap();
        assert!(load(&store, &cells, memory) >= files);
        assert!(all(&store, TREE) == model);
        store.verify().unwrap();
    }
}

#[test]
fn a_large_load_goes_into_the_base_and_a_small_one_into_the_delta() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let (first, second) = (numbered(40_000, 7919), numbered(30_000, 104_729));
    let small = numbered(500, 31);
    let mut model = Vec::new();
    load(&store, &first, 1 << 20);
    write(&store, TREE, &small);
    load(&store, &second, 300_000);
    let stats = store.stats(TREE).unwrap();
    assert_eq!((stats.delta.cells, stats.base.cells), (0, 70_500));
    load(&store, &small, 1 << 20);
    assert_eq!(store.stats(TREE).unwrap().delta.cells, 500);
    load(&store, &small, 1 << 20);
    assert_eq!(store.stats(TREE).unwrap().delta.cells, 1000);
    for cells in [&first, &small, &second, &small, &small] {
        model_write(&mut model, cells);
    }
    assert!(all(&store, TREE) == model);
    store.verify().unwrap();
}

#[test]
fn blocks_of_a_merged_load_are_full() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    load(&store, &numbered(40_000, 7919), 64 << 20);
    load(&store, &numbered(40_000, 104_729), 64 << 20);
    let base = store.stats(TREE).unwrap().base;
    assert!(base.bytes > base.blocks * 7000, "{base:?}");
}

#[test]
fn several_groups_share_the_memory_and_one_transaction() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let mut loader = store.loader(load::Options {
        memory: 100_000,
        ..load::Options::default()
    });
    let cells = numbered(20_000, 7919);
    let mut models = [Vec::new(), Vec::new()];
    let trees = [TREE, OTHER];
    for (number, cell) in cells.iter().enumerate() {
        let group = usize::from(number % 3 == 0);
        loader.push(trees[group], &cell.as_ref()).unwrap();
        models[group].push(cell.clone());
    }
    assert!(store.load(loader, 1, &mut |_| Ok(())).unwrap().files > 2);
    for (tree, cells) in trees.into_iter().zip(models) {
        let mut model = Vec::new();
        model_write(&mut model, &cells);
        assert!(all(&store, tree) == model);
    }
    store.verify().unwrap();
}
