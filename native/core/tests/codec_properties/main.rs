//! What must hold for every codec: values come back, byte order is value order, no part is a
//! prefix of another, and bytes that are accepted are exactly those that would be written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::cmp::Ordering;

use lexigraph_core::codec::lexicoder::Lexicoder;
use lexigraph_core::codec::rowid::Unit;
use lexigraph_core::codec::{Codec, Nulls, Value};
use lexigraph_core::Error;
use proptest::collection::vec;
use proptest::prelude::*;

mod samples;
use samples::{integers, self_describing, typed, MOMENTS};

fn key(codec: &Codec, value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    codec.encode_key(value, &mut out).unwrap();
    out
}

fn part(codec: &Codec, value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    codec.encode_part(value, &mut out).unwrap();
    out
}

fn stored(codec: &Codec, value: &Value) -> Vec<u8> {
    let mut out = Vec::new();
    codec.encode_value(value, &mut out).unwrap();
    out
}

fn check_strict(found: Result<Value, Error>, data: &[u8], again: impl Fn(&Value) -> Vec<u8>) {
    match found {
        Ok(value) => assert_eq!(again(&value), data, "{value:?} is written otherwise"),
        Err(Error::InvalidBytes(_)) => {}
        Err(other) => panic!("{other:?}"),
    }
}

fn check_garbage(codec: &Codec, data: &[u8]) {
    check_strict(codec.decode_key(data), data, |value| key(codec, value));
    check_strict(codec.decode_value(data), data, |value| stored(codec, value));
    match codec.decode_part(data, 0) {
        Ok((value, end)) => assert_eq!(part(codec, &value), data[..end]),
        Err(error) => assert!(matches!(error, Error::InvalidBytes(_))),
    }
}

fn check_order(codec: &Codec, one: &Value, other: &Value, expected: Ordering) {
    assert_eq!(
        key(codec, one).cmp(&key(codec, other)),
        expected,
        "{one:?} and {other:?}"
    );
    let (a, b) = (part(codec, one), part(codec, other));
    assert_eq!(a.cmp(&b), expected);
    assert!(expected.is_eq() || !(a.starts_with(&b) || b.starts_with(&a)));
    let descending = Codec::Descending(Box::new(codec.clone()));
    assert_eq!(
        key(&descending, one).cmp(&key(&descending, other)),
        expected.reverse()
    );
}

