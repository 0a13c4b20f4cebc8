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
    let day = 86_400_000_000;
    assert!(matches!(block.times(), Times::Deltas { step, .. } if *step == day));
    let label = block.visibilities().code(block.body(), 3).unwrap();
    let place = block.visibilities().entry(block.body(), label).unwrap();
    assert_eq!(place.of(block.body()), b"secret");
}

#[test]
fn times_of_few_commits_become_codes() {
    let mut cells = edges(|_| Vec::new());
    for (number, cell) in cells.iter_mut().enumerate() {
        cell.key.timestamp = 1_767_225_600_000_000 + (number as i64 % 20).pow(7) + 1;
    }
    let bytes = build(&cells, Compression::Never);
    let page = Page::open(&bytes[..]).unwrap();
    assert!(matches!(page.block().times(), Times::Dictionary { .. }));
    assert_eq!(read(&bytes).unwrap(), cells);
}

#[test]
fn codes_of_every_width_come_back() {
    for bits in 0..=12u32 {
        for distinct in [(1 << bits), (1 << bits) + 1] {
            let mut cells = edges(|_| Vec::new());
            let again: Vec<Cell> = (0..20).flat_map(|_| cells.clone()).collect();
            cells = again;
            for (number, cell) in cells.iter_mut().enumerate() {
                let number = number as u32;
                cell.key.row = number.to_be_bytes().to_vec();
                let chosen = number.wrapping_mul(7919) % distinct;
                cell.key.visibility = format!("label-{chosen}").into_bytes();
                cell.value = vec![7; (chosen % 70) as usize];
            }
            let bytes = build(&cells, Compression::Never);
            assert_eq!(read(&bytes).unwrap(), cells);
            let page = Page::open(&bytes[..]).unwrap();
            let (block, mut codes) = (page.block(), Vec::new());
            let labels = block.visibilities();
            assert_eq!(labels.entries(), Some(distinct as usize));
            labels
                .copy_codes(block.body(), block.cells(), &mut codes)
                .unwrap();
            for (cell, &code) in codes.iter().enumerate() {
                assert_eq!(code as usize, labels.code(block.body(), cell).unwrap());
            }
        }
    }
}

#[test]
fn times_of_every_width_and_step_come_back() {
    for bits in 0..=64u32 {
        for step in [1, 3, 1000, 86_400_000_000] {
            let most = u64::MAX.checked_shr(64 - bits).unwrap_or_default();
            let mut cells = edges(|_| Vec::new());
            for (number, cell) in cells.iter_mut().enumerate() {
                let mixed = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let steps = (mixed.rotate_left(31) & most) / step;
                cell.key.timestamp = i64::MIN.wrapping_add((steps * step) as i64);
            }
            let bytes = build(&cells, Compression::Never);
            assert_eq!(read(&bytes).unwrap(), cells, "{bits} bits, step {step}");
            let page = Page::open(&bytes[..]).unwrap();
            let (block, mut times) = (page.block(), Vec::new());
            block
                .times()
                .copy_to(block.body(), block.cells(), &mut times)
                .unwrap();
            let wanted: Vec<i64> = cells.iter().map(|cell| cell.key.timestamp).collect();
            assert_eq!(times, wanted);
        }
    }
}

#[test]
fn ends_are_those_of_the_items_whatever_the_shortest_is() {
    for shortest in [0, 1, 5, 200] {
        let length = |number: u32| shortest + (number.wrapping_mul(7919) % 90) as usize;
        let item = |number: u32| [&number.to_be_bytes()[..], &vec![9; length(number)]].concat();
        let cells = edges(item);
        let bytes = build(&cells, Compression::Never);
        let page = Page::open(&bytes[..]).unwrap();
        let (block, mut ends) = (page.block(), Vec::new());
        let entries = match block.values() {
            Some(Strings::Offsets(entries)) => Some(entries),
            _ => None,
        };
        let entries = entries.unwrap();
        let data = entries.copy_ends(block.body(), &mut ends).unwrap();
        let mut end = 0;
        for (number, cell) in cells.iter().enumerate() {
            let start = std::mem::replace(&mut end, ends[number] as usize);
            assert_eq!(data[start..end], cell.value[..]);
            let span = entries.span(block.body(), number).unwrap();
            assert_eq!(span.of(block.body()), cell.value);
        }
        assert_eq!(end, data.len());
    }
}

#[test]
fn rows_that_share_much_or_little_come_back() {
    for shared in [0, 1, 14, 15, 16, 142, 143, 20_000] {
        for rest in [5, 14, 15, 16, 142, 143, 20_000] {
            let mut cells = edges(|_| Vec::new());
            cells.truncate(40);
            for (number, cell) in cells.iter_mut().enumerate() {
                cell.key.row = [vec![7; shared], vec![number as u8], vec![8; rest - 1]].concat();
            }
            let bytes = build(&cells, Compression::Never);
            assert_eq!(read(&bytes).unwrap(), cells, "{shared} and {rest}");
        }
    }
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
