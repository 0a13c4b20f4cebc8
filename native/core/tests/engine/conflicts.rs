//! A write that depends on what was read is refused when that changed, and only then.

use lexigraph_core::cells::{Key, Range};
use lexigraph_core::engine::{Durability, Engine, EngineSnapshot, WriteOptions};
use lexigraph_core::{Error, Result};

use crate::support::*;

fn row(row: &str) -> Range {
    Range {
        start: Some(Key::leading(row.as_bytes(), b"", b"", b"")),
        start_inclusive: true,
        end: Some(Key::following(&[row.as_bytes()])),
        end_inclusive: false,
    }
}

fn write_if(engine: &Engine, at: &EngineSnapshot, ranges: &[(String, Range)]) -> Result<i64> {
    let options = WriteOptions {
        unchanged: Some((at, ranges)),
        ..WriteOptions::default()
    };
    write_with(engine, "t", &[put("result", "f", "x")], &options)
}

fn read(rows: &[&str]) -> Vec<(String, Range)> {
    rows.iter().map(|name| ("t".into(), row(name))).collect()
}

fn is_conflict<T>(outcome: Result<T>) -> bool {
    matches!(outcome, Err(Error::Conflict(_)))
}

fn fixture() -> (Directory, Engine) {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    write(&engine, "t", &[put("a", "f", "1"), put("b", "f", "1")]);
    (directory, engine)
}

#[test]
fn a_change_of_what_was_read_is_a_conflict() {
    let (_directory, engine) = fixture();
    let snapshot = engine.snapshot().unwrap();
    write(&engine, "t", &[put("b", "f", "2")]);
    write_if(&engine, &snapshot, &read(&["a", "c"])).unwrap();
    let before = scan(&engine, "t", None);
    assert!(is_conflict(write_if(
        &engine,
        &snapshot,
        &read(&["a", "b"])
    )));
    assert_eq!(scan(&engine, "t", None), before);
    // The write itself is a change too.
    assert!(is_conflict(write_if(
        &engine,
        &snapshot,
        &read(&["result"])
    )));
    let everything = [("t".to_owned(), Range::default())];
    assert!(is_conflict(write_if(&engine, &snapshot, &everything)));
    write_if(&engine, &engine.snapshot().unwrap(), &everything).unwrap();
}

#[test]
fn a_merge_is_no_change() {
    let (_directory, engine) = fixture();
    let snapshot = engine.snapshot().unwrap();
    engine.compact("t", None, None).unwrap();
    write_if(&engine, &snapshot, &[("t".into(), Range::default())]).unwrap();
}

#[test]
fn a_table_that_was_dropped_and_made_again_is_a_conflict() {
    let (_directory, engine) = fixture();
    let snapshot = engine.snapshot().unwrap();
    engine.drop_table("t").unwrap();
    engine.create_table("t", "{}", &[]).unwrap();
    assert!(is_conflict(write_if(&engine, &snapshot, &read(&["zz"]))));
    let missing = [("u".to_owned(), Range::default())];
    let outcome = write_if(&engine, &snapshot, &missing);
    assert!(matches!(outcome, Err(Error::TableNotFound(_))));
}

#[test]
fn buffered_commits_count_once_seen_or_not() {
    let (_directory, engine) = fixture();
    let buffered = WriteOptions {
        durability: Some(Durability::Buffered),
        ..WriteOptions::default()
    };
    write_with(&engine, "t", &[put("seen", "f", "1")], &buffered).unwrap();
    let snapshot = engine.snapshot().unwrap();
    write_with(&engine, "t", &[put("new", "f", "1")], &buffered).unwrap();
    // In the buffer.
    assert!(is_conflict(write_if(&engine, &snapshot, &read(&["new"]))));
    engine.flush().unwrap();
    // In the log: what the snapshot saw is no change, though it was stored later.
    write_if(&engine, &snapshot, &read(&["seen"])).unwrap();
    assert!(is_conflict(write_if(&engine, &snapshot, &read(&["new"]))));
}

#[test]
fn large_commits_are_never_missed() {
    let (_directory, engine) = fixture();
    let snapshot = engine.snapshot().unwrap();
    let puts: Vec<Put> = (0..5000)
        .map(|number| put(&format!("n{number:05}"), "f", ""))
        .collect();
    write(&engine, "t", &puts);
    for number in (0..5000).step_by(97) {
        let name = format!("n{number:05}");
        assert!(is_conflict(write_if(&engine, &snapshot, &read(&[&name]))));
    }
    write_if(&engine, &snapshot, &read(&["a", "o"])).unwrap();
}

#[test]
fn a_log_that_was_cut_makes_old_snapshots_a_conflict() {
    let (_directory, engine) = fixture();
    let snapshot = engine.snapshot().unwrap();
    let long = "k".repeat(3000);
    for round in 0..3 {
        let puts: Vec<Put> = (0..1000)
            .map(|number| put(&format!("{long}{number}"), "f", &round.to_string()))
            .collect();
        write(&engine, "t", &puts);
    }
    assert!(is_conflict(write_if(&engine, &snapshot, &read(&["zz"]))));
    write_if(&engine, &engine.snapshot().unwrap(), &read(&["zz"])).unwrap();
}

#[test]
fn a_foreign_snapshot_is_refused() {
    let (_directory, engine) = fixture();
    let (_other_directory, other) = fixture();
    let snapshot = other.snapshot().unwrap();
    let outcome = write_if(&engine, &snapshot, &read(&["a"]));
    assert!(matches!(outcome, Err(Error::Usage(_))));
}