proptest! {
    #[test]
    fn values_come_back_in_every_form((codec, value) in typed(), before in vec(any::<u8>(), 0..3)) {
        let bytes = stored(&codec, &value);
        prop_assert_eq!(&stored(&codec, &codec.decode_value(&bytes).unwrap()), &bytes);
        let bytes = key(&codec, &value);
        prop_assert_eq!(&key(&codec, &codec.decode_key(&bytes).unwrap()), &bytes);
        let bytes = part(&codec, &value);
        let within = [before.as_slice(), &bytes, b"\x00\xff\x01"].concat();
        let (back, end) = codec.decode_part(&within, before.len()).unwrap();
        prop_assert_eq!(end, before.len() + bytes.len());
        prop_assert_eq!(part(&codec, &back), bytes);
        if let Some(width) = codec.width() {
            prop_assert_eq!(key(&codec, &value).len(), width);
        }
    }

    #[test]
    fn any_gives_back_the_very_value(value in self_describing()) {
        let back = Codec::Any.decode_value(&stored(&Codec::Any, &value)).unwrap();
        // NaN equals nothing; its text is the same.
        prop_assert_eq!(format!("{back:?}"), format!("{value:?}").replace("-NaN", "NaN"));
    }

    #[test]
    fn garbage_is_refused_or_is_what_would_be_written(
        (codec, _) in typed(), data in vec(any::<u8>(), 0..40)
    ) {
        check_garbage(&codec, &data);
    }

    #[test]
    fn damaged_bytes_are_refused_or_are_what_would_be_written(
        (codec, value) in typed(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        for mut bytes in [key(&codec, &value), part(&codec, &value), stored(&codec, &value)] {
            bytes.push(byte);
            check_garbage(&codec, &bytes);
            bytes.pop();
            if bytes.is_empty() { continue }
            let place = at.index(bytes.len());
            check_garbage(&codec, &bytes[..place]);
            bytes[place] = byte;
            check_garbage(&codec, &bytes);
        }
    }

    #[test]
    fn integers_sort_by_number(one in integers(), other in integers()) {
        let expected = one.to_bigint().cmp(&other.to_bigint());
        check_order(&Codec::Int, &Value::Int(one), &Value::Int(other), expected);
    }

    #[test]
    fn floats_sort_by_number(one in any::<f64>(), other in any::<f64>()) {
        if let Some(expected) = one.partial_cmp(&other) {
            check_order(&Codec::Float, &Value::Float(one), &Value::Float(other), expected);
        }
    }

    #[test]
    fn decimals_sort_by_number(
        one in -2000i64..2000, shift in 0u32..6, other in -2000i64..2000, places in 0u32..6
    ) {
        let decimal = |n: i64, e: u32| Value::Decimal(format!("{n}E-{e}").parse().unwrap());
        let expected = (one * 10i64.pow(places)).cmp(&(other * 10i64.pow(shift)));
        check_order(&Codec::Decimal, &decimal(one, shift), &decimal(other, places), expected);
    }

    #[test]
    fn text_and_bytes_sort_bytewise(one in ".{0,4}", other in ".{0,4}", low in vec(0u8..3, 0..4),
                                    high in vec(0u8..3, 0..4)) {
        let expected = one.as_bytes().cmp(other.as_bytes());
        check_order(&Codec::Str, &Value::Str(one), &Value::Str(other), expected);
        let expected = low.cmp(&high);
        check_order(&Codec::Bytes, &Value::Bytes(low), &Value::Bytes(high), expected);
    }

    #[test]
    fn tuples_sort_part_by_part(a in ".{0,2}", b in ".{0,2}", m in -3i64..3, n in -3i64..3) {
        let down = Codec::part(Codec::Int, true, Some(Nulls::Last));
        let codec = Codec::Tuple(vec![Codec::Str, down]);
        let expected = a.as_bytes().cmp(b.as_bytes()).then(n.cmp(&m));
        let tuple = |text: String, n| Value::Tuple(vec![Value::Str(text), Value::int(n)]);
        check_order(&codec, &tuple(a, m), &tuple(b, n), expected);
    }

    #[test]
    fn lexicoders_accept_only_what_they_write(data in vec(any::<u8>(), 0..24), choice in 0usize..12) {
        let lexicoder = [
            Lexicoder::ULong, Lexicoder::UInteger, Lexicoder::Long, Lexicoder::Integer,
            Lexicoder::Double, Lexicoder::BigInteger, Lexicoder::String, Lexicoder::Uuid,
            Lexicoder::List(Box::new(Lexicoder::Bytes)),
            Lexicoder::Sequence(Box::new(Lexicoder::Bytes)),
            Lexicoder::Pair(Box::new(Lexicoder::Bytes), Box::new(Lexicoder::Bytes)),
            Lexicoder::Reverse(Box::new(Lexicoder::Bytes)),
        ][choice].clone();
        check_strict(lexicoder.decode(&data), &data, |value| {
            let mut out = Vec::new();
            lexicoder.encode(value, &mut out).unwrap();
            out
        });
    }

    #[test]
    fn buckets_sort_by_time_and_name_their_first_moment(one in MOMENTS, other in MOMENTS) {
        for unit in [Unit::Hour, Unit::Day, Unit::Week, Unit::Month] {
            let (early, late) = (one.min(other), one.max(other));
            let name = unit.bucket_of(early).unwrap();
            prop_assert!(name <= unit.bucket_of(late).unwrap());
            prop_assert_eq!(name.len(), unit.width());
            let start = unit.parse(&name).unwrap();
            prop_assert!(start <= early);
            prop_assert_eq!(unit.bucket_of(start).unwrap(), name);
        }
    }
}

#[test]
fn nesting_past_the_limit_is_refused_both_ways() {
    let nested = |depth: usize| (0..depth).fold(Value::Null, |inner, _| Value::List(vec![inner]));
    let mut out = Vec::new();
    Codec::Any.encode_key(&nested(32), &mut out).unwrap();
    assert!(Codec::Any.decode_key(&out).is_ok());
    assert!(matches!(
        Codec::Any.encode_key(&nested(33), &mut out),
        Err(Error::InvalidValue(_))
    ));
    assert!(matches!(
        Codec::Any.encode_value(&nested(33), &mut out),
        Err(Error::InvalidValue(_))
    ));
    let hostile = vec![0x98; 1_000_000];
    assert!(matches!(
        Codec::Any.decode_key(&hostile),
        Err(Error::InvalidBytes(_))
    ));
}

#[test]
fn a_refused_value_leaves_the_buffer_as_it_was() {
    let mut out = b"before".to_vec();
    let codec = Codec::Tuple(vec![Codec::Int, Codec::Date]);
    let value = Value::Tuple(vec![Value::int(1), Value::Date(i32::MAX)]);
    assert!(codec.encode_key(&value, &mut out).is_err());
    assert!(codec.encode_value(&value, &mut out).is_err());
    assert_eq!(out, b"before");
}

#[test]
fn a_promised_length_allocates_nothing() {
    // An integer of 2^32 - 1 bytes, of which none follow.
    let found = Codec::Int.decode_key(&[0xfc, 0xff, 0xff, 0xff, 0xff]);
    assert!(matches!(found, Err(Error::InvalidBytes(_))));
}
