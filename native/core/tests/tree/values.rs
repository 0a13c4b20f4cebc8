//! Long values stand beside the blocks and go when nobody refers to them.

use lexigraph_core::cells::Cell;
use lexigraph_core::tree::{Counts, Options, Store};

use crate::support::*;

#[test]
fn values_of_megabytes_come_back_and_are_freed() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let long: Vec<u8> = (0..3_000_000u32).map(|n| (n / 7) as u8).collect();
    let cells = [
        cell(b"a", 1, &long),
        cell(b"b", 1, &vec![1; 8192]),
        cell(b"c", 1, &vec![2; 8193]),
    ];
    write(&store, TREE, &cells);
    assert_eq!(store.stats(TREE).unwrap().delta.overflow, 3_008_193);
    write(&store, TREE, &[cell(b"aa", 1, b"")]);
    merge(&store, TREE, None, Some(b"b"));
    store.verify().unwrap();
    let found = all(&store, TREE);
    assert!(found.iter().filter(|cell| cell.key.row != b"aa").eq(&cells));
    store
        .merge_range(TREE, None, None, |_| Ok(Box::new(Nothing)))
        .unwrap();
    let stats = store.stats(TREE).unwrap();
    assert_eq!(
        (stats.base, stats.delta),
        (Counts::default(), Counts::default())
    );
    store.verify().unwrap();
}

/// A cursor without cells.
struct Nothing;

impl lexigraph_core::stages::Cursor for Nothing {
    fn seek(
        &mut self,
        _: &lexigraph_core::cells::Range,
        _: &lexigraph_core::stages::Families,
    ) -> lexigraph_core::Result<()> {
        Ok(())
    }

    fn top(&self) -> Option<lexigraph_core::cells::CellRef<'_>> {
        None
    }

    fn advance(&mut self) -> lexigraph_core::Result<()> {
        Ok(())
    }

    fn fork(&self) -> Box<dyn lexigraph_core::stages::Cursor + Send> {
        Box::new(Nothing)
    }
}

#[test]
fn very_many_fully_equal_keys_stay_together_and_in_order() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), small_blocks()).unwrap();
    let numbered = |n: u32| cell(b"hot", 1, &n.to_be_bytes());
    let mut model = Vec::new();
    for cells in (0..9000u32)
        .map(numbered)
        .collect::<Vec<Cell>>()
        .chunks(3000)
    {
        write(&store, TREE, cells);
        model_write(&mut model, cells);
    }
    assert_eq!(all(&store, TREE), model);
    store.verify().unwrap();
}

#[test]
fn fully_equal_keys_are_never_in_two_blocks() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), small_blocks()).unwrap();
    // Each key has more bytes under it than a block aims at, so every cut that the size asks for
    // would fall between equal keys.
    let numbered = |n: u32| cell(&(n / 40).to_be_bytes(), 1, &n.to_be_bytes().repeat(8));
    let cells: Vec<Cell> = (0..2000).map(numbered).collect();
    let mut model = Vec::new();
    write(&store, TREE, &cells);
    model_write(&mut model, &cells);
    merge(&store, TREE, None, None);
    store.verify().unwrap();
    assert_eq!(all(&store, TREE), model);
}
