//! Tables and cells come back as they were written.

use lexigraph_core::engine::{Durability, Engine, OpenOptions, WriteOptions};
use lexigraph_core::Error;

use crate::support::*;

fn buffered() -> WriteOptions<'static> {
    WriteOptions {
        durability: Some(Durability::Buffered),
        ..WriteOptions::default()
    }
}

#[test]
fn what_was_written_is_there_after_a_merge_and_a_reopening() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("people", "{}", &[]).unwrap();
    for round in 0..5 {
        let puts: Vec<Put> = (0..500)
            .map(|row| put(&format!("r{row:03}"), "f", &format!("v{round}")))
            .collect();
        write(&engine, "people", &puts);
    }
    write(&engine, "people", &[delete("r007", "f")]);
    let before = scan(&engine, "people", None);
    assert_eq!(before.len(), 499);
    assert!(before.iter().all(|cell| cell.value == b"v4"));
    assert_eq!(engine.stats("people").unwrap().delete_markers, 1);
    let report = engine.compact("people", None, None).unwrap();
    assert_eq!((report.cells_in, report.cells_out), (2501, 499));
    assert!(report.transactions > 1);
    assert_eq!(report.stages[0].name, "versions");
    assert_eq!(
        (report.stages[0].cells_in, report.stages[0].cells_out),
        (2495, 499)
    );
    let stats = engine.stats("people").unwrap();
    assert_eq!(
        (stats.cells, stats.delete_markers, stats.delta.cells),
        (499, 0, 0)
    );
    assert_eq!(scan(&engine, "people", None), before);
    engine.close().unwrap();
    assert!(matches!(engine.tables(None), Err(Error::Closed(_))));
    drop(engine);
    let engine = open(&directory);
    assert_eq!(scan(&engine, "people", None), before);
}

#[test]
fn a_snapshot_reads_a_table_that_was_dropped() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    write(&engine, "t", &[put("a", "f", "1")]);
    write_with(&engine, "t", &[put("b", "f", "2")], &buffered()).unwrap();
    let snapshot = engine.snapshot().unwrap();
    engine.rename_table("t", "u").unwrap();
    assert_eq!(shown(&scan(&engine, "u", None)), ["a=1", "b=2"]);
    engine.drop_table("u").unwrap();
    assert!(matches!(
        engine.scan_input("u", None),
        Err(Error::TableNotFound(_))
    ));
    assert_eq!(shown(&scan(&engine, "t", Some(&snapshot))), ["a=1", "b=2"]);
    snapshot.close();
    assert!(matches!(
        engine.scan_input("t", Some(&snapshot)),
        Err(Error::Closed(_))
    ));
}

#[test]
fn a_clone_goes_its_own_way_with_its_long_values() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    let long = "x".repeat(300_000);
    write(&engine, "t", &[put("a", "f", &long), put("b", "f", "1")]);
    engine.clone_table("t", "u").unwrap();
    write(&engine, "u", &[put("b", "f", "2")]);
    engine.compact("t", None, None).unwrap();
    engine.drop_table("t").unwrap();
    assert_eq!(
        shown(&scan(&engine, "u", None)),
        [format!("a={long}"), "b=2".into()]
    );
    assert!(matches!(
        engine.clone_table("u", "u"),
        Err(Error::InvalidName(_))
    ));
}

#[test]
fn buffered_commits_are_seen_at_once_and_stored_by_a_flush() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    for row in 0..100 {
        let puts = [put(&format!("r{row:02}"), "f", "1")];
        write_with(&engine, "t", &puts, &buffered()).unwrap();
    }
    assert_eq!(scan(&engine, "t", None).len(), 100);
    let stats = engine.stats("t").unwrap();
    assert_eq!((stats.buffered_cells, stats.delta.cells), (100, 0));
    let snapshot = engine.snapshot().unwrap();
    write(&engine, "t", &[put("r00", "f", "2")]);
    let stats = engine.stats("t").unwrap();
    assert_eq!((stats.buffered_cells, stats.delta.cells), (0, 101));
    assert_eq!(shown(&scan(&engine, "t", None))[0], "r00=2");
    assert_eq!(shown(&scan(&engine, "t", Some(&snapshot)))[0], "r00=1");
}

#[test]
fn a_buffer_that_is_too_large_is_stored() {
    let directory = Directory::new();
    let options = OpenOptions {
        buffer_bytes: 2000,
        ..small()
    };
    let engine = Engine::open(directory.path(), options).unwrap();
    engine.create_table("t", "{}", &[]).unwrap();
    for row in 0..100 {
        let puts = [put(&format!("r{row:02}"), "f", "1")];
        write_with(&engine, "t", &puts, &buffered()).unwrap();
    }
    let stats = engine.stats("t").unwrap();
    assert!(stats.delta.cells > 50 && stats.buffered_cells < 50);
    assert_eq!(scan(&engine, "t", None).len(), 100);
}

#[test]
fn labels_are_counted_wherever_their_cells_stand() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    let labelled = |row: &str, label: &str| {
        let mut put = put(row, "f", "");
        put.cell.key.visibility = label.into();
        put
    };
    let puts: Vec<Put> = (0..300)
        .map(|row| labelled(&format!("r{row}"), &format!("a{}", row % 7)))
        .collect();
    write(&engine, "t", &puts);
    engine.compact("t", None, None).unwrap();
    write(&engine, "t", &[labelled("x", "b"), labelled("y", "a1")]);
    write_with(&engine, "t", &[labelled("z", "c")], &buffered()).unwrap();
    let expected: Vec<&[u8]> = vec![b"a0", b"a1", b"a2", b"a3", b"a4", b"a5", b"a6", b"b", b"c"];
    assert_eq!(engine.labels("t", 100).unwrap(), expected);
    assert_eq!(engine.labels("t", 3).unwrap().len(), 3);
}

#[test]
fn a_merge_that_is_stopped_leaves_a_right_table() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    for round in 0..3 {
        let puts: Vec<Put> = (0..3000)
            .map(|row| put(&format!("r{row:05}"), "f", &format!("{}", row * round)))
            .collect();
        write(&engine, "t", &puts);
    }
    let before = scan(&engine, "t", None);
    let outcome = std::thread::scope(|scope| {
        let merge = scope.spawn(|| engine.compact("t", None, None));
        while !merge.is_finished() {
            engine.stop_merges();
            assert_eq!(scan(&engine, "t", None), before);
        }
        merge.join().unwrap()
    });
    // It may have been faster.
    assert!(matches!(outcome, Ok(_) | Err(Error::Cancelled(_))));
    assert_eq!(scan(&engine, "t", None), before);
    engine.compact("t", None, None).unwrap();
    let stats = engine.stats("t").unwrap();
    assert_eq!((stats.cells, stats.delta.cells), (3000, 0));
    assert_eq!(scan(&engine, "t", None), before);
}
