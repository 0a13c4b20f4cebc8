//! Batches that become runs of their own, and their order.

use lexigraph_core::cells::Cell;
use lexigraph_core::tree::{Durability, Options, Store};

use crate::support::*;

fn store(directory: &Directory) -> Store {
    let options = Options {
        own_run: 1,
        durability: Durability::Relaxed,
        ..small_blocks()
    };
    Store::open(directory.path(), options).unwrap()
}

#[test]
fn of_equal_keys_the_younger_run_comes_first_wherever_they_are_combined() {
    let directory = Directory::new();
    let store = store(&directory);
    let mut model = Vec::new();
    for round in 0..6u8 {
        let rows = (0..40u8).map(|row| cell(&[row], 7, &[round]));
        // A small run would be rewritten with the next batch.
        let cells: Vec<Cell> = rows.collect();
        write(&store, TREE, &cells);
        model_write(&mut model, &cells);
    }
    assert_eq!(all(&store, TREE), model);
    // Some rows of some runs, then all of the youngest, then the oldest with what is left.
    for (places, start, end) in [
        (1..4, Some([10]), Some([20])),
        (0..2, None, None),
        (2..5, None, Some([30])),
        (0..5, None, None),
    ] {
        let (start, end) = (start.as_ref(), end.as_ref());
        let bound = |row: Option<&[u8; 1]>| row.map(|row| row.to_vec());
        let (start, end) = (bound(start), bound(end));
        store
            .combine_runs(TREE, places, start.as_deref(), end.as_deref())
            .unwrap();
        assert_eq!(all(&store, TREE), model);
        store.verify().unwrap();
    }
}

#[test]
fn numbers_of_runs_go_round_for_ever() {
    let directory = Directory::new();
    let store = store(&directory);
    let mut model = Vec::new();
    for round in 0..600u32 {
        // Always one run is left when the older one goes.
        let row = [b'a' + (round % 2) as u8];
        let cells = [cell(&row, 1, &round.to_be_bytes())];
        write(&store, TREE, &cells);
        model_write(&mut model, &cells);
        if round > 0 {
            let before = [b'a' + (round + 1) as u8 % 2];
            let after = [before[0] + 1];
            store
                .merge_as_is(TREE, Some(&before), Some(&after))
                .unwrap();
        }
        if round % 50 == 49 {
            assert_eq!(all(&store, TREE), model);
        }
    }
    assert_eq!(store.stats(TREE).unwrap().delta.cells, 1);
    store.verify().unwrap();
}

#[test]
fn many_batches_without_any_merge_leave_few_runs() {
    let directory = Directory::new();
    let store = store(&directory);
    let mut model = Vec::new();
    for round in 0..30u8 {
        let cells: Vec<Cell> = (0..50u8).map(|row| cell(&[row], 7, &[round])).collect();
        write(&store, TREE, &cells);
        model_write(&mut model, &cells);
    }
    assert_eq!(all(&store, TREE), model);
    assert_eq!(store.verify().unwrap().trees, 12);
}
