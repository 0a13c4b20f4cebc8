//! Writers in several threads: everyone gets an outcome of their own, nothing is lost, all or nothing.

use std::thread;

use lexigraph_core::cells::Range;
use lexigraph_core::engine::{Durability, WriteOptions};
use lexigraph_core::Error;

use crate::support::*;

#[test]
fn commits_of_many_threads_are_all_there_with_times_of_their_own() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", ALL_VERSIONS, &[]).unwrap();
    let levels = [Durability::Sync, Durability::Relaxed, Durability::Buffered];
    let mut times: Vec<i64> = thread::scope(|scope| {
        let writers: Vec<_> = (0..6)
            .map(|writer| {
                let engine = &engine;
                let options = WriteOptions {
                    durability: levels.get(writer % 3).copied(),
                    ..WriteOptions::default()
                };
                scope.spawn(move || -> Vec<i64> {
                    (0..30)
                        .map(|_| write_with(engine, "t", &[put("r", "f", "")], &options).unwrap())
                        .collect()
                })
            })
            .collect();
        writers
            .into_iter()
            .flat_map(|writer| writer.join().unwrap())
            .collect()
    });
    times.sort();
    times.dedup();
    assert_eq!(times.len(), 180);
    let mut found: Vec<i64> = raw(&engine, "t", None)
        .iter()
        .map(|cell| cell.key.timestamp)
        .collect();
    found.reverse();
    assert_eq!(found, times);
    drop(engine);
    assert_eq!(raw(&open(&directory), "t", None).len(), 180);
}

#[test]
fn one_that_is_refused_does_not_hurt_the_others() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    let snapshot = engine.snapshot().unwrap();
    write(&engine, "t", &[put("r", "f", "")]);
    let ranges = [("t".to_owned(), Range::default())];
    thread::scope(|scope| {
        for writer in 0..9 {
            let (engine, snapshot, ranges) = (&engine, &snapshot, &ranges);
            scope.spawn(move || {
                for round in 0..20 {
                    let mut one = put(&format!("w{writer}r{round:02}"), "f", "");
                    let mut options = WriteOptions::default();
                    match writer % 3 {
                        0 => one.cell.key.visibility = b"a|".to_vec(),
                        1 => options.unchanged = Some((snapshot, ranges)),
                        _ => {}
                    }
                    let outcome = write_with(engine, "t", &[one], &options);
                    match writer % 3 {
                        0 => assert!(matches!(outcome, Err(Error::Constraint { .. }))),
                        1 => assert!(matches!(outcome, Err(Error::Conflict(_)))),
                        _ => assert!(outcome.is_ok()),
                    }
                }
            });
        }
    });
    assert_eq!(scan(&engine, "t", None).len(), 1 + 3 * 20);
}

#[test]
fn readers_see_a_commit_in_all_tables_or_in_none() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    engine.create_table("u", "{}", &[]).unwrap();
    thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for round in 0..60 {
                let columns = Columns::of(&[put(&format!("r{round:02}"), "f", "")]);
                let options = WriteOptions {
                    durability: Some([Durability::Buffered, Durability::Relaxed][round % 2]),
                    ..WriteOptions::default()
                };
                let batches = [("t", columns.batch()), ("u", columns.batch())];
                engine.write(&batches, &options).unwrap();
                if round % 20 == 7 {
                    engine.compact("t", None, None).unwrap();
                }
            }
        });
        let mut last = 0;
        while !writer.is_finished() {
            let snapshot = engine.snapshot().unwrap();
            let (t, u) = (
                scan(&engine, "t", Some(&snapshot)),
                scan(&engine, "u", Some(&snapshot)),
            );
            assert_eq!(t, u);
            assert!(t.len() >= last);
            last = t.len();
        }
    });
    assert_eq!(scan(&engine, "u", None).len(), 60);
}
