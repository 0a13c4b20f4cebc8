//! The hot paths of the element stages work in memory that is there already.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "common/elements.rs"]
mod elements;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell as Counter;
use std::path::Path;
use std::sync::Arc;

use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::codec::Codec;
use lexigraph_core::functions::{Aggregator, Kind, Sets};
use lexigraph_core::plan::{Plan, Reader};
use lexigraph_core::stages::elements::{AggregateStage, ElementFilter, Where};
use lexigraph_core::stages::{Cursor, Families, SortedCells};

thread_local! {
    static COUNT: Counter<usize> = const { Counter::new(0) };
}

struct Counting;

// Hands everything on to the system; a thread counts its own allocations.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        System.dealloc(place, layout);
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = COUNT.with(Counter::get);
    work();
    COUNT.with(Counter::get) - before
}

fn byte_entity() -> Arc<Plan> {
    let path = Path::new("../..").join("spec/plans/byte-entity.json");
    let text = std::fs::read_to_string(path).unwrap();
    let json = serde_json::from_str(&text).unwrap();
    Arc::new(Plan::parse(&json, "plan").unwrap())
}

/// Two versions each of many edges: counts 3 and -2, the longest 1.5, opened `x`.
fn calls() -> Vec<Cell> {
    let mut cells = Vec::new();
    for vertex in 0..500u16 {
        for (timestamp, count) in [(2, &b"\x81\x03"[..]), (1, b"\x7e\xfd")] {
            let name = format!("v{vertex:03}");
            cells.push(Cell {
                key: Key {
                    row: [name.as_bytes(), b"\x00\x02\x00B\x00\x02"].concat(),
                    family: b"calls".to_vec(),
                    qualifier: b"\x80\x00\x4f\xe7\x00m\x00".to_vec(),
                    visibility: b"A".to_vec(),
                    timestamp,
                    deleted: false,
                },
                value: [
                    b"\x01\x01\x02",
                    count,
                    b"\x02\x08\xbf\xf8\0\0\0\0\0\0\x05\x02\0x",
                ]
                .concat(),
            });
        }
    }
    cells
}

#[test]
fn sums_of_64_bits_are_merged_without_allocation() {
    let total = Aggregator::new(Kind::Sum, Codec::Int).unwrap();
    let mut state = None;
    let mut written = Vec::with_capacity(64);
    let count = allocations(|| {
        for _ in 0..1000 {
            total
                .fold(&mut state, b"\x88\x7f\xff\xff\xff\xff\xff\xff\xff", 1)
                .unwrap();
            total
                .fold(&mut state, b"\x77\x80\x00\x00\x00\x00\x00\x00\x00", 1)
                .unwrap();
        }
        total.encode(state.as_ref().unwrap(), &mut written).unwrap();
    });
    assert_eq!((count, written), (0, b"\x80".to_vec()));
}

#[test]
fn cells_that_fit_are_read_without_allocation() {
    let cells = calls();
    let mut reader = Reader::new(byte_entity());
    let mut read = |cells: &[Cell]| {
        for cell in cells {
            assert!(reader.read(cell.as_ref()).unwrap().is_some());
        }
    };
    read(&cells[..2]);
    assert_eq!(allocations(|| read(&cells)), 0);
}

#[test]
fn a_filter_allocates_nothing_for_a_cell() {
    let json = serde_json::json!({"op": "and", "of": [
        {"op": "ge", "field": "day", "value": {"hex": "80004fe7"}},
        {"op": "eq", "field": "device", "value": "m"},
        {"op": "gt", "field": "longest", "value": {"hex": "bff0000000000000"}},
        {"op": "ne", "field": "count", "value": {"hex": "80"}}]});
    let node = lexigraph_core::json::Node::new(&json, "where");
    let asked =
        Where::All(lexigraph_core::functions::Predicate::parse(&node, 0, &Sets::new()).unwrap());
    let source = Box::new(SortedCells::new(calls()));
    let mut stage = ElementFilter::new(source, byte_entity(), &asked, true).unwrap();
    stage.seek(&Range::default(), &Families::default()).unwrap();
    let mut kept = 0;
    let count = allocations(|| {
        while stage.top().is_some() {
            kept += 1;
            stage.advance().unwrap();
        }
    });
    assert_eq!((count, kept), (0, 1000));
}

#[test]
fn an_aggregate_allocates_for_texts_alone() {
    let source = Box::new(SortedCells::new(calls()));
    let mut stage = AggregateStage::new(source, byte_entity(), true);
    stage.seek(&Range::default(), &Families::default()).unwrap();
    let mut results = 0;
    let count = allocations(|| {
        while stage.top().is_some() {
            results += 1;
            stage.advance().unwrap();
        }
    });
    // For each result: the states of `longest` (key and value) and of `opened`, and one buffer.
    assert_eq!(results, 500);
    assert!(
        count <= 6 * results,
        "{count} allocations for {results} results"
    );
}

#[test]
fn rows_become_cells_without_an_allocation_for_each() {
    let edges: Vec<elements::Edge> = (0..5000)
        .map(|row| (Some("ann"), "bob", row, Some(row % 90), "x&y"))
        .collect();
    let memory = elements::Memory::of(&edges);
    let (program, columns) = (elements::parse(&elements::program("sum")), memory.columns());
    let request = lexigraph_core::elements::Request {
        rows: edges.len(),
        ..Default::default()
    };
    let encode = || program.reuse(program.encode(&columns, &request).unwrap());
    encode();
    let count = allocations(encode);
    assert!(count < 60, "{count} allocations for 5000 rows");
}
