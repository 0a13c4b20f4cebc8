//! The core against `spec/functions.json`, the vectors that all languages share.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::Path;

use lexigraph_core::codec::{Codec, Value};
use lexigraph_core::functions::{
    Aggregate, Aggregator, Fields, Holds, Kind, Lookup, Predicate, Sets, State,
};
use lexigraph_core::json::Node;
use lexigraph_core::{Error, Result};
use serde_json::{json, Value as Json};

fn section(name: &str) -> Vec<Json> {
    let path = Path::new("../..").join("spec/functions.json");
    let text = std::fs::read_to_string(path).expect("spec/functions.json");
    let spec: Json = serde_json::from_str(&text).unwrap();
    let entries = spec[name].as_array().expect(name).clone();
    assert!(!entries.is_empty(), "section {name} is empty");
    println!("{name}: {} vectors", entries.len());
    entries
}

fn bytes(json: &Json) -> Vec<u8> {
    Node::new(json, "bytes").bytes().unwrap()
}

fn bind(case: &Json) -> Result<Aggregator> {
    let codec = Codec::named(case["codec"].as_str().unwrap()).unwrap();
    let mut written = case.get("options").cloned().unwrap_or(json!({}));
    written["name"] = case["aggregator"].clone();
    Aggregator::new(Aggregate::parse(&Node::new(&written, "aggregate"))?, codec)
}

fn started(case: &Json) -> Vec<State> {
    let aggregator = bind(case).unwrap();
    let codec = Codec::named(case["codec"].as_str().unwrap()).unwrap();
    let inputs = case["inputs"].as_array().unwrap();
    let start = |one: &Json| {
        let value = codec.decode_value(&bytes(&one["value"])).unwrap();
        let timestamp = one["timestamp"].as_i64().unwrap();
        aggregator.start(&value, timestamp).unwrap()
    };
    inputs.iter().map(start).collect()
}

fn merge(aggregator: &Aggregator, states: impl IntoIterator<Item = State>) -> Vec<u8> {
    let mut held = None;
    for state in states {
        aggregator.merge(&mut held, state).unwrap();
    }
    encode(aggregator, &held.unwrap())
}

fn encode(aggregator: &Aggregator, state: &State) -> Vec<u8> {
    let mut out = Vec::new();
    aggregator.encode(state, &mut out).unwrap();
    out
}

fn permutations<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![vec![]];
    }
    let mut all = Vec::new();
    for at in 0..items.len() {
        let mut rest = items.to_vec();
        let first = rest.remove(at);
        for mut tail in permutations(&rest) {
            tail.insert(0, first.clone());
            all.push(tail);
        }
    }
    all
}

#[test]
fn inputs_merged_in_every_order_give_the_state() {
    for case in section("aggregators") {
        let aggregator = bind(&case).unwrap();
        for states in permutations(&started(&case)) {
            assert_eq!(merge(&aggregator, states), bytes(&case["state"]), "{case}");
        }
    }
}

#[test]
fn states_folded_from_bytes_give_the_state() {
    for case in section("aggregators") {
        let aggregator = bind(&case).unwrap();
        for states in permutations(&started(&case)) {
            let mut held = None;
            for state in states {
                let written = encode(&aggregator, &state);
                aggregator.check(&written).unwrap();
                aggregator.fold(&mut held, &written, 77).unwrap();
            }
            let found = encode(&aggregator, &held.unwrap());
            assert_eq!(found, bytes(&case["state"]), "{case}");
        }
    }
}

#[test]
fn the_state_finishes_to_the_value() {
    for case in section("aggregators") {
        let aggregator = bind(&case).unwrap();
        let mut held = None;
        aggregator
            .fold(&mut held, &bytes(&case["state"]), 0)
            .unwrap();
        let folded = aggregator.finish(&held.unwrap()).unwrap();
        let direct = aggregator.finish_bytes(&bytes(&case["state"])).unwrap();
        for value in [folded, direct] {
            let mut found = Vec::new();
            Codec::Any.encode_value(&value, &mut found).unwrap();
            assert_eq!(found, bytes(&case["finished"]), "{case}");
        }
    }
}

#[test]
fn a_sketch_that_either_side_made_finishes_to_the_value() {
    for case in section("sketches") {
        let aggregator = bind(&case).unwrap();
        let state = bytes(&case["state"]);
        aggregator.check(&state).unwrap();
        let mut held = None;
        aggregator.fold(&mut held, &state, 0).unwrap();
        let expected = Codec::Any.decode_value(&bytes(&case["finished"])).unwrap();
        for found in [
            aggregator.finish(&held.unwrap()).unwrap(),
            aggregator.finish_bytes(&state).unwrap(),
        ] {
            match (found, &expected) {
                (Value::Float(found), Value::Float(expected)) => {
                    assert!(
                        (found - expected).abs() <= 1e-9 * expected,
                        "{case}: {found}"
                    );
                }
                (found, expected) => assert_eq!(found, *expected, "{case}"),
            }
        }
    }
}

#[test]
fn garbage_is_refused() {
    for case in section("refused_states") {
        let aggregator = bind(&case).unwrap();
        let data = bytes(&case["state"]);
        let folded = aggregator.fold(&mut None, &data, 0);
        for found in [folded, aggregator.check(&data)] {
            assert!(matches!(found, Err(Error::InvalidBytes(_))), "{case}");
        }
    }
}

