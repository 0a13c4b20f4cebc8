//! What a scan does not need, it does not open; and tables that are hard on blocks.

use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::scan::{self, Input, ScanCounts, ScanOptions, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::stages::StageSpec;
use serde_json::json;

use crate::plain;
use crate::support::{read, Fixture};

fn cell(row: &[u8], family: &[u8]) -> Cell {
    Cell {
        key: Key {
            row: row.to_vec(),
            family: family.to_vec(),
            ..Key::default()
        },
        value: b"value".to_vec(),
    }
}

fn row(row: &[u8]) -> Range {
    Range {
        start: Some(Key::leading(row, b"", b"", b"")),
        end: Some(Key::following(&[row])),
        end_inclusive: false,
        ..Range::default()
    }
}

fn counts(input: &Input, spec: &Spec) -> ScanCounts {
    let mut scan = scan::open(input.clone(), spec, &ScanOptions::default()).unwrap();
    while scan.next(100).unwrap().is_some() {}
    scan.counts()
}

#[test]
fn only_the_blocks_of_a_range_and_of_wanted_groups_are_opened() {
    let fixture = Fixture::new();
    let settings = Settings {
        locality_groups: vec![vec![b"rare".to_vec()]],
        ..Settings::default()
    };
    let mut cells = Vec::new();
    for number in 0..2_000 {
        let name = format!("row {number:05}");
        cells.push(cell(name.as_bytes(), b"common"));
        if number % 500 == 0 {
            cells.push(cell(name.as_bytes(), b"rare"));
        }
    }
    fixture.write(1, &settings, &cells);
    fixture.merge(1, &settings);
    let input = fixture.input(1, &settings);
    let whole = counts(&input, &Spec::default());
    assert_eq!((whole.cells_read, whole.cells_returned), (2_004, 2_004));
    assert!(whole.blocks > 20, "{whole:?}");
    let one = Spec {
        ranges: vec![row(b"row 01234")],
        ..Spec::default()
    };
    let one = counts(&input, &one);
    assert!(one.blocks <= 3 && one.cells_returned == 1, "{one:?}");
    let rare = Spec {
        columns: vec![(b"rare".to_vec(), None)],
        ..Spec::default()
    };
    let rare = counts(&input, &rare);
    assert_eq!((rare.blocks, rare.cells_returned), (1, 4));
    let absent = Spec {
        columns: vec![(b"rare".to_vec(), None)],
        ranges: vec![row(b"row 00001")],
        ..Spec::default()
    };
    assert!(counts(&input, &absent).blocks <= 1);
    let few = Spec {
        stages: vec![StageSpec {
            name: "limit".into(),
            options: json!({"cells": 3}),
            priority: None,
        }],
        ..Spec::default()
    };
    assert!(counts(&input, &few).blocks < whole.blocks);
    // Rows that lie in one block open it once.
    let near = Spec {
        ranges: vec![row(b"row 00000"), row(b"row 00001"), row(b"row 00002")],
        columns: vec![(b"common".to_vec(), None)],
        ..Spec::default()
    };
    let near = counts(&input, &near);
    assert_eq!((near.blocks, near.cells_returned), (1, 3));
}

#[test]
fn nothing_comes_of_nothing() {
    let fixture = Fixture::new();
    let settings = Settings::default();
    let input = fixture.input(9, &settings);
    let no_range = Spec {
        ranges: Vec::new(),
        ..Spec::default()
    };
    let options = ScanOptions {
        threads: 2,
        ..ScanOptions::default()
    };
    for spec in [&Spec::default(), &no_range] {
        assert_eq!(read(&input, spec, &options, 10).unwrap(), []);
    }
    fixture.write(1, &settings, &[Cell::default()]);
    let input = fixture.input(1, &settings);
    assert_eq!(read(&input, &no_range, &options, 10).unwrap(), []);
    let all = read(&input, &Spec::default(), &options, 10).unwrap();
    assert_eq!(all, [Cell::default()]);
}

#[test]
fn keys_of_a_mebibyte_are_found_and_passed() {
    let fixture = Fixture::new();
    let settings = Settings::default();
    let long = |last: u8, length: usize| {
        let mut row = vec![b'k'; length];
        row.push(last);
        row
    };
    let rows: Vec<Vec<u8>> = (0..12)
        .map(|last| long(last, if last % 2 == 0 { 1 << 20 } else { 2_000 }))
        .collect();
    let written: Vec<Cell> = rows.iter().map(|row| cell(row, b"f")).collect();
    fixture.write(1, &settings, &written[..6]);
    fixture.merge(1, &settings);
    fixture.write(1, &settings, &written[6..]);
    let input = fixture.input(1, &settings);
    let options = ScanOptions {
        threads: 2,
        ..ScanOptions::default()
    };
    let some = Spec {
        ranges: rows.iter().map(|name| row(name)).collect(),
        ..Spec::default()
    };
    for spec in [&Spec::default(), &some] {
        let expected = plain::run(&written, &settings, spec).unwrap();
        assert_eq!(expected.len(), 12);
        assert!(read(&input, spec, &options, 5).unwrap() == expected);
    }
}
