//! Large commits become runs, which are combined in the background.

use lexigraph_core::engine::{Durability, Engine, MergePolicy, OpenOptions, WriteOptions};

use crate::support::*;

fn options() -> OpenOptions {
    OpenOptions {
        merge: MergePolicy {
            automatic: true,
            delta_cells: u64::MAX / 4,
            blocks: 4,
            ..MergePolicy::default()
        },
        durability: Durability::Relaxed,
        ..small()
    }
}

fn at(now: i64) -> WriteOptions<'static> {
    WriteOptions {
        now: Some(now),
        ..WriteOptions::default()
    }
}

/// Commits of all sizes over the same rows, some with equal keys, some that delete.
fn commit(number: usize) -> Vec<Put> {
    let size = [1, 40, 13, 90, 12][number % 5];
    let rows = (0..size).map(|place| (place * 17 + number * 5) % 100);
    rows.map(|row| {
        let row = format!("r{row:03}");
        match number % 11 {
            3 => delete(&row, "f"),
            4..=6 => timed(put(&row, "f", &number.to_string()), 5),
            _ => put(&row, "f", &number.to_string()),
        }
    })
    .collect()
}

#[test]
fn large_commits_leave_few_runs_and_change_no_answer() {
    let (combined, plain) = (Directory::new(), Directory::new());
    let engine = Engine::open(combined.path(), options()).unwrap();
    // The same commits, all of them into one run.
    let one = OpenOptions {
        own_run: usize::MAX,
        ..small()
    };
    let other = Engine::open(plain.path(), one).unwrap();
    for engine in [&engine, &other] {
        engine.create_table("t", ALL_VERSIONS, &[]).unwrap();
    }
    for number in 0..150 {
        for engine in [&engine, &other] {
            write_with(engine, "t", &commit(number), &at(number as i64 + 10)).unwrap();
        }
        if number % 30 == 29 {
            assert_eq!(raw(&engine, "t", None), raw(&other, "t", None));
            assert!(engine.stats("t").unwrap().runs <= 12);
        }
    }
    assert_eq!(other.stats("t").unwrap().runs, 1);
    engine.compact("t", None, None).unwrap();
    other.compact("t", None, None).unwrap();
    assert_eq!(raw(&engine, "t", None), raw(&other, "t", None));
    assert_eq!(engine.stats("t").unwrap().runs, 0);
    engine.verify().unwrap();
}
