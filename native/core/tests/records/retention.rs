//! A history keeps the versions of the vectors, and refuses the as-of times that they say.

use lexigraph_core::cells::{Cell, CellColumns};
use lexigraph_core::records::{retained, Retention};
use lexigraph_core::Error;
use serde_json::{json, Value as Json};

use crate::support::{file, list, rows, table};
use crate::write::cells_of;

fn keeping(case: &Json) -> Retention {
    let mut given = json!({});
    for name in ["history", "names"] {
        if !case[name].is_null() {
            given[name] = case[name].clone();
        }
    }
    Retention::from_json(&given, case["now"].as_i64().unwrap()).unwrap()
}

#[test]
fn a_history_keeps_the_versions_of_the_vectors() {
    let vectors = file("retaining");
    let rows = rows(&vectors);
    let cases = list(&vectors, "cases").iter();
    for case in cases.filter(|case| !case["kept"].is_null()) {
        let facts: Vec<&Json> = case["facts"].as_array().unwrap().iter().collect();
        let turned: Vec<&Json> = facts.iter().rev().copied().collect();
        let kept = case["kept"].as_array().unwrap().iter();
        let kept: Vec<&Json> = kept
            .map(|number| facts[number.as_u64().unwrap() as usize])
            .collect();
        for facts in [&facts, &turned] {
            for name in ["vertices", "edges"] {
                let cells = cells_of(&vectors, name, facts);
                let mut columns = CellColumns::default();
                cells.iter().for_each(|cell| columns.push(&cell.as_ref()));
                let view = columns.view();
                let places = retained(&rows, table(name), &view, &keeping(case)).unwrap();
                let mut found: Vec<Cell> = places.iter().map(|at| cells[*at].clone()).collect();
                found.sort_by(|one, other| {
                    one.key.cmp(&other.key).then(one.value.cmp(&other.value))
                });
                let mut expected = cells_of(&vectors, name, &kept);
                expected.sort_by(|one, other| {
                    one.key.cmp(&other.key).then(one.value.cmp(&other.value))
                });
                assert_eq!(found, expected, "{}", case["name"]);
            }
        }
    }
}

#[test]
fn as_of_times_are_allowed_or_refused() {
    let vectors = file("retaining");
    let cases = list(&vectors, "cases").iter();
    let asked: Vec<&Json> = cases.filter(|case| case["kept"].is_null()).collect();
    assert!(!asked.is_empty());
    for case in asked {
        let found = keeping(case).check_as_of(case["as_of"].as_i64().unwrap());
        match case["error"].as_str() {
            None => assert_eq!(found, Ok(()), "{}", case["name"]),
            Some(_) => assert!(matches!(found, Err(Error::Usage(_))), "{}", case["name"]),
        }
    }
}
