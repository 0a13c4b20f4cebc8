//! Two engines on one directory, as two processes would have it, and a store that is full.

use lexigraph_core::cells::Range;
use lexigraph_core::engine::{Durability, Engine, OpenOptions, WriteOptions};
use lexigraph_core::Error;

use crate::support::*;

fn level(durability: Durability) -> WriteOptions<'static> {
    WriteOptions {
        durability: Some(durability),
        ..WriteOptions::default()
    }
}

#[test]
fn engines_see_each_other_and_keep_their_buffers_to_themselves() {
    let directory = Directory::new();
    let (ann, bob) = (open(&directory), open(&directory));
    ann.create_table("t", "{}", &[]).unwrap();
    write(&ann, "t", &[put("a", "f", "1")]);
    write_with(
        &bob,
        "t",
        &[put("b", "f", "1")],
        &level(Durability::Buffered),
    )
    .unwrap();
    assert_eq!(shown(&scan(&ann, "t", None)), ["a=1"]);
    assert_eq!(shown(&scan(&bob, "t", None)), ["a=1", "b=1"]);
    let snapshot = ann.snapshot().unwrap();
    let ranges = [("t".to_owned(), Range::default())];
    bob.flush().unwrap();
    assert_eq!(shown(&scan(&ann, "t", None)), ["a=1", "b=1"]);
    let options = WriteOptions {
        unchanged: Some((&snapshot, &ranges)),
        ..WriteOptions::default()
    };
    let outcome = write_with(&ann, "t", &[put("a", "f", "2")], &options);
    assert!(matches!(outcome, Err(Error::Conflict(_))));
    let first = write(&ann, "t", &[put("a", "f", "2")]);
    let old = WriteOptions {
        now: Some(0),
        ..WriteOptions::default()
    };
    let second = write_with(&bob, "t", &[put("a", "f", "3")], &old).unwrap();
    assert_eq!(second, first + 1);
    assert_eq!(shown(&scan(&ann, "t", None))[0], "a=3");
}

#[test]
fn buffered_commits_to_a_table_that_another_dropped_are_gone() {
    let directory = Directory::new();
    let (ann, bob) = (open(&directory), open(&directory));
    ann.create_table("t", "{}", &[]).unwrap();
    ann.create_table("u", "{}", &[]).unwrap();
    let buffered = level(Durability::Buffered);
    write_with(&bob, "t", &[put("b", "f", "1")], &buffered).unwrap();
    write_with(&bob, "u", &[put("b", "f", "1")], &buffered).unwrap();
    ann.drop_table("t").unwrap();
    ann.create_table("t", "{}", &[]).unwrap();
    bob.flush().unwrap();
    assert!(scan(&bob, "t", None).is_empty());
    assert_eq!(shown(&scan(&ann, "u", None)), ["b=1"]);
}

#[test]
fn a_full_store_keeps_what_it_has_and_what_is_buffered() {
    let directory = Directory::new();
    let options = OpenOptions {
        map_size: 1 << 20,
        ..small()
    };
    let engine = Engine::open(directory.path(), options).unwrap();
    engine.create_table("t", "{}", &[]).unwrap();
    write(&engine, "t", &[put("a", "f", "1")]);
    let large = "x".repeat(3 << 20);
    let outcome = write_with(
        &engine,
        "t",
        &[put("b", "f", &large)],
        &WriteOptions::default(),
    );
    assert!(matches!(outcome, Err(Error::Full(_))), "{outcome:?}");
    let buffered = level(Durability::Buffered);
    write_with(&engine, "t", &[put("c", "f", &large)], &buffered).unwrap();
    assert!(matches!(engine.flush(), Err(Error::Full(_))));
    // Nothing of it is stored, and it is still there.
    assert_eq!(scan(&engine, "t", None).len(), 2);
    let stats = engine.stats("t").unwrap();
    assert_eq!((stats.buffered_cells, stats.delta.cells), (1, 1));
}

