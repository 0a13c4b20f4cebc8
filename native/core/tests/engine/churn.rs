//! Merges by themselves, and a file that does not grow without bound.

use lexigraph_core::engine::{Durability, Engine, MergePolicy, OpenOptions};

use crate::support::*;

const ROWS: u64 = 5_000;

/// Every row once, out of order, with values that cannot be compressed.
fn rows(round: u64) -> Vec<Put> {
    let value = |row: u64| {
        let mut state = row * 31 + round + 1;
        let mut word = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            format!("{:016x}", state ^ state >> 29)
        };
        (0..20).map(|_| word()).collect::<String>()
    };
    (0..ROWS)
        .map(|row| row * 7919 % ROWS)
        .map(|row| put(&format!("row{row:06}"), "family", &value(row)))
        .collect()
}

#[test]
fn ten_rounds_of_overwriting_everything_take_at_most_three_times_the_space() {
    let directory = Directory::new();
    let options = OpenOptions {
        // By hand, so that the outcome does not hang on when a thread gets its turn. Short transactions: a store
        // needs the space of some of them besides its own.
        merge: MergePolicy {
            automatic: false,
            blocks: 8,
            ..MergePolicy::default()
        },
        durability: Durability::Relaxed,
        ..OpenOptions::default()
    };
    let engine = Engine::open(directory.path(), options).unwrap();
    engine.create_table("t", "{}", &[]).unwrap();
    write(&engine, "t", &rows(0));
    engine.compact("t", None, None).unwrap();
    let fresh = engine.stats("t").unwrap().size_bytes;
    for round in 1..=10 {
        for (number, part) in rows(round).chunks(500).enumerate() {
            write(&engine, "t", part);
            if number % 2 == 1 {
                engine.compact("t", None, None).unwrap();
            }
        }
    }
    let file = engine.stats("t").unwrap().file_bytes;
    assert!(
        file < 3 * fresh,
        "{fresh} bytes fresh, {file} after ten rounds"
    );
    engine.compact("t", None, None).unwrap();
    assert_eq!(engine.stats("t").unwrap().cells, ROWS);
    let expected: std::collections::BTreeMap<Vec<u8>, Vec<u8>> = rows(10)
        .into_iter()
        .map(|put| (put.cell.key.row, put.cell.value))
        .collect();
    for cell in scan(&engine, "t", None) {
        assert_eq!(expected.get(&cell.key.row), Some(&cell.value));
    }
}
