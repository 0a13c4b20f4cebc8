//! Random tables and random scans: a store gives what the plain stack gives, by any batch, cut and thread.

use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::scan::{Resume, RowReader, ScanOptions, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::stages::StageSpec;
use lexigraph_core::visibility::{Authorizations, View};
use serde_json::json;

use crate::plain;
use crate::support::{owned, read, Fixture};

/// A small generator with a fixed seed, so that a failure comes again.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % end
    }

    fn bytes(&mut self, choices: &[&[u8]]) -> Vec<u8> {
        choices[self.below(choices.len() as u64) as usize].to_vec()
    }
}

const ROWS: [&[u8]; 9] = [
    b"",
    b"\x00",
    b"a",
    b"a\x00",
    b"a\x01",
    b"ab",
    b"b",
    b"b\xff",
    b"\xff\xff",
];
const FAMILIES: [&[u8]; 4] = [b"", b"f", b"g", b"h"];
const LABELS: [&[u8]; 5] = [b"", b"A", b"A&B", b"B|C", b"(("];

fn key(random: &mut Random) -> Key {
    let mut row = random.bytes(&ROWS);
    row.extend(random.bytes(&[b"", b"1", b"2", b"3"]));
    Key {
        row,
        family: random.bytes(&FAMILIES),
        qualifier: random.bytes(&[b"", b"p", b"q\x00"]),
        visibility: random.bytes(&LABELS),
        timestamp: [i64::MIN, -1, 0, 1, 2, i64::MAX][random.below(6) as usize],
        deleted: random.below(8) == 0,
    }
}

fn cells(random: &mut Random, many: u64) -> Vec<Cell> {
    let number = random.below(many + 1);
    let cell = |number: u64, random: &mut Random| Cell {
        key: key(random),
        value: (number + random.below(3)).to_string().into_bytes(),
    };
    (0..number).map(|number| cell(number, random)).collect()
}

fn range(random: &mut Random) -> Range {
    let mut bounds = [key(random), key(random)];
    bounds.sort();
    let [start, end] = bounds;
    Range {
        start: (random.below(4) > 0).then_some(start),
        start_inclusive: random.below(2) == 0,
        end: (random.below(4) > 0).then_some(end),
        end_inclusive: random.below(2) == 0,
    }
}

fn spec(random: &mut Random) -> Spec {
    let stages = [
        ("versions", json!({"max": 2})),
        ("grep", json!({"term": "1"})),
        (
            "sum",
            json!({"encoding": "text", "columns": null, "lossy": true}),
        ),
        ("first-in-row", json!({})),
        ("whole-row", json!({})),
        ("sample", json!({"modulus": 2})),
        ("labelled", json!({"negate": true})),
        ("limit", json!({"cells": 7})),
    ];
    let stages: Vec<StageSpec> = stages
        .into_iter()
        .filter(|_| random.below(6) == 0)
        .map(|(name, options)| StageSpec {
            name: name.into(),
            options,
            priority: None,
        })
        .collect();
    let ranges = (0..random.below(4)).map(|_| range(random)).collect();
    let columns = (0..random.below(3))
        .map(|_| {
            let qualifier = (random.below(2) == 0).then(|| random.bytes(&[b"", b"p"]));
            (random.bytes(&FAMILIES), qualifier)
        })
        .collect();
    Spec {
        ranges: if random.below(3) == 0 {
            vec![Range::default()]
        } else {
            ranges
        },
        columns,
        view: match random.below(4) {
            0 => View::All,
            1 => View::Of(Authorizations::default()),
            _ => View::Of(Authorizations::new(["A", "B"]).unwrap()),
        },
        default_visibility: (random.below(4) == 0).then(|| b"A".to_vec()),
        stages,
        ..Spec::default()
    }
}

#[test]
fn a_store_gives_what_the_plain_stack_gives() {
    let fixture = Fixture::new();
    let mut random = Random(11);
    for table in 1..=40 {
        let settings = Settings {
            max_versions: [None, Some(1), Some(3)][random.below(3) as usize],
            default_visibility: random.bytes(&[b"", b"B"]),
            locality_groups: match random.below(2) {
                0 => Vec::new(),
                _ => vec![vec![b"f".to_vec()], vec![b"g".to_vec(), b"h".to_vec()]],
            },
            ..Settings::default()
        };
        let (old, new) = (cells(&mut random, 300), cells(&mut random, 60));
        fixture.write(table, &settings, &old);
        fixture.merge(table, &settings);
        fixture.write(table, &settings, &new);
        let written = [old, new].concat();
        let input = fixture.input(table, &settings);
        for _ in 0..25 {
            let spec = spec(&mut random);
            let expected = plain::run(&written, &settings, &spec);
            for threads in [1, 2] {
                let options = ScanOptions {
                    threads,
                    ..ScanOptions::default()
                };
                let batch = 1 + random.below(40) as usize;
                let found = read(&input, &spec, &options, batch);
                assert_eq!(found, expected, "table {table}: {spec:?}");
            }
            let Ok(expected) = expected else { continue };
            if expected.is_empty() {
                continue;
            }
            let cut = random.below(expected.len() as u64) as usize;
            let last = &expected[cut].key;
            let seen = expected[..=cut].iter().filter(|cell| cell.key == *last);
            let resumed = Spec {
                after: Some(Resume {
                    key: last.clone(),
                    seen: seen.count() as u64,
                }),
                ..spec.clone()
            };
            let rest = read(&input, &resumed, &ScanOptions::default(), 1000).unwrap();
            assert_eq!(rest, expected[cut + 1..], "cut at {cut}: {spec:?}");
        }
    }
}

#[test]
fn a_reader_of_rows_gives_what_a_scan_gives() {
    let fixture = Fixture::new();
    let mut random = Random(5);
    let settings = Settings {
        max_versions: Some(1),
        ..Settings::default()
    };
    let mut written = Vec::new();
    let specs: Vec<Spec> = (0..6).map(|_| spec(&mut random)).collect();
    let mut readers: Vec<RowReader> = specs
        .iter()
        .map(|spec| RowReader::new(&settings, spec).unwrap())
        .collect();
    // The same readers over snapshots that differ.
    for _ in 0..6 {
        let more = cells(&mut random, 80);
        fixture.write(1, &settings, &more);
        written.extend(more);
        let input = fixture.input(1, &settings);
        for (spec, reader) in specs.iter().zip(&mut readers) {
            for row in ROWS {
                let mut out = Default::default();
                let found = reader.row(&input, row, &mut out).map(|()| owned(&out));
                let row = Range {
                    start: Some(Key::leading(row, b"", b"", b"")),
                    end: Some(Key::following(&[row])),
                    end_inclusive: false,
                    ..Range::default()
                };
                let ranges = vec![row];
                let expected = plain::run(
                    &written,
                    &settings,
                    &Spec {
                        ranges,
                        ..spec.clone()
                    },
                );
                assert_eq!(found, expected, "{spec:?}");
            }
        }
    }
}

#[test]
fn a_reader_of_rows_holds_no_state_between_two_rows() {
    let fixture = Fixture::new();
    let settings = Settings::default();
    let mut random = Random(6);
    fixture.write(1, &settings, &cells(&mut random, 80));
    let mut reader = RowReader::new(&settings, &Spec::default()).unwrap();
    for row in ROWS {
        let input = fixture.input(1, &settings);
        reader.row(&input, row, &mut Default::default()).unwrap();
        assert_eq!(fixture.store.readers().unwrap().len(), 1);
        drop(input);
        assert_eq!(fixture.store.readers().unwrap(), []);
    }
}
