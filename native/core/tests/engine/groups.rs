//! Locality groups: cells are found wherever earlier settings put them, and merges see whole rows.

use lexigraph_core::engine::Engine;
use lexigraph_core::scan::{self, ScanOptions, Spec};
use lexigraph_core::visibility::View;
use serde_json::json;

use crate::support::*;

fn settings(groups: &str) -> String {
    format!(r#"{{"version": 1, "locality_groups": {groups}}}"#)
}

/// The rows of one family, read through a scan of that family alone.
fn family(engine: &Engine, name: &str) -> usize {
    let spec = Spec {
        columns: vec![(name.into(), None)],
        view: View::All,
        ..Spec::default()
    };
    let input = engine.scan_input("t", None).unwrap();
    let mut scan = scan::open(input, &spec, &ScanOptions::default()).unwrap();
    let mut count = 0;
    while let Some(cells) = scan.next(1000).unwrap() {
        count += cells.len();
    }
    count
}

fn fill(engine: &Engine, from: usize) {
    let puts: Vec<Put> = (from..from + 100)
        .flat_map(|row| ["a", "b", "c"].map(|family| put(&format!("r{row:04}"), family, "v")))
        .collect();
    write(engine, "t", &puts);
}

#[test]
fn cells_are_found_where_earlier_settings_put_them() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    fill(&engine, 0);
    engine.compact("t", None, None).unwrap();
    let all = [
        r#"{"one": ["a"], "two": ["b"]}"#,
        r#"{"two": ["a", "c"]}"#,
        r#"{"three": ["a"], "one": ["c"]}"#,
        "{}",
    ];
    for (round, groups) in all.iter().enumerate() {
        engine.configure_table("t", &settings(groups)).unwrap();
        fill(&engine, 100 * (round + 1));
        for name in ["a", "b", "c"] {
            assert_eq!(
                family(&engine, name),
                100 * (round + 2),
                "{name} after {groups}"
            );
        }
    }
    let before = scan(&engine, "t", None);
    // The groups before the last change were merged away by it.
    assert_eq!(engine.table("t", None).unwrap().groups.len(), 3);
    engine.compact("t", None, None).unwrap();
    assert_eq!(scan(&engine, "t", None), before);
    let groups = engine.table("t", None).unwrap().groups.clone();
    assert_eq!((groups.len(), groups[0].stale), (1, false));
    assert_eq!(family(&engine, "b"), 500);
    let stats = engine.stats("t").unwrap();
    assert_eq!((stats.base.cells, stats.delta.cells), (1500, 0));
}

#[test]
fn a_stage_that_deletes_rows_sees_all_groups_of_a_row() {
    let directory = Directory::new();
    let engine = open(&directory);
    let stages = r#"{"version": 1, "locality_groups": {"one": ["b"]},
        "merge_stages": [{"name": "row-delete"}]}"#;
    engine.create_table("t", stages, &[]).unwrap();
    write(
        &engine,
        "t",
        &[put("x", "a", "1"), put("x", "b", "1"), put("y", "b", "1")],
    );
    write(&engine, "t", &[put("x", "", "DEL_ROW")]);
    let report = engine.compact("t", None, None).unwrap();
    let names: Vec<&str> = report
        .stages
        .iter()
        .map(|stage| stage.name.as_str())
        .collect();
    assert_eq!(names, ["row-delete", "versions"]);
    assert_eq!(report.cells_in, 4);
    assert_eq!(report.stages[0].cells_in, 4);
    assert_eq!(report.stages[0].cells_out, report.cells_out);
    assert!(shown(&scan(&engine, "t", None)).contains(&"y=1".to_owned()));
    assert!(!shown(&raw(&engine, "t", None)).contains(&"x=1".to_owned()));
}

#[test]
fn the_last_value_of_a_key_wins_whatever_groups_it_was_written_to() {
    let all = ["{}", r#"{"a": ["f"]}"#, r#"{"b": ["f"], "a": ["g"]}"#];
    for sequence in 0..27 {
        let groups = [sequence / 9, sequence / 3 % 3, sequence % 3].map(|place| all[place]);
        let directory = Directory::new();
        let engine = open(&directory);
        engine.create_table("t", &settings(groups[0]), &[]).unwrap();
        for (round, groups_now) in groups.iter().enumerate() {
            engine.configure_table("t", &settings(groups_now)).unwrap();
            let value = format!("v{round}");
            let puts = ["f", "g", "h"].map(|family| timed(put("r", family, &value), 5));
            write(&engine, "t", &puts);
            let wanted = vec![format!("r={value}"); 3];
            assert_eq!(
                shown(&scan(&engine, "t", None)),
                wanted,
                "{groups:?} {round}"
            );
        }
        engine.compact("t", None, None).unwrap();
        assert_eq!(shown(&scan(&engine, "t", None)), ["r=v2"; 3], "{groups:?}");
        assert!(engine.table("t", None).unwrap().is_settled());
    }
}

#[test]
fn a_summary_counts_a_column_once_that_stands_in_two_groups() {
    let vertex = json!({"kind": "vertex", "group": "g",
        "parts": [{"field": "vertex", "codec": "str", "form": "rest"}]});
    let plan = json!({"version": 1, "rows": [vertex], "family": [{"const": "f"}],
        "groups": {"g": {"kind": "vertex", "qualifier": [], "value": {"form": "none"}}}});
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    write(&engine, "t", &[put("x", "f", ""), put("y", "f", "")]);
    let groups = settings(r#"{"a": ["f"]}"#);
    engine.configure_table("t", &groups).unwrap();
    write(&engine, "t", &[put("x", "f", "")]);
    let spec = Spec::from_json(&json!({"version": 1, "plans": {"p": plan}, "stages": [
        {"name": "summarise", "options": {"plan": "p", "by": ["group"],
            "measures": [{"name": "n", "aggregate": "count"}]}}]}))
    .unwrap();
    let count = || {
        let input = engine.scan_input("t", None).unwrap();
        let mut scan = scan::open(input, &spec, &ScanOptions::default()).unwrap();
        scan.next(10)
            .unwrap()
            .map(|cells| cells.view().value.get(0).to_vec())
    };
    let before = count();
    engine.compact("t", None, None).unwrap();
    assert!(before.is_some());
    assert_eq!(before, count());
}
