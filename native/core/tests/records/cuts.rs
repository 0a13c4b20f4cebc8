//! The answer is the same wherever batches are cut; invalid bytes come after what was before them.

use lexigraph_core::cells::CellColumns;
use lexigraph_core::records::{Assembler, FetchHints, RecordReading};
use lexigraph_core::visibility::View;
use lexigraph_core::Error;
use serde_json::Value as Json;

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
        retention: None,
    };
    let mut assembler = Assembler::new(rows(&file), table("vertices"), reading);
    assert_eq!(assembler.feed(&columns.view()).unwrap().records.len(), 2);
    for _ in 0..2 {
        assert!(matches!(assembler.finish(), Err(Error::InvalidBytes(_))));
    }
}
