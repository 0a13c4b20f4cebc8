//! The element stages against `spec/stages`, the vectors that all languages share.
//!
//! Every case is also cut behind each of its cells and resumed, which must not change what comes
//! out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod calls;
mod properties;
mod ranges;
#[allow(dead_code)]
#[path = "../codec_properties/samples.rs"]
mod samples;
mod vectors;

use lexigraph_core::cells::Cell;
use lexigraph_core::{Error, Result};
use vectors::{load_cases, Case};

fn code(error: &Error) -> &'static str {
    match error {
        Error::InvalidBytes(_) => "usage.bytes",
        Error::InvalidValue(_) => "usage.value",
        Error::InvalidOption(_) => "usage.option",
        Error::GroupNotFound(_) => "not-found.group",
        _ => "other",
    }
}

fn compare(case: &Case, found: Result<Vec<Cell>>, expected: &[Cell], what: &str) {
    match (found, &case.error) {
        (Err(error), Some(wanted)) => assert_eq!(code(&error), wanted, "{}: {error}", case.name),
        (Err(error), None) => panic!("{}: {what}: {error:?}", case.name),
        (Ok(cells), Some(wanted)) => panic!("{}: {cells:?}, not {wanted}", case.name),
        (Ok(cells), None) => assert_eq!(cells, expected, "{}: {what}", case.name),
    }
}

fn run(stage: &str) {
    let cases = load_cases(stage);
    assert!(!cases.is_empty(), "{stage} has no cases");
    let mut runs = 0;
    for case in &cases {
        compare(case, case.run(None), &case.expected, "whole");
        runs += 1;
        let cuts = if case.scope == "scan" {
            case.expected.len()
        } else {
            0
        };
        for count in 1..=cuts {
            let (given, rest) = case.expected.split_at(count);
            let last = &given[count - 1].key;
            let seen = given.iter().filter(|cell| cell.key == *last).count();
            let what = format!("cut behind cell {count}");
            compare(case, case.run(Some((last, seen))), rest, &what);
            runs += 1;
        }
    }
    println!("{stage}: {} vectors, {runs} runs", cases.len());
}

#[test]
fn filter_gives_the_cells_of_the_spec() {
    run("filter");
}

#[test]
fn aggregate_gives_the_cells_of_the_spec() {
    run("aggregate");
}

#[test]
fn roll_up_gives_the_cells_of_the_spec() {
    run("roll-up");
}

#[test]
fn decode_gives_the_cells_of_the_spec() {
    run("decode");
}

#[test]
fn summarise_gives_the_cells_of_the_spec() {
    run("summarise");
}
