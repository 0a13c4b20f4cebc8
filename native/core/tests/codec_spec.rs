//! The core against `spec/codec.json`, the vectors that all languages share.
//!
//! One test per section; each fails when its section is missing or empty, so that a renamed
//! section cannot pass unseen.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use lexigraph_core::codec::range::{bounded_range, following_prefix, successor, Bound, KeyRange};
use lexigraph_core::codec::rowid::{shard_of, RowIdForm, RowPlan, Unit};
use lexigraph_core::codec::{Codec, Value};
use lexigraph_core::Error;
use serde_json::{json, Value as Json};

#[allow(dead_code)]
#[path = "../../python/src/typed_json.rs"]
mod typed_json;
use typed_json::{codec_from_json, from_hex, to_hex, value_from_json, value_to_json};

fn section(name: &str) -> Vec<Json> {
    let path = Path::new("../..").join("spec/codec.json");
    let text = std::fs::read_to_string(path).expect("spec/codec.json");
    let spec: Json = serde_json::from_str(&text).unwrap();
    let entries = spec[name].as_array().expect(name).clone();
    assert!(!entries.is_empty(), "section {name} is empty");
    entries
}

fn hex(json: &Json) -> Vec<u8> {
    from_hex(json.as_str().unwrap()).unwrap()
}

fn encode(codec: &Codec, form: &str, value: &Value) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    match form {
        "key" => codec.encode_key(value, &mut out)?,
        "part" => codec.encode_part(value, &mut out)?,
        _ => codec.encode_value(value, &mut out)?,
    }
    Ok(out)
}

fn decode(codec: &Codec, form: &str, data: &[u8]) -> Result<Value, Error> {
    match form {
        "key" => codec.decode_key(data),
        "value" => codec.decode_value(data),
        _ => match codec.decode_part(data, 0)? {
            (value, end) if end == data.len() => Ok(value),
            _ => Err(Error::InvalidBytes("bytes follow the part".into())),
        },
    }
}

/// Drops the widths of numbers, which only `any` gives back, and then only in value form.
fn plain(value: &Value) -> Value {
    match value {
        Value::Int8(number) => Value::int((*number).into()),
        Value::Int16(number) => Value::int((*number).into()),
        Value::Int32(number) => Value::int((*number).into()),
        Value::Int64(number) => Value::int(*number),
        Value::BigInt(number) => Value::Int(number.clone()),
        Value::Float32(number) => Value::Float((*number).into()),
        Value::Tuple(items) => Value::Tuple(items.iter().map(plain).collect()),
        Value::List(items) => Value::List(items.iter().map(plain).collect()),
        other => other.clone(),
    }
}

#[test]
fn values_have_the_bytes_of_the_spec_and_come_back() {
    for entry in section("values") {
        let codec = codec_from_json(&entry["codec"]).unwrap();
        let value = value_from_json(&entry["value"]).unwrap();
        let canonical = match &entry["canonical"] {
            Json::Null => value.clone(),
            other => value_from_json(other).unwrap(),
        };
        for (form, field) in [("key", "key"), ("part", "part"), ("value", "stored")] {
            let expected = hex(&entry[field]);
            let bytes = encode(&codec, form, &value).unwrap();
            assert_eq!(to_hex(&bytes), to_hex(&expected), "{form} of {entry}");
            let back = decode(&codec, form, &expected).unwrap();
            let wanted = match (form, &codec) {
                ("value", Codec::Any) => value.clone(),
                ("value", _) => plain(&value),
                _ => plain(&canonical),
            };
            assert_eq!(
                value_to_json(&back),
                value_to_json(&wanted),
                "{form} of {entry}"
            );
        }
    }
}

#[test]
fn keys_ascend_as_the_values_do() {
    for entry in section("orders") {
        let codec = codec_from_json(&entry["codec"]).unwrap();
        let values = entry["values"].as_array().unwrap();
        let keys: Vec<Vec<u8>> = values
            .iter()
            .map(|value| encode(&codec, "key", &value_from_json(value).unwrap()).unwrap())
            .collect();
        let expected: Vec<Vec<u8>> = entry["keys"].as_array().unwrap().iter().map(hex).collect();
        assert_eq!(keys, expected, "{}", entry["codec"]);
        assert!(
            keys.windows(2).all(|pair| pair[0] < pair[1]),
            "{}",
            entry["codec"]
        );
    }
}

#[test]
fn bytes_that_no_encoder_writes_are_refused() {
    for entry in section("refused_bytes") {
        let codec = codec_from_json(&entry["codec"]).unwrap();
        let found = decode(
            &codec,
            entry["form"].as_str().unwrap(),
            &hex(&entry["bytes"]),
        );
        assert!(
            matches!(found, Err(Error::InvalidBytes(_))),
            "{entry} gave {found:?}"
        );
    }
}

