//! Cells of one group of `spec/plans/byte-entity.json`, at random.

use lexigraph_core::cells::{Cell, Key};
use lexigraph_core::codec::{Codec, Value};
use proptest::option;
use proptest::prelude::*;

use super::samples::integers;

pub fn stored(codec: &Codec, value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    codec.encode_value(value, &mut out).unwrap();
    out
}

fn tagged(states: &[(u8, Option<Vec<u8>>)]) -> Vec<u8> {
    let mut out = vec![1];
    for (id, state) in states {
        if let Some(state) = state {
            // States up to 300 bytes: the length takes one or two bytes.
            let length = state.len();
            out.push(*id);
            if length >= 128 {
                out.push((length & 0x7f) as u8 | 0x80);
                out.push((length >> 7) as u8);
            } else {
                out.push(length as u8);
            }
            out.extend(state);
        }
    }
    out
}

fn int_state() -> impl Strategy<Value = Vec<u8>> {
    integers().prop_map(|number| stored(&Codec::Int, &Value::Int(number)))
}

fn decimal_state() -> impl Strategy<Value = Vec<u8>> {
    "-?[0-9]{1,20}E-?[0-9]{1,2}"
        .prop_map(|text| stored(&Codec::Decimal, &Value::Decimal(text.parse().unwrap())))
}

fn float_state() -> impl Strategy<Value = Vec<u8>> {
    any::<f64>().prop_map(|number| stored(&Codec::Float, &Value::Float(number)))
}

fn timed_state() -> impl Strategy<Value = Vec<u8>> {
    (option::of(-3i64..3), "[a-c]{0,2}").prop_map(|(time, text)| match time {
        None => [&[0], text.as_bytes()].concat(),
        Some(time) => [&[1], &(time ^ i64::MIN).to_be_bytes()[..], text.as_bytes()].concat(),
    })
}

/// Cells of `calls` from A to B, on one of three days, by one of two devices or none.
pub fn calls() -> impl Strategy<Value = Cell> {
    let value = (
        option::of(int_state()),
        option::of(float_state()),
        option::of(decimal_state()),
        option::of(timed_state()),
        option::of(timed_state()),
    );
    let label = prop_oneof![Just("A&B"), Just("B&A"), Just(""), Just("C|A"), Just("(")];
    let device = prop_oneof![
        Just(&b"\x01"[..]),
        Just(&b"\x00m\x00"[..]),
        Just(&b"\x00\x00"[..])
    ];
    (value, -4i64..4, 0u8..3, device, label).prop_map(|(states, time, day, device, label)| {
        let (count, longest, cost, opened, closed) = states;
        Cell {
            key: Key {
                row: b"A\x00\x02\x00B\x00\x02".to_vec(),
                family: b"calls".to_vec(),
                qualifier: [&[0x80, 0, 0x4f, day][..], device].concat(),
                visibility: label.into(),
                timestamp: time,
                deleted: false,
            },
            value: tagged(&[
                (1, count),
                (2, longest),
                (3, cost),
                (5, opened),
                (6, closed),
            ]),
        }
    })
}
