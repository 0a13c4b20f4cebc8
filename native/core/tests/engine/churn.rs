//! Merges by themselves, and a file that does not grow without bound.

use std::thread;
use std::time::{Duration, Instant};

use lexigraph_core::engine::{Durability, Engine, MergePolicy, OpenOptions, TableStats};
use lexigraph_core::Error;

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

/// Adds rows to a table, so that merges are due again and again, until its statistics are as they should be.
fn write_until(engine: &Engine, table: &str, reached: impl Fn(&TableStats) -> bool) -> TableStats {
    let end = Instant::now() + Duration::from_secs(120);
    for round in 0.. {
        write(engine, table, &[put(&format!("{round:06}"), "f", "1")]);
        let stats = engine.stats(table).unwrap();
        if reached(&stats) {
            return stats;
        }
        assert!(Instant::now() < end, "{stats:?}");
        thread::sleep(Duration::from_millis(1));
    }
    unreachable!("rounds have no end");
}

#[test]
fn a_merge_that_fails_is_told_until_one_succeeds_and_holds_up_no_other_table() {
    let directory = Directory::new();
    let mut options = small();
    options.merge.automatic = true;
    options.merge.delta_cells = 20;
    options.durability = Durability::Relaxed;
    let engine = Engine::open(directory.path(), options).unwrap();
    let sums = r#"[{"name": "sum", "options": {"encoding": "text"}}]"#;
    let settings = format!(
        r#"{{"version": 1, "max_versions": null, "merge_stages": {sums}, "scan_stages": {sums}}}"#
    );
    engine.create_table("bad", &settings, &[]).unwrap();
    engine.create_table("good", "{}", &[]).unwrap();
    write(&engine, "bad", &[put("x", "f", "no number")]);
    write(&engine, "bad", &[put("x", "f", "1")]);
    let stats = write_until(&engine, "bad", |stats| stats.merge_failure.is_some());
    assert!(
        matches!(stats.merge_failure, Some(Error::InvalidBytes(_))),
        "{stats:?}"
    );
    // It stands before the other one, and is due as well.
    write_until(&engine, "good", |stats| stats.base.cells >= 100);
    assert!(engine.stats("good").unwrap().merge_failure.is_none());
    write(&engine, "bad", &[delete("x", "f")]);
    engine.compact("bad", None, None).unwrap();
    assert!(engine.stats("bad").unwrap().merge_failure.is_none());
    let before = engine.stats("bad").unwrap().base.cells;
    write_until(&engine, "bad", |stats| stats.base.cells > before);
}