#[test]
fn values_that_a_codec_cannot_hold_are_refused() {
    let mut built = 0;
    for entry in section("refused_values") {
        let codec = codec_from_json(&entry["codec"]).unwrap();
        // Some values cannot even be built here: that is a refusal too.
        let Ok(value) = value_from_json(&entry["value"]) else {
            continue;
        };
        built += 1;
        for form in ["key", "part", "value"] {
            let found = encode(&codec, form, &value);
            assert!(
                matches!(found, Err(Error::InvalidValue(_))),
                "{form} of {entry}"
            );
        }
    }
    assert!(built > 0, "no value could be built");
}

#[test]
fn prefixes_end_and_keys_follow_where_the_spec_says() {
    for entry in section("prefixes") {
        let prefix = hex(&entry["prefix"]);
        let end = following_prefix(&prefix).map(|end| to_hex(&end));
        assert_eq!(end.as_deref(), entry["end"].as_str(), "{entry}");
        assert_eq!(
            to_hex(&successor(&prefix)),
            entry["successor"].as_str().unwrap()
        );
    }
}

#[test]
fn bounds_give_the_ranges_of_the_spec() {
    let bound = |json: &Json| {
        (!json.is_null()).then(|| Bound {
            value: value_from_json(&json["value"]).unwrap(),
            inclusive: json["inclusive"].as_bool().unwrap(),
        })
    };
    for entry in section("bounds") {
        let Codec::Tuple(parts) = codec_from_json(&entry["codec"]).unwrap() else {
            panic!("{entry} bounds no tuple")
        };
        let prefix = entry["prefix"].as_array().unwrap();
        let prefix: Vec<Value> = prefix.iter().map(|v| value_from_json(v).unwrap()).collect();
        let (lower, upper) = (bound(&entry["lower"]), bound(&entry["upper"]));
        let range = bounded_range(&parts, &prefix, lower.as_ref(), upper.as_ref()).unwrap();
        assert_eq!(
            range_json(&range),
            json!([entry["start"], entry["end"]]),
            "{entry}"
        );
    }
}

#[test]
fn shards_are_picked_as_in_the_spec() {
    for entry in section("shards") {
        let shards = entry["n"].as_u64().unwrap() as u32;
        let name = shard_of(&hex(&entry["spread"]), shards).unwrap();
        assert_eq!(name, entry["suffix"].as_str().unwrap(), "{entry}");
    }
}

#[test]
fn buckets_are_named_as_in_the_spec() {
    for entry in section("buckets") {
        let unit = unit(&entry["unit"]);
        let name = unit.bucket_of(micros(&entry["micros"])).unwrap();
        assert_eq!(name, entry["suffix"].as_str().unwrap(), "{entry}");
        assert_eq!(
            unit.bucket_of(unit.parse(&name).unwrap()).unwrap(),
            name,
            "{entry}"
        );
    }
}

#[test]
fn rows_are_joined_and_taken_apart_as_in_the_spec() {
    for entry in section("rows") {
        let plan = plan(&entry["plan"]);
        let moment = (!entry["moment"].is_null()).then(|| micros(&entry["moment"]));
        let id = hex(&entry["id"]);
        let row = plan.row(&id, moment, &hex(&entry["spread"])).unwrap();
        assert_eq!(to_hex(&row), entry["row"].as_str().unwrap(), "{entry}");
        assert_eq!(plan.split(&row).unwrap().id, id, "{entry}");
    }
}

#[test]
fn questions_expand_to_the_ranges_of_the_spec() {
    for entry in section("expansions") {
        let plan = plan(&entry["plan"]);
        let lower = hex(&entry["lower"]);
        let dates = entry["dates"].as_array().map(|dates| {
            let unit = unit(&entry["plan"]["bucket"]);
            let moment = |at: usize| unit.parse(dates[at].as_str().unwrap()).unwrap();
            (moment(0), moment(1))
        });
        let ranges = if entry["one"].as_bool().unwrap_or(false) {
            plan.ranges_of(&lower, dates).unwrap()
        } else {
            let upper = (!entry["upper"].is_null()).then(|| hex(&entry["upper"]));
            plan.ranges_between(&lower, upper.as_deref(), dates)
                .unwrap()
        };
        let found: Vec<Json> = ranges.iter().map(range_json).collect();
        assert_eq!(json!(found), entry["ranges"], "{entry}");
    }
}

fn range_json(range: &KeyRange) -> Json {
    json!([
        to_hex(&range.start),
        range.end.as_ref().map(|end| to_hex(end))
    ])
}

fn micros(json: &Json) -> i64 {
    json.as_str().unwrap().parse().unwrap()
}

fn unit(json: &Json) -> Unit {
    match json.as_str().unwrap() {
        "hour" => Unit::Hour,
        "day" => Unit::Day,
        "week" => Unit::Week,
        "month" => Unit::Month,
        other => panic!("no unit {other}"),
    }
}

fn plan(json: &Json) -> RowPlan {
    let form = match json["form"].as_str().unwrap() {
        "terminated" => RowIdForm::Terminated,
        "plain" => RowIdForm::Plain,
        "leading" => RowIdForm::Leading,
        other => panic!("no form {other}"),
    };
    let shards = json["shards"].as_u64().map(|shards| shards as u32);
    let bucket = (!json["bucket"].is_null()).then(|| unit(&json["bucket"]));
    RowPlan::new(shards, bucket, form).unwrap()
}
