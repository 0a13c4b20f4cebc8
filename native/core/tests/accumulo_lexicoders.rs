//! The core's lexicoders and counters against vectors printed by Accumulo's own classes.
//!
//! The vectors lie in the directory that LEXIGRAPH_CONFORMANCE names; without it nothing runs.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::PathBuf;

use lexigraph_core::codec::counters::Counter;
use lexigraph_core::codec::lexicoder::Lexicoder;
use lexigraph_core::codec::range::following_prefix;
use lexigraph_core::codec::Value;
use serde_json::Value as Json;

#[allow(dead_code)]
#[path = "../../python/src/typed_json.rs"]
mod typed_json;
use typed_json::{from_hex, to_hex};

/// What the core has no part in: cells, security and options of stages.
const ELSEWHERE: [&str; 3] = ["wholerow", "authorizations.serialize", "iteratoroptions"];

fn vectors() -> Option<Vec<Json>> {
    let path = std::env::var_os("LEXIGRAPH_CONFORMANCE")
        .map(|root| PathBuf::from(root).join("accumulo/lexicoders.json"))
        .filter(|path| path.is_file());
    let Some(path) = path else {
        eprintln!(
            "skipped: LEXIGRAPH_CONFORMANCE names no directory with accumulo/lexicoders.json"
        );
        return None;
    };
    let text = std::fs::read_to_string(&path).unwrap();
    let json: Json = serde_json::from_str(&text).unwrap();
    Some(json["vectors"].as_array().unwrap().clone())
}

/// Splits `a,b(c,d)` at the commas outside brackets.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b',' if depth == 0 => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

fn lexicoder(name: &str) -> Lexicoder {
    if let Some((outer, rest)) = name.split_once('(') {
        let mut inner: Vec<Box<Lexicoder>> = arguments(rest.strip_suffix(')').unwrap())
            .into_iter()
            .map(|argument| Box::new(lexicoder(argument)))
            .collect();
        let last = inner.pop().unwrap();
        return match outer {
            "reverse" => Lexicoder::Reverse(last),
            "list" => Lexicoder::List(last),
            "sequence" => Lexicoder::Sequence(last),
            "pair" => Lexicoder::Pair(inner.pop().unwrap(), last),
            _ => panic!("no lexicoder {name}"),
        };
    }
    match name {
        "ulong" => Lexicoder::ULong,
        "uinteger" => Lexicoder::UInteger,
        "long" => Lexicoder::Long,
        "integer" => Lexicoder::Integer,
        "date_ms" => Lexicoder::Date,
        "double" => Lexicoder::Double,
        "float" => Lexicoder::Float,
        "biginteger" => Lexicoder::BigInteger,
        "string" => Lexicoder::String,
        "text" => Lexicoder::Text,
        "bytes" => Lexicoder::Bytes,
        "uuid" => Lexicoder::Uuid,
        _ => panic!("no lexicoder {name}"),
    }
}

fn input(lexicoder: &Lexicoder, json: &Json) -> Value {
    let text = || json.as_str().unwrap();
    let each = |item: &Lexicoder| {
        json.as_array()
            .unwrap()
            .iter()
            .map(|one| input(item, one))
            .collect::<Vec<_>>()
    };
    match lexicoder {
        Lexicoder::Double => Value::Float(text().parse().unwrap()),
        Lexicoder::Float => Value::Float32(text().parse().unwrap()),
        Lexicoder::BigInteger => Value::Int(text().parse().unwrap()),
        Lexicoder::String | Lexicoder::Text => Value::Str(text().into()),
        Lexicoder::Bytes => Value::Bytes(from_hex(text()).unwrap()),
        Lexicoder::Uuid => Value::Uuid(
            from_hex(&text().replace('-', ""))
                .unwrap()
                .try_into()
                .unwrap(),
        ),
        Lexicoder::List(item) | Lexicoder::Sequence(item) => Value::List(each(item)),
        Lexicoder::Pair(first, second) => {
            Value::Tuple(vec![input(first, &json[0]), input(second, &json[1])])
        }
        Lexicoder::Reverse(inner) => input(inner, json),
        _ => Value::Int(json.to_string().parse().unwrap()),
    }
}

fn check_lexicoder(name: &str, vector: &Json) {
    let lexicoder = lexicoder(name);
    let value = input(&lexicoder, &vector["input"]);
    let expected = from_hex(vector["hex"].as_str().unwrap()).unwrap();
    let mut out = Vec::new();
    lexicoder.encode(&value, &mut out).unwrap();
    assert_eq!(to_hex(&out), to_hex(&expected), "{vector}");
    // NaN equals nothing and negative ulongs come back unsigned: compare what is written again.
    let mut again = Vec::new();
    lexicoder
        .encode(&lexicoder.decode(&expected).unwrap(), &mut again)
        .unwrap();
    assert_eq!(again, expected, "{vector}");
}

fn check_counter(class: &str, way: &str, vector: &Json) {
    let counter = match way {
        "VARLEN" => Counter::Varlen,
        "FIXEDLEN" => Counter::Fixedlen,
        "STRING" => Counter::String,
        _ => panic!("no counter {way}"),
    };
    let expected = from_hex(vector["hex"].as_str().unwrap()).unwrap();
    let mut out = Vec::new();
    if class == "longcombiner" {
        let number = vector["input"].as_i64().unwrap();
        counter.encode(number, &mut out);
        assert_eq!(counter.decode(&expected).unwrap(), number, "{vector}");
    } else {
        let numbers: Vec<i64> = vector["input"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_i64().unwrap())
            .collect();
        counter.encode_array(&numbers, &mut out);
        // Java writes an empty text for no number, and reads it as one zero.
        let read = if expected.is_empty() {
            vec![0]
        } else {
            numbers
        };
        assert_eq!(counter.decode_array(&expected).unwrap(), read, "{vector}");
    }
    assert_eq!(to_hex(&out), to_hex(&expected), "{vector}");
}

#[test]
fn every_vector_has_the_bytes_that_accumulo_printed() {
    let Some(vectors) = vectors() else { return };
    let mut ran = 0;
    for vector in &vectors {
        let name = vector["encoder"].as_str().unwrap();
        if ELSEWHERE.contains(&name) {
            continue;
        }
        if name == "followingPrefix" {
            let prefix = from_hex(vector["input"].as_str().unwrap()).unwrap();
            let next = following_prefix(&prefix).map(|next| to_hex(&next));
            assert_eq!(next.as_deref(), vector["hex"].as_str(), "{vector}");
        } else if let Some((class, way)) = name.split_once('.') {
            check_counter(class, way, vector);
        } else {
            check_lexicoder(name, vector);
        }
        ran += 1;
    }
    println!("{ran} of {} vectors ran", vectors.len());
    assert!(ran > 0, "no vector was for the core");
}