#[test]
fn a_codec_that_cannot_be_aggregated_is_refused() {
    for case in section("refused_codecs") {
        assert!(
            matches!(bind(&case), Err(Error::InvalidOption(_))),
            "{case}"
        );
    }
}

#[test]
fn an_option_that_does_not_fit_is_refused() {
    for case in section("refused_options") {
        assert!(
            matches!(bind(&case), Err(Error::InvalidOption(_))),
            "{case}"
        );
    }
}

fn now(case: &Json) -> i64 {
    case["now"].as_i64().unwrap_or_default()
}

/// Fields by name, as states of aggregators; absent ones have no state.
struct Typed(BTreeMap<String, (Aggregator, Option<Vec<u8>>)>);

impl Typed {
    /// Fields that are their own key forms: the codec `bytes` has no other.
    fn of_keys(case: &Json) -> Typed {
        let plain = || Aggregator::new(Kind::Faithful, Codec::Bytes).unwrap();
        let named = |(name, key): (&String, &Json)| (name.clone(), (plain(), Some(bytes(key))));
        Typed(
            case["fields"]
                .as_object()
                .unwrap()
                .iter()
                .map(named)
                .collect(),
        )
    }

    fn of_states(case: &Json) -> Typed {
        let codec = |json: &Json| Codec::named(json.as_str().unwrap()).unwrap();
        let plain = |codec| Aggregator::new(Kind::Faithful, codec).unwrap();
        let mut fields = BTreeMap::new();
        for (name, one) in case["fields"].as_object().unwrap() {
            let aggregator = match one.get("aggregate") {
                None => plain(codec(&one["codec"])),
                Some(json) => {
                    let aggregate = Aggregate::parse(&Node::new(json, "aggregate")).unwrap();
                    Aggregator::new(aggregate, codec(&one["codec"])).unwrap()
                }
            };
            fields.insert(name.clone(), (aggregator, Some(bytes(&one["state"]))));
        }
        for (name, one) in case["absent"].as_object().into_iter().flatten() {
            fields.insert(name.clone(), (plain(codec(one)), None));
        }
        Typed(fields)
    }

    fn of(&self, field: &str) -> Option<(&Aggregator, &[u8])> {
        let (aggregator, state) = self.0.get(field)?;
        Some((aggregator, state.as_deref()?))
    }
}

impl Fields for Typed {
    type Field = String;

    fn key_of(&self, name: &str) -> Result<String> {
        match self.0.get(name) {
            Some((aggregator, _)) if aggregator.result().is_none() => {
                Err(Error::InvalidOption("a collection".into()))
            }
            _ => Ok(name.into()),
        }
    }

    fn presence_of(&self, name: &str) -> Result<String> {
        Ok(name.into())
    }

    fn holds(&self, name: &str) -> Result<Holds> {
        let (aggregator, _) = self.0.get(name).unwrap();
        Ok(Holds {
            codec: aggregator.codec().clone(),
            result: aggregator.result(),
            is_map: matches!(aggregator.kind(), Kind::FrequencyMap | Kind::TimeSeries),
        })
    }
}

impl Lookup<String> for Typed {
    fn key<'a>(&'a self, field: &String, scratch: &'a mut Vec<u8>) -> Result<Option<&'a [u8]>> {
        match self.of(field) {
            Some((aggregator, state)) => aggregator.key(state, scratch),
            None => Ok(None),
        }
    }

    fn value(&self, field: &String) -> Result<Value> {
        match self.of(field) {
            Some((aggregator, state)) => aggregator.finish_bytes(state),
            None => Ok(Value::Null),
        }
    }

    fn has(&self, field: &String) -> Result<bool> {
        Ok(self.of(field).is_some())
    }
}

#[test]
fn a_predicate_over_values_holds_as_expected() {
    for case in section("value_predicates") {
        let element = Typed::of_states(&case);
        let predicate = Predicate::parse(
            &Node::new(&case["where"], "where"),
            now(&case),
            &Sets::new(),
        )
        .unwrap();
        let test = predicate.bind(&element).unwrap();
        let found = test.holds(&element, &mut Vec::new()).unwrap();
        assert_eq!(Some(found), case["expected"].as_bool(), "{case}");
    }
}

#[test]
fn a_predicate_over_a_field_that_does_not_fit_is_refused() {
    for case in section("refused_fields") {
        let predicate =
            Predicate::parse(&Node::new(&case["where"], "where"), 0, &Sets::new()).unwrap();
        let found = predicate.bind(&Typed::of_states(&case));
        assert!(matches!(found, Err(Error::InvalidOption(_))), "{case}");
    }
}

#[test]
fn a_predicate_holds_as_expected() {
    for case in section("predicates") {
        let element = Typed::of_keys(&case);
        let predicate = Predicate::parse(
            &Node::new(&case["where"], "where"),
            now(&case),
            &Sets::new(),
        )
        .unwrap();
        let test = predicate.bind(&element).unwrap();
        let found = test.holds(&element, &mut Vec::new()).unwrap();
        assert_eq!(Some(found), case["expected"].as_bool(), "{case}");
    }
}

#[test]
fn a_wrong_predicate_is_refused_and_says_where() {
    for case in section("refused_predicates") {
        match Predicate::parse(
            &Node::new(&case["where"], "where"),
            now(&case),
            &Sets::new(),
        ) {
            Err(Error::InvalidOption(message) | Error::UnknownName(message)) => {
                assert!(message.contains("where"), "{message}");
            }
            found => panic!("{case} gave {found:?}"),
        }
    }
}
