//! Values of every codec, at random.

use lexigraph_core::codec::{Codec, Integer, Nulls, Timedelta, Value};
use num_bigint::BigInt;
use proptest::collection::vec;
use proptest::prelude::*;

const DAY: i64 = 86_400_000_000;
/// The microseconds of the years 1 to 9999.
pub const MOMENTS: std::ops::RangeInclusive<i64> =
    -62_135_596_800_000_000..=253_402_300_799_999_999;

pub fn integers() -> impl Strategy<Value = Integer> {
    prop_oneof![
        any::<i64>().prop_map(Integer::from),
        (-300i64..300).prop_map(Integer::from),
        vec(any::<u8>(), 0..300).prop_map(|b| Integer::from(BigInt::from_signed_bytes_be(&b))),
    ]
}

fn decimals() -> impl Strategy<Value = String> {
    prop_oneof![
        "-?[0-9]{1,30}E-?[0-9]{1,3}",
        "-?[0-9]{1,4}E-?[0-9]{1,2}",
        Just("inf".to_string()),
        Just("-inf".to_string()),
        Just("nan".to_string()),
    ]
}

fn plain() -> BoxedStrategy<(Codec, Value)> {
    let pair = |codec: Codec| move |value: Value| (codec.clone(), value);
    prop_oneof![
        Just((Codec::Null, Value::Null)),
        any::<bool>()
            .prop_map(Value::Bool)
            .prop_map(pair(Codec::Bool)),
        any::<i8>()
            .prop_map(|n| Value::int(n.into()))
            .prop_map(pair(Codec::Int8)),
        any::<i16>()
            .prop_map(|n| Value::int(n.into()))
            .prop_map(pair(Codec::Int16)),
        any::<i32>()
            .prop_map(|n| Value::int(n.into()))
            .prop_map(pair(Codec::Int32)),
        any::<i64>()
            .prop_map(Value::int)
            .prop_map(pair(Codec::Int64)),
        integers().prop_map(Value::Int).prop_map(pair(Codec::Int)),
        any::<f64>()
            .prop_map(Value::Float)
            .prop_map(pair(Codec::Float)),
        any::<f32>()
            .prop_map(|n| Value::Float(n.into()))
            .prop_map(pair(Codec::Float32)),
        decimals()
            .prop_map(|t| Value::Decimal(t.parse().unwrap()))
            .prop_map(pair(Codec::Decimal)),
        ".{0,12}".prop_map(Value::Str).prop_map(pair(Codec::Str)),
        vec(0u8..4, 0..9)
            .prop_map(Value::Bytes)
            .prop_map(pair(Codec::Bytes)),
        (-719_162..=2_932_896)
            .prop_map(Value::Date)
            .prop_map(pair(Codec::Date)),
        (
            (-62_000_000_000_000_000..250_000_000_000_000_000i64),
            (1 - DAY..DAY)
        )
            .prop_map(|(micros, offset)| Value::Datetime { micros, offset })
            .prop_map(pair(Codec::Datetime)),
        MOMENTS
            .prop_map(Value::NaiveDatetime)
            .prop_map(pair(Codec::NaiveDatetime)),
        ((0..DAY), proptest::option::of(1 - DAY..DAY))
            .prop_map(|(micros, offset)| Value::Time { micros, offset })
            .prop_map(pair(Codec::Time)),
        ((-999_999_999..=999_999_999), (0..DAY))
            .prop_map(|(days, micros)| Value::Timedelta(Timedelta { days, micros }))
            .prop_map(pair(Codec::Timedelta)),
        any::<[u8; 16]>()
            .prop_map(Value::Uuid)
            .prop_map(pair(Codec::Uuid)),
        any::<[u8; 4]>()
            .prop_map(|b| Value::Ip(b.into()))
            .prop_map(pair(Codec::Ip)),
        any::<[u8; 16]>()
            .prop_map(|b| Value::Ip(b.into()))
            .prop_map(pair(Codec::Ip)),
        ((-90.0..=90.0), (-180.0..=180.0))
            .prop_map(|(latitude, longitude)| Value::Geo {
                latitude,
                longitude
            })
            .prop_map(pair(Codec::Geo)),
    ]
    .boxed()
}

pub fn self_describing() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        plain().prop_map(|(_, value)| value),
        any::<i8>().prop_map(Value::Int8),
        any::<i16>().prop_map(Value::Int16),
        any::<i32>().prop_map(Value::Int32),
        any::<i64>().prop_map(Value::Int64),
        integers().prop_map(Value::BigInt),
        any::<f32>().prop_map(Value::Float32),
    ];
    leaf.prop_recursive(4, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::Tuple),
            vec(inner, 0..4).prop_map(Value::List)
        ]
    })
    .boxed()
}

/// A codec of any make, and one of its values.
pub fn typed() -> BoxedStrategy<(Codec, Value)> {
    let any_value = self_describing().prop_map(|value| (Codec::Any, value));
    prop_oneof![3 => plain(), 1 => any_value.boxed()]
        .prop_recursive(3, 12, 4, |inner| {
            prop_oneof![
                inner
                    .clone()
                    .prop_map(|(c, v)| (Codec::Descending(Box::new(c)), v)),
                (inner.clone(), any::<bool>(), any::<bool>()).prop_map(|((c, v), last, null)| {
                    let nulls = if last { Nulls::Last } else { Nulls::First };
                    let value = if null { Value::Null } else { v };
                    (Codec::Nullable(Box::new(c), nulls), value)
                }),
                vec(inner.clone(), 0..4).prop_map(|pairs| {
                    let (codecs, values) = pairs.into_iter().unzip();
                    (Codec::Tuple(codecs), Value::Tuple(values))
                }),
                (inner, 0usize..3).prop_map(|((c, v), n)| {
                    (Codec::List(Box::new(c)), Value::List(vec![v; n]))
                }),
            ]
        })
        .boxed()
}
