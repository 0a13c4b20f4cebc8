//! Columns take the encoding that the format promises for them.

use lexigraph_core::block::{Compression, Page, Strings, Times};
use lexigraph_core::cells::{Cell, Key};

use crate::samples::{build, read};

fn edges(value: impl Fn(u32) -> Vec<u8>) -> Vec<Cell> {
    let edge = |number: u32| Cell {
        key: Key {
            row: number.to_be_bytes().to_vec(),
            family: b"CALLS".to_vec(),
            qualifier: vec![(number % 7) as u8; 9],
            visibility: [b"public".to_vec(), b"secret".to_vec()][number as usize % 2].clone(),
            timestamp: i64::from(number % 30) * 86_400_000_000,
            deleted: false,
        },
        value: value(number),
    };
    (0..600).map(edge).collect()
}

fn tagged(number: u32) -> Vec<u8> {
    vec![1, 1, 1, 9, 5, 2, (number % 251) as u8, (number / 251) as u8]
}

#[test]
fn repeated_parts_become_codes() {
    let cells = edges(|_| Vec::new());
    let bytes = build(&cells, Compression::Never);
    let page = Page::open(&bytes[..]).unwrap();
    let block = page.block();
    assert_eq!(block.families().entries(), Some(1));
    assert_eq!(block.visibilities().entries(), Some(2));
    assert!(matches!(
        block.qualifiers(),
        Strings::Dictionary { count: 7, .. }
    ));
    assert!(matches!(block.times(), Times::Dictionary { .. }));
    let label = block.visibilities().code(block.body(), 3).unwrap();
    let place = block.visibilities().entry(block.body(), label).unwrap();
    assert_eq!(place.of(block.body()), b"secret");
}

#[test]
fn tagged_values_are_kept_by_property() {
    let cells = edges(tagged);
    let bytes = build(&cells, Compression::Never);
    let page = Page::open(&bytes[..]).unwrap();
    let block = page.block();
    let properties = block.properties().unwrap();
    assert_eq!(
        properties.iter().map(|held| held.id).collect::<Vec<_>>(),
        [1, 5]
    );
    assert!(matches!(properties[0].states, Strings::Constant(_)));
    let state = properties[1].states.span(block.body(), 300).unwrap();
    assert_eq!(state.of(block.body()), [49, 1]);
    assert_eq!(read(&bytes).unwrap(), cells);
}

#[test]
fn values_that_only_look_tagged_stay_whole() {
    let odd: [&[u8]; 6] = [
        b"\x01",                   // no property at all
        b"\x01\x01\x05a",          // a state that is cut off
        b"\x01\x81\x00\x01a",      // an id that is not in its shortest form
        b"\x01\x02\x01a\x01\x01b", // ids out of order
        b"\x02\x01\x01a",          // another version
        b"\x01\x01\x01a\x02\x01b", // other ids than its neighbours
    ];
    for value in odd {
        let cells = edges(|number| {
            if number == 77 {
                value.to_vec()
            } else {
                tagged(number)
            }
        });
        let bytes = build(&cells, Compression::Never);
        assert!(Page::open(&bytes[..])
            .unwrap()
            .block()
            .properties()
            .is_none());
        assert_eq!(read(&bytes).unwrap(), cells);
    }
}

#[test]
fn a_block_of_easy_edges_takes_few_bytes_a_cell() {
    let bytes = build(&edges(tagged), Compression::Never);
    assert!(bytes.len() < 600 * 12, "{} bytes", bytes.len());
}
