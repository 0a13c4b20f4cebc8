//! Commit timestamps rise whatever the clock does, in each table's own unit.

use lexigraph_core::engine::{Durability, WriteOptions};
use lexigraph_core::Error;

use crate::support::*;

fn at(now: i64) -> WriteOptions<'static> {
    WriteOptions {
        now: Some(now),
        ..WriteOptions::default()
    }
}

#[test]
fn a_clock_that_jumps_back_never_makes_a_commit_older() {
    let directory = Directory::new();
    let engine = open(&directory);
    for unit in ["micros", "millis", "logical"] {
        let settings = format!(r#"{{"version": 1, "time_unit": "{unit}", "max_versions": null}}"#);
        engine.create_table(unit, &settings, &[]).unwrap();
    }
    let columns = Columns::of(&[put("r", "f", "")]);
    let batches = [
        ("micros", columns.batch()),
        ("millis", columns.batch()),
        ("logical", columns.batch()),
    ];
    assert_eq!(engine.write(&batches, &at(5_000)).unwrap(), 5_000);
    assert_eq!(engine.write(&batches, &at(4_000)).unwrap(), 5_001);
    let buffered = WriteOptions {
        durability: Some(Durability::Buffered),
        ..at(4_000)
    };
    assert_eq!(engine.write(&batches, &buffered).unwrap(), 5_002);
    assert_eq!(engine.write(&batches, &at(9_000)).unwrap(), 9_000);
    drop(engine);
    let engine = open(&directory);
    assert_eq!(engine.write(&batches, &at(0)).unwrap(), 9_001);
    let times = |table: &str| -> Vec<i64> {
        let cells = raw(&engine, table, None);
        cells.iter().rev().map(|cell| cell.key.timestamp).collect()
    };
    assert_eq!(times("micros"), [5_000, 5_001, 5_002, 9_000, 9_001]);
    assert_eq!(times("millis"), [5, 6, 7, 9, 10]);
    assert_eq!(times("logical"), [1, 2, 3, 4, 5]);
    assert_eq!(engine.table("logical", None).unwrap().last, Some(5));
}

#[test]
fn a_merge_that_removes_refuses_a_clock_that_cannot_be_right() {
    let directory = Directory::new();
    let engine = open(&directory);
    let settings = r#"{"version": 1, "max_clock_jump": 1000,
        "merge_stages": [{"name": "age-off", "options": {"ttl": 100}}]}"#;
    engine.create_table("t", settings, &[]).unwrap();
    write_with(&engine, "t", &[put("a", "f", "")], &at(10_000)).unwrap();
    write_with(&engine, "t", &[put("b", "f", "")], &at(10_200)).unwrap();
    let compact = |now| engine.compact("t", None, Some(now));
    assert!(matches!(compact(10_199), Err(Error::Usage(_))));
    assert!(matches!(compact(11_201), Err(Error::Usage(_))));
    let report = compact(10_200).unwrap();
    assert_eq!((report.cells_in, report.cells_out), (2, 1));
    assert_eq!(shown(&raw(&engine, "t", None)), ["b="]);
}

#[test]
fn delete_markers_bar_the_way_to_append_only() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    write(&engine, "t", &[put("a", "f", "1"), delete("b", "f")]);
    let only = r#"{"version": 1, "append_only": true}"#;
    assert!(matches!(
        engine.configure_table("t", only),
        Err(Error::InvalidOption(_))
    ));
    engine.compact("t", None, None).unwrap();
    engine.configure_table("t", only).unwrap();
    let outcome = write_with(&engine, "t", &[delete("a", "f")], &WriteOptions::default());
    assert!(matches!(outcome, Err(Error::Constraint { cell: 0, .. })));
    let unit = r#"{"version": 1, "time_unit": "logical"}"#;
    assert!(matches!(
        engine.configure_table("t", unit),
        Err(Error::InvalidOption(_))
    ));
}
