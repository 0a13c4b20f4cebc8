//! Large scans by several threads: the same cells in the same order, and an end when one is asked for.

use std::time::{Duration, Instant};

use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::scan::{self, Input, ScanOptions, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::stages::StageSpec;
use lexigraph_core::Error;
use serde_json::json;

use crate::plain;
use crate::support::{read, Fixture};

fn cell(number: u32, family: &[u8]) -> Cell {
    Cell {
        key: Key {
            row: format!("row {:05}", number / 3).into_bytes(),
            family: family.to_vec(),
            qualifier: number.to_be_bytes().to_vec(),
            timestamp: i64::from(number % 7),
            ..Key::default()
        },
        value: number.to_string().into_bytes(),
    }
}

fn table(fixture: &Fixture, settings: &Settings) -> (Input, Vec<Cell>) {
    let mut written: Vec<Cell> = (0..12_000).map(|number| cell(number, b"f")).collect();
    fixture.write(1, settings, &written);
    fixture.merge(1, settings);
    let new: Vec<Cell> = (3_000..5_000).map(|number| cell(number, b"g")).collect();
    fixture.write(1, settings, &new);
    written.extend(new);
    (fixture.input(1, settings), written)
}

fn threads(threads: usize) -> ScanOptions {
    ScanOptions {
        threads,
        ..ScanOptions::default()
    }
}

fn stage(name: &str, options: serde_json::Value) -> StageSpec {
    StageSpec {
        name: name.into(),
        options,
        priority: None,
    }
}

#[test]
fn threads_give_the_same_cells_in_the_same_order() {
    let fixture = Fixture::new();
    let settings = Settings::default();
    let (input, written) = table(&fixture, &settings);
    let rows = |start: &str, end: &str| Range {
        start: Some(Key::leading(start.as_bytes(), b"", b"", b"")),
        end: Some(Key::leading(end.as_bytes(), b"f", b"", b"")),
        ..Range::default()
    };
    let many = (0..400).map(|row| {
        rows(
            &format!("row {:05}", row * 9),
            &format!("row {:05}", row * 9 + 1),
        )
    });
    let filter = stage("grep", json!({"term": "77"}));
    let specs = [
        Spec::default(),
        Spec {
            ranges: vec![rows("row 00100", "row 03500")],
            ..Spec::default()
        },
        Spec {
            ranges: many.collect(),
            ..Spec::default()
        },
        Spec {
            stages: vec![filter.clone()],
            ..Spec::default()
        },
        Spec {
            stages: vec![stage("whole-row", json!({}))],
            ..Spec::default()
        },
        Spec {
            stages: vec![filter, stage("limit", json!({"cells": 40}))],
            ..Spec::default()
        },
        Spec {
            columns: vec![(b"g".to_vec(), None)],
            ..Spec::default()
        },
    ];
    for spec in &specs {
        let expected = plain::run(&written, &settings, spec).unwrap();
        assert!(!expected.is_empty());
        for (many, batch) in [(1, 1000), (2, 100_000), (3, 77)] {
            let found = read(&input, spec, &threads(many), batch).unwrap();
            assert!(found == expected, "{many} threads, {batch} cells: {spec:?}");
        }
    }
}

#[test]
fn an_error_comes_behind_the_cells_before_it() {
    let fixture = Fixture::new();
    let settings = Settings::default();
    let mut written: Vec<Cell> = (0..9_000).map(|number| cell(number, b"f")).collect();
    written[8_000].value = b"no number".to_vec();
    let twin = Cell {
        key: Key {
            timestamp: -1,
            ..written[8_000].key.clone()
        },
        value: b"1".to_vec(),
    };
    written.push(twin);
    fixture.write(1, &settings, &written);
    let spec = Spec {
        stages: vec![stage("sum", json!({"encoding": "text", "columns": null}))],
        ..Spec::default()
    };
    for many in [1, 2] {
        let input = fixture.input(1, &settings);
        let mut scan = scan::open(input, &spec, &threads(many)).unwrap();
        let mut found = 0;
        let error = loop {
            match scan.next(50) {
                Ok(Some(cells)) => found += cells.len(),
                Ok(None) => panic!("the error is lost"),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, Error::InvalidBytes(_)), "{error:?}");
        assert_eq!(found, 8_000);
        assert!(scan.next(50).unwrap().is_none());
    }
    // A limit that is reached before it never comes to it.
    for many in [1, 2] {
        for (limit, whole) in [
            (1, true),
            (2, true),
            (7_999, true),
            (8_000, true),
            (8_001, false),
        ] {
            let limited = Spec {
                stages: [
                    spec.stages.clone(),
                    vec![stage("limit", json!({"cells": limit}))],
                ]
                .concat(),
                ..Spec::default()
            };
            let input = fixture.input(1, &settings);
            let mut scan = scan::open(input, &limited, &threads(many)).unwrap();
            let mut found = 0;
            let ended = loop {
                match scan.next(50) {
                    Ok(Some(cells)) => found += cells.len(),
                    Ok(None) => break true,
                    Err(_) => break false,
                }
            };
            assert_eq!((found, ended), (limit.min(8_000), whole), "{many} threads");
        }
    }
}

#[test]
fn a_cancelled_scan_ends_even_where_nothing_passes_its_filter() {
    let fixture = Fixture::new();
    let settings = Settings::default();
    let (input, _) = table(&fixture, &settings);
    let nothing = Spec {
        stages: vec![stage("grep", json!({"term": "nowhere"}))],
        ..Spec::default()
    };
    for many in [1, 2] {
        for spec in [&Spec::default(), &nothing] {
            let mut scan = scan::open(input.clone(), spec, &threads(many)).unwrap();
            scan.cancel_handle().cancel();
            assert!(matches!(scan.next(100_000), Err(Error::Cancelled(_))));
            assert!(scan.counts().blocks < 64);
        }
        let mut scan = scan::open(input.clone(), &Spec::default(), &threads(many)).unwrap();
        scan.next(5_000).unwrap().unwrap();
        scan.cancel_handle().cancel();
        let ended = std::iter::repeat_with(|| scan.next(1_000)).find(|next| next.is_err());
        assert!(matches!(ended, Some(Err(Error::Cancelled(_)))));
    }
}

#[test]
fn a_scan_past_its_time_is_a_timeout() {
    let fixture = Fixture::new();
    let settings = Settings::default();
    let (input, _) = table(&fixture, &settings);
    for many in [1, 2] {
        for past in [Duration::ZERO, Duration::from_secs(3600)] {
            let options = ScanOptions {
                deadline: Some(Instant::now() + past),
                ..threads(many)
            };
            let found = read(&input, &Spec::default(), &options, 500);
            match past.is_zero() {
                true => assert!(matches!(found, Err(Error::Timeout(_)))),
                false => assert_eq!(found.unwrap().len(), 14_000),
            }
        }
    }
}

#[test]
fn a_result_is_fixed_when_it_is_opened() {
    let fixture = Fixture::new();
    let settings = Settings::default();
    let (input, written) = table(&fixture, &settings);
    let mut scan = scan::open(input, &Spec::default(), &threads(2)).unwrap();
    let mut found = scan.next(10).unwrap().unwrap().len();
    fixture.write(1, &settings, &[cell(11_999, b"later")]);
    fixture.merge(1, &settings);
    while let Some(cells) = scan.next(1_000).unwrap() {
        found += cells.len();
    }
    assert_eq!(found, written.len());
}