#[test]
fn a_buffered_write_that_is_refused_leaves_nothing() {
    let directory = Directory::new();
    let options = OpenOptions {
        map_size: 1 << 20,
        buffer_bytes: 1 << 20,
        ..small()
    };
    let engine = Engine::open(directory.path(), options).unwrap();
    engine.create_table("t", "{}", &[]).unwrap();
    let buffered = level(Durability::Buffered);
    write_with(&engine, "t", &[put("a", "f", "1")], &buffered).unwrap();
    let large = "x".repeat(3 << 20);
    for _ in 0..2 {
        let outcome = write_with(&engine, "t", &[put("b", "f", &large)], &buffered);
        assert!(matches!(outcome, Err(Error::Full(_))), "{outcome:?}");
        assert_eq!(shown(&scan(&engine, "t", None)), ["a=1"]);
    }
    engine.flush().unwrap();
    assert_eq!(shown(&scan(&engine, "t", None)), ["a=1"]);
}

#[test]
fn cells_with_timestamps_of_their_own_are_not_buffered() {
    let directory = Directory::new();
    let (ann, bob) = (open(&directory), open(&directory));
    ann.create_table("t", ALL_VERSIONS, &[]).unwrap();
    write(&ann, "t", &[timed(delete("a", "f"), 50)]);
    let buffered = level(Durability::Buffered);
    let old = [put("b", "f", "1"), timed(put("a", "f", "old"), 30)];
    write_with(&bob, "t", &old, &buffered).unwrap();
    assert_eq!(bob.stats("t").unwrap().buffered_cells, 0);
    // The marker ends in a merge, and what it hides with it.
    ann.compact("t", None, None).unwrap();
    bob.flush().unwrap();
    assert_eq!(shown(&scan(&bob, "t", None)), ["b=1"]);
    assert!(bob.table("t", None).unwrap().client_timed);
}

#[test]
fn a_merge_before_a_buffered_delete_comes_changes_no_answer() {
    let sums = r#"[{"name": "sum", "options": {"encoding": "text"}}]"#;
    for unit in ["micros", "millis", "logical"] {
        let settings = format!(
            r#"{{"version": 1, "max_versions": null, "time_unit": "{unit}",
                "scan_stages": {sums}, "merge_stages": {sums}}}"#
        );
        let answer = |merged: bool| {
            let directory = Directory::new();
            let (ann, bob) = (open(&directory), open(&directory));
            ann.create_table("t", &settings, &[]).unwrap();
            write(&ann, "t", &[put("x", "f", "100"), put("y", "f", "1")]);
            let buffered = level(Durability::Buffered);
            write_with(&bob, "t", &[put("x", "f", "5")], &buffered).unwrap();
            write_with(&bob, "t", &[delete("x", "f")], &buffered).unwrap();
            write_with(
                &bob,
                "t",
                &[put("x", "f", "7"), put("y", "f", "2")],
                &buffered,
            )
            .unwrap();
            let newest = write(&ann, "t", &[put("x", "f", "1")]);
            if merged {
                ann.compact("t", None, None).unwrap();
            }
            bob.flush().unwrap();
            let last = bob.table("t", None).unwrap().last;
            let cells = raw(&ann, "t", None);
            assert_eq!(cells.iter().map(|cell| cell.key.timestamp).max(), last);
            assert!(ann.snapshot().unwrap().timestamp().unwrap() > Some(newest));
            let found = shown(&scan(&ann, "t", None));
            ann.compact("t", None, None).unwrap();
            assert_eq!(shown(&scan(&bob, "t", None)), found, "{unit}");
            found
        };
        assert_eq!(answer(false), ["x=7", "y=3"], "{unit}");
        assert_eq!(answer(true), ["x=7", "y=3"], "{unit}");
    }
}

#[test]
fn buffered_commits_that_nobody_overtook_keep_their_timestamps() {
    let directory = Directory::new();
    let (ann, bob) = (open(&directory), open(&directory));
    ann.create_table("t", ALL_VERSIONS, &[]).unwrap();
    let first = write(&ann, "t", &[put("a", "f", "1")]);
    let buffered = level(Durability::Buffered);
    let second = write_with(&bob, "t", &[put("a", "f", "2")], &buffered).unwrap();
    let third = write(&bob, "t", &[put("a", "f", "3")]);
    let cells = raw(&ann, "t", None);
    let times: Vec<i64> = cells.iter().map(|cell| cell.key.timestamp).collect();
    assert_eq!(times, [third, second, first]);
}
