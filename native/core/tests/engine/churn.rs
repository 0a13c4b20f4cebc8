//! Merges by themselves, and a file that does not grow without bound.

use lexigraph_core::engine::{Durability, Engine, MergePolicy, OpenOptions, WriteOptions};

use crate::support::*;

fn rows(round: usize) -> Vec<Put> {
    (0..20_000)
        .map(|row| {
            put(
                &format!("row{:06}", row * 7919 % 20_000),
                "family",
                &format!("value {round} of {row}"),
            )
        })
        .collect()
}

#[test]
fn ten_rounds_of_overwriting_everything_take_at_most_three_times_the_space() {
    let directory = Directory::new();
    let options = OpenOptions {
        merge: MergePolicy {
            delta_cells: 10_000,
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
        for part in rows(round).chunks(2_000) {
            write_with(&engine, "t", part, &WriteOptions::default()).unwrap();
        }
    }
    engine.compact("t", None, None).unwrap();
    let stats = engine.stats("t").unwrap();
    assert_eq!(stats.cells, 20_000);
    assert!(scan(&engine, "t", None)
        .iter()
        .all(|cell| cell.value.starts_with(b"value 10")));
    let reports = engine.take_merge_reports();
    assert!(!reports.is_empty());
    assert!(reports.iter().all(Result::is_ok), "{reports:?}");
    assert!(
        stats.file_bytes < 3 * fresh + (4 << 20),
        "{} bytes fresh, {} after ten rounds",
        fresh,
        stats.file_bytes
    );
}
