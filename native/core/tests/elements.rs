//! Columns of elements become cells: their bytes, what does not fit, and what is merged.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "common/elements.rs"]
mod support;

use lexigraph_core::elements::{Buffers, BytesOf, Column, Program, Request, Type};
use serde_json::json;
use support::{entries, parse, program, Edge, Memory};

const DAY: &[u8] = b"\x80\x00\x00\x05";

fn request(rows: usize) -> Request {
    Request {
        rows,
        ..Request::default()
    }
}

#[test]
fn an_edge_has_two_cells_and_one_to_itself_has_one() {
    let edges: [Edge; 2] = [
        (Some("a"), "b\0", 5, Some(3), "y&x"),
        (Some("c"), "c", 5, None, ""),
    ];
    let (memory, program) = (Memory::of(&edges), parse(&program("sum")));
    let encoded = program.encode(&memory.columns(), &request(2)).unwrap();
    assert_eq!(
        (encoded.elements, encoded.bad.len(), encoded.cells()),
        (2, 0, 3)
    );
    assert_eq!(
        entries(&encoded, BytesOf::Row),
        [
            &b"a\x00\x02\x00b\x01\x01\x00\x02"[..],
            b"b\x01\x01\x00\x03\x00a\x00\x03",
            b"c\x00\x02\x00c\x00\x02"
        ]
    );
    assert_eq!(entries(&encoded, BytesOf::Family), [b"calls"; 3]);
    assert_eq!(entries(&encoded, BytesOf::Qualifier), [DAY; 3]);
    assert_eq!(
        entries(&encoded, BytesOf::Visibility),
        [&b"x&y"[..], b"x&y", b""]
    );
    let value = &b"\x01\x01\x02\x81\x03"[..];
    assert_eq!(entries(&encoded, BytesOf::Value), [value, value, b"\x01"]);
}

#[test]
fn rows_that_do_not_fit_are_told_by_number() {
    let good: Edge = (Some("a"), "b", 5, Some(3), "x");
    let edges: [Edge; 7] = [
        good,
        (None, "b", 5, Some(3), "x"),
        (Some("a"), "b", i64::MAX, Some(3), "x"),
        (Some("a"), "b", 5, Some(1 << 15), "x"),
        (Some("a"), "b", 5, Some(3), "x&"),
        (Some("a"), "b", 5, Some(0x63), "x"),
        good,
    ];
    let (memory, program) = (Memory::of(&edges), parse(&program("sum")));
    let encoded = program.encode(&memory.columns(), &request(7)).unwrap();
    assert_eq!((encoded.bad.as_slice(), encoded.cells()), (&[1][..], 0));
    let skips = Request {
        skips: true,
        ..request(7)
    };
    let encoded = program.encode(&memory.columns(), &skips).unwrap();
    assert_eq!(encoded.bad, [1, 2, 3, 4, 5]);
    assert_eq!((encoded.elements, encoded.cells()), (2, 2));
    assert_eq!(
        entries(&encoded, BytesOf::Value),
        [b"\x01\x01\x02\x81\x06"; 2]
    );
}

#[test]
fn equal_elements_far_apart_become_one_in_the_place_of_the_first() {
    // Enough for several threads; each edge comes four times.
    let names: Vec<String> = (0..10_000).map(|number| format!("v{number}")).collect();
    let edges: Vec<Edge> = (0..40_000)
        .map(|row| {
            (
                Some(names[row % 10_000].as_str()),
                "to",
                5,
                Some(row as i64 % 7),
                "x",
            )
        })
        .collect();
    let memory = Memory::of(&edges);
    for (aggregate, of) in [
        ("sum", sum as fn([i64; 4]) -> i64),
        ("last", last),
        ("first", first),
    ] {
        let program = parse(&program(aggregate));
        let rounds = [(); 2].map(|()| {
            let encoded = program.encode(&memory.columns(), &request(40_000)).unwrap();
            assert_eq!((encoded.elements, encoded.cells()), (40_000, 20_000));
            let found = (
                entries(&encoded, BytesOf::Row),
                entries(&encoded, BytesOf::Value),
            );
            // The next round works in the same memory.
            program.reuse(encoded);
            found
        });
        assert_eq!(rounds[0], rounds[1]);
        let (rows, values) = &rounds[0];
        for (number, name) in names.iter().enumerate() {
            assert!(rows[2 * number].starts_with(&[name.as_bytes(), &[0, 2]].concat()));
            let counts = [0, 1, 2, 3].map(|round| (round * 10_000 + number as i64) % 7);
            let mut value = vec![0x80];
            if of(counts) > 0 {
                value = vec![0x81, of(counts) as u8];
            }
            if aggregate != "sum" {
                // The time is that of the cell.
                value.insert(0, 0);
            }
            let length = value.len() as u8;
            let expected = [&[1, 1, length], &value[..]].concat();
            assert_eq!(values[2 * number], expected, "{aggregate} of {name}");
        }
    }
}

fn sum(counts: [i64; 4]) -> i64 {
    counts.iter().sum()
}

fn last(counts: [i64; 4]) -> i64 {
    counts[3]
}

fn first(counts: [i64; 4]) -> i64 {
    counts[0]
}

fn holding(data: &[u8]) -> Buffers<'_> {
    Buffers {
        data,
        ..Buffers::default()
    }
}

fn is_refused(kind: Type, rows: usize, buffers: Buffers<'_>) -> bool {
    Column::new(kind, rows, buffers).is_err()
}

#[test]
fn memory_that_is_too_small_is_refused() {
    let (words, bits) = ([0; 16], [0xff; 1]);
    assert!(!is_refused(Type::Int, 2, holding(&words)));
    assert!(is_refused(Type::Int, 3, holding(&words)));
    assert!(is_refused(Type::Bool, 9, holding(&bits)));
    let there = Buffers {
        validity: Some(&bits),
        ..holding(&words)
    };
    assert!(is_refused(Type::Int, 2, Buffers { offset: 7, ..there }));
    for ends in [[0i32, 2, 1], [0, 1, 99], [-1, 0, 1]] {
        let offsets: Vec<u8> = ends.iter().flat_map(|end| end.to_ne_bytes()).collect();
        let texts = Buffers {
            offsets: &offsets,
            ..holding(&words)
        };
        assert!(is_refused(Type::Str, 2, texts), "{ends:?}");
    }
    assert!(is_refused(Type::Bytes, 1, Buffers::default()));
}

#[test]
fn programs_that_make_no_sense_are_refused() {
    let changes = [
        ("/fields/0/codec", json!("mine")),
        ("/fields/0/column", json!(5)),
        ("/pieces/0/field", json!("nobody")),
        ("/keys/ends", json!([0])),
        ("/keys/directed/of_itself/0/row/0/piece", json!(3)),
        ("/value/properties/0/aggregate/name", json!("mine")),
        ("/value/properties/0/field", json!("nobody")),
        ("/rules/0/of/op", json!("mine")),
        ("/rules/0/of/field", json!("nobody")),
    ];
    for (path, value) in changes {
        let mut changed = program("sum");
        *changed.pointer_mut(path).unwrap() = value;
        assert!(Program::parse(&changed).is_err(), "{path}");
    }
    assert!(Program::parse(&json!({})).is_err());
}
