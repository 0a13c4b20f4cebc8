//! Bulk loads of a table: rules, times, groups and conflicts are those of a write.

use lexigraph_core::cells::{Key, Range};
use lexigraph_core::engine::{Engine, LoadBatch, LoadOptions, WriteOptions};
use lexigraph_core::Error;

use crate::support::*;

fn load(engine: &Engine, table: &str, puts: &[Put], memory: usize) -> lexigraph_core::Result<u64> {
    let mut parts = puts.chunks(100).map(|puts| {
        let mut batch = LoadBatch::default();
        for put in puts {
            batch.cells.push(&put.cell.as_ref());
            batch.timed.push(u8::from(put.timed));
        }
        batch
    });
    let options = LoadOptions {
        memory,
        ..LoadOptions::default()
    };
    let report = engine.load(table, &mut || Ok(parts.next()), &options, &mut |_| Ok(()))?;
    Ok(report.cells)
}

fn rows(count: usize, family: fn(usize) -> &'static str) -> Vec<Put> {
    (0..count)
        .map(|row| {
            put(
                &format!("r{:05}", row * 7919 % 3001),
                family(row),
                &row.to_string(),
            )
        })
        .collect()
}

#[test]
fn a_load_shows_what_a_write_shows_in_every_group() {
    let settings = r#"{"max_versions": null, "locality_groups": {"a": ["x"], "b": ["y", "z"]}}"#;
    let family = |row: usize| ["x", "y", "other"][row % 3];
    let directory = Directory::new();
    let engine = open(&directory);
    for table in ["written", "loaded"] {
        engine.create_table(table, settings, &[]).unwrap();
        write(&engine, table, &rows(300, family));
    }
    let puts: Vec<Put> = rows(4000, family)
        .into_iter()
        .enumerate()
        .map(|(number, put)| match number % 5 {
            0 => timed(put, 77),
            _ => put,
        })
        .collect();
    write(&engine, "written", &puts);
    assert_eq!(load(&engine, "loaded", &puts, 30_000), Ok(4000));
    // The times of the commits differ, their order does not.
    let plain = |table| {
        let cells = raw(&engine, table, None).into_iter();
        let kept = cells.map(|cell| (cell.key.row, cell.key.family, cell.value));
        kept.collect::<Vec<_>>()
    };
    assert!(plain("written") == plain("loaded"));
    let info = engine.table("loaded", None).unwrap();
    assert!(info.client_timed);
    let newest = raw(&engine, "loaded", None)
        .iter()
        .map(|cell| cell.key.timestamp)
        .max();
    assert_eq!(info.last, newest);
}

#[test]
fn a_cell_that_breaks_a_rule_ends_the_load_and_nothing_is_stored() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    let mut puts = rows(500, |_| "f");
    puts[250].cell.key.visibility = b"a&".to_vec();
    let failed = load(&engine, "t", &puts, 5_000);
    assert!(
        matches!(&failed, Err(Error::Constraint { table, cell: 50, .. }) if table == "t"),
        "{failed:?}"
    );
    assert!(raw(&engine, "t", None).is_empty());
    assert!(matches!(
        load(&engine, "nowhere", &puts, 5_000),
        Err(Error::TableNotFound(_))
    ));
}

#[test]
fn a_load_is_a_change_for_whoever_read_before() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    let snapshot = engine.snapshot().unwrap();
    load(&engine, "t", &rows(500, |_| "f"), 1 << 20).unwrap();
    let range = |row: &[u8]| Range {
        start: Some(Key::leading(row, b"", b"", b"")),
        ..Range::default()
    };
    let ranges = |row: &[u8]| [("t".to_owned(), range(row))];
    for (row, conflict) in [(&b"r0"[..], true), (b"s", false)] {
        let ranges = ranges(row);
        let options = WriteOptions {
            unchanged: Some((&snapshot, &ranges)),
            ..WriteOptions::default()
        };
        let written = write_with(&engine, "t", &[put("z", "f", "1")], &options);
        assert_eq!(matches!(written, Err(Error::Conflict(_))), conflict);
    }
}

#[test]
fn a_table_that_is_dropped_meanwhile_gets_nothing() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    let mut loader = engine.loader("t", &LoadOptions::default()).unwrap();
    let columns = Columns::of(&rows(100, |_| "f"));
    loader.push(&columns.batch()).unwrap();
    engine.drop_table("t").unwrap();
    engine.create_table("t", "{}", &[]).unwrap();
    assert!(matches!(
        loader.finish(&mut |_| Ok(())),
        Err(Error::Conflict(_))
    ));
    assert!(raw(&engine, "t", None).is_empty());
}

