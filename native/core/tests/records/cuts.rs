//! The answer is the same wherever batches are cut; invalid bytes come after what was before them.

use lexigraph_core::cells::CellColumns;
use lexigraph_core::records::{Assembler, FetchHints, RecordReading};
use lexigraph_core::visibility::View;
use lexigraph_core::Error;
use serde_json::{json, Value as Json};

use crate::elements::assemble;
use crate::support::{files, reading, rows, table};
use crate::write::cells_of;

#[test]
fn any_cut_gives_the_same_elements() {
    for (_, file) in files() {
        for case in file["cases"].as_array().into_iter().flatten() {
            let Some(facts) = case["facts"].as_array() else {
                continue;
            };
            let facts: Vec<&Json> = facts.iter().collect();
            for asked in case["readings"].as_array().into_iter().flatten() {
                for name in ["vertices", "edges"] {
                    let cells = cells_of(&file, name, &facts);
                    let read = |ends: &[usize]| {
                        assemble(&rows(&file), name, &cells, reading(&asked["reader"]), ends)
                    };
                    let whole = read(&[]);
                    for end in 1..cells.len() {
                        assert_eq!(read(&[end]), whole, "cut at {end}: {}", case["name"]);
                    }
                    let all: Vec<usize> = (0..cells.len()).collect();
                    assert_eq!(read(&all), whole, "cut everywhere: {}", case["name"]);
                }
            }
        }
    }
}

#[test]
fn what_comes_before_invalid_bytes_is_given_first() {
    let (_, file) = files().remove(0);
    let mut columns = CellColumns::default();
    for (row, value) in [
        (b"ann\0\x01", b"\x01\0"),
        (b"bob\0\x01", b"\x01\0"),
        (b"cid\0\x01", b"\x09\0"),
    ] {
        let mut cell = lexigraph_core::cells::Cell::default();
        cell.key.row = row.to_vec();
        cell.key.family = b"e".to_vec();
        cell.value = value.to_vec();
        columns.push(&cell.as_ref());
    }
    let reading = RecordReading {
        view: View::All,
        as_of: None,
        hints: FetchHints::everything(),
        now: None,
        retention: None,
    };
    let mut assembler = Assembler::new(rows(&file), table("vertices"), reading);
    assert_eq!(assembler.feed(&columns.view()).unwrap().records.len(), 2);
    for _ in 0..2 {
        assert!(matches!(assembler.finish(), Err(Error::InvalidBytes(_))));
    }
}

#[test]
fn rows_that_are_cut_between_others_keep_what_they_have() {
    let (_, file) = files().remove(0);
    let mut facts = Vec::new();
    for (vertex, seen) in [("ann", true), ("bob", false), ("cid", true), ("dan", true)] {
        let mut say = |more: Json| {
            let mut fact = json!({"of": {"vertex": vertex}, "time": 5, "state": "said"});
            for (name, value) in more.as_object().unwrap() {
                fact[name] = value.clone();
            }
            facts.push(fact);
        };
        if seen {
            say(json!({"fact": "existence", "visibility": "a"}));
        }
        for word in ["long enough", "other"] {
            let label = format!("{vertex} {word}");
            say(json!({"fact": "label", "label": label, "visibility": "b"}));
            say(json!({"fact": "value", "name": word, "value": label, "visibility": "c"}));
            say(
                json!({"fact": "metadata", "name": word, "value": label, "entry": vertex,
                "value_visibility": "c", "value_time": 5, "visibility": "d"}),
            );
        }
    }
    let facts: Vec<&Json> = facts.iter().collect();
    let cells = cells_of(&file, "vertices", &facts);
    let reader = json!({"authorizations": "ALL"});
    let read = |ends: &[usize]| {
        assemble(&rows(&file), "vertices", &cells, reading(&reader), ends).unwrap()
    };
    let whole = read(&[]);
    assert_eq!(whole.len(), 3);
    assert_eq!(whole[1]["labels"], json!(["cid long enough", "cid other"]));
    assert_eq!(
        whole[1]["properties"][1]["metadata"][0]["value"],
        "cid other"
    );
    for end in 1..cells.len() {
        assert_eq!(read(&[end]), whole, "cut at {end}");
        assert_eq!(read(&[end / 2, end]), whole, "cut at {} and {end}", end / 2);
    }
}