#[test]
fn a_load_is_newer_than_what_is_written_while_it_reads() {
    for (memory, unit) in [
        (1 << 20, "micros"),
        (5_000, "micros"),
        (5_000, "millis"),
        (1 << 20, "logical"),
    ] {
        let directory = Directory::new();
        let engine = open(&directory);
        let settings = format!(r#"{{"max_versions": null, "time_unit": "{unit}"}}"#);
        engine.create_table("t", &settings, &[]).unwrap();
        write(&engine, "t", &rows(500, |_| "f"));
        let options = LoadOptions {
            memory,
            ..LoadOptions::default()
        };
        let mut loader = engine.loader("t", &options).unwrap();
        let mut puts = rows(2000, |_| "f");
        // Far ahead of any commit, and far behind.
        puts.push(timed(put("r00000", "f", "far"), i64::MAX - 5));
        puts.push(timed(put("r00000", "f", "old"), -5));
        loader.push(&Columns::of(&puts).batch()).unwrap();
        write(&engine, "t", &[put("r00000", "f", "meanwhile")]);
        let between = write(&engine, "t", &[delete("r00001", "f")]);
        let report = loader.finish(&mut |_| Ok(())).unwrap();
        assert!(report.timestamp > between);
        assert_eq!(report.files > 2, memory < 1 << 20);
        let seen = shown(&scan(&engine, "t", None));
        let of = |row: &str| {
            let own = seen.iter().filter(|cell| cell.starts_with(row));
            own.cloned().collect::<Vec<_>>()
        };
        assert_eq!(
            of("r00000="),
            ["far", "0", "meanwhile", "0", "old"].map(|value| format!("r00000={value}"))
        );
        assert_eq!(of("r00001=").len(), 1);
        let cells = raw(&engine, "t", None);
        assert!(cells.is_sorted_by(|one, next| one.key.as_ref() <= next.key.as_ref()));
        engine.compact("t", None, None).unwrap();
        assert_eq!(shown(&scan(&engine, "t", None)), seen);
        // What is written next is newer again.
        write(&engine, "t", &[put("r00001", "f", "next")]);
        let next = shown(&scan(&engine, "t", None));
        assert!(
            next.iter()
                .find(|cell| cell.starts_with("r00001="))
                .unwrap()
                == "r00001=next"
        );
    }
}

#[test]
fn times_of_clients_that_commits_overtake_end_the_load() {
    let directory = Directory::new();
    let engine = open(&directory);
    let settings = r#"{"max_versions": null, "time_unit": "logical"}"#;
    engine.create_table("t", settings, &[]).unwrap();
    write(&engine, "t", &[put("a", "f", "1")]);
    // Where every cell has its own time, none is moved.
    for (own, meanwhile, refused) in [
        (true, false, false),
        (true, true, true),
        (false, true, false),
    ] {
        let last = engine.table("t", None).unwrap().last.unwrap();
        let mut loader = engine.loader("t", &LoadOptions::default()).unwrap();
        let mut puts = vec![timed(put("a", "f", "client"), last + 1)];
        if own {
            puts.push(put("a", "f", "own"));
        }
        loader.push(&Columns::of(&puts).batch()).unwrap();
        if meanwhile {
            write(&engine, "t", &[put("b", "f", "1")]);
        }
        let finished = loader.finish(&mut |_| Ok(()));
        assert_eq!(matches!(finished, Err(Error::Conflict(_))), refused);
        assert_eq!(finished.is_ok(), !refused);
    }
}

#[test]
fn an_empty_load_and_a_refused_one_use_up_no_time_of_the_table() {
    let directory = Directory::new();
    let engine = open(&directory);
    let settings = r#"{"time_unit": "logical"}"#;
    engine.create_table("t", settings, &[]).unwrap();
    write(&engine, "t", &[put("a", "f", "1")]);
    assert_eq!(load(&engine, "t", &[], 1 << 20), Ok(0));
    let mut wrong = put("a", "f", "1");
    wrong.cell.key.visibility = b"a&".to_vec();
    assert!(load(&engine, "t", &[wrong], 1 << 20).is_err());
    write(&engine, "t", &[put("b", "f", "1")]);
    assert_eq!(engine.table("t", None).unwrap().last, Some(2));
}
