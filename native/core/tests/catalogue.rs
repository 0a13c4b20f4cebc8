//! The core against `spec/catalogue.json`: names, options with bounds and defaults, codecs, flags.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use lexigraph_core::codec::Codec;
use lexigraph_core::functions::{Aggregate, Aggregator, KeySet, Kind, Predicate, Sets};
use lexigraph_core::json::Node;
use lexigraph_core::stages::{find_stage, SortedCells, StageContext, BUILT_IN};
use serde_json::{json, Map, Value};

fn section(name: &str) -> BTreeMap<String, Value> {
    let found = catalogue()[name].as_object().expect(name).clone();
    assert!(!found.is_empty(), "section {name} is empty");
    found.into_iter().collect()
}

fn catalogue() -> Value {
    let path = Path::new("../..").join("spec/catalogue.json");
    let text = std::fs::read_to_string(path).expect("spec/catalogue.json");
    serde_json::from_str(&text).unwrap()
}

fn has_flag(entry: &Value, flag: &str) -> bool {
    let flags = entry["flags"].as_array().unwrap();
    flags.iter().any(|one| one == flag)
}

fn aggregate(name: &str, option: &str, value: Value) -> Option<Aggregate> {
    let mut written = json!({ "name": name });
    written[option] = value;
    Aggregate::parse(&Node::new(&written, "aggregate")).ok()
}

#[test]
fn the_core_has_the_aggregators_of_the_catalogue() {
    let found: BTreeSet<_> = Kind::all().map(|kind| kind.name().to_owned()).collect();
    assert_eq!(found, section("aggregators").into_keys().collect());
}

#[test]
fn aggregators_have_the_options_bounds_and_defaults_of_the_catalogue() {
    for (name, entry) in section("aggregators") {
        let plain = Aggregate::from(Kind::named(&name).unwrap());
        assert_eq!(aggregate(&name, "surprise", json!(1)), None, "{name}");
        for (option, schema) in entry["options"].as_object().unwrap() {
            let read = |value: Value| aggregate(&name, option, value);
            let what = format!("{option} of {name}");
            assert_eq!(
                read(schema["default"].clone()).as_ref(),
                Some(&plain),
                "{what}"
            );
            assert_eq!(read(json!([])), None, "{what}");
            if let (Some(least), Some(most)) =
                (schema["minimum"].as_i64(), schema["maximum"].as_i64())
            {
                assert!(
                    read(json!(least)).is_some() && read(json!(most)).is_some(),
                    "{what}"
                );
                assert!(
                    read(json!(least - 1)).is_none() && read(json!(most + 1)).is_none(),
                    "{what}"
                );
                let between = read(json!(least + 1)).is_some();
                assert_eq!(between, schema.get("powerOfTwo").is_none(), "{what}");
            }
            if let Some(words) = schema["enum"].as_array() {
                let read_words: Vec<_> = words.iter().map(|word| read(word.clone())).collect();
                assert!(read_words.iter().all(Option::is_some), "{what}");
                assert_eq!(read(json!("surprise")), None, "{what}");
            }
        }
    }
}

#[test]
fn aggregators_work_over_the_codecs_of_the_catalogue_and_no_others() {
    let all: Vec<String> = serde_json::from_value(catalogue()["codecs"].clone()).unwrap();
    for (name, entry) in section("aggregators") {
        let codecs = &entry["codecs"];
        for codec in &all {
            let listed = |list: &Value| {
                list.as_array()
                    .is_some_and(|list| list.iter().any(|one| one == codec))
            };
            let expected = codecs == "all"
                || listed(codecs)
                || codecs.get("except").is_some_and(|except| !listed(except));
            let bound = Aggregator::new(Kind::named(&name).unwrap(), Codec::named(codec).unwrap());
            assert_eq!(bound.is_ok(), expected, "{name} over {codec}");
        }
    }
}

#[test]
fn aggregators_finish_to_what_the_catalogue_says() {
    for (name, entry) in section("aggregators") {
        let (kind, result) = (
            Kind::named(&name).unwrap(),
            entry["result"].as_str().unwrap(),
        );
        let codec = ["str", "bool", "int", "date"]
            .into_iter()
            .find_map(|codec| {
                let codec = Codec::named(codec)?;
                Some((Aggregator::new(kind, codec.clone()).ok()?, codec))
            });
        let (bound, codec) = codec.unwrap();
        let expected = match result {
            "same" => Some(codec),
            "float" => Some(Codec::Float),
            "count" => Some(Codec::Int),
            _ => None,
        };
        assert_eq!(bound.result(), expected, "{name}");
        assert_eq!(kind.is_map(), result == "map", "{name}");
        let takes_one = entry["takes"].as_array().unwrap().is_empty();
        assert_eq!(kind.gives_one(), result == "same" && takes_one, "{name}");
    }
}

#[test]
fn the_core_has_the_stages_of_the_catalogue_with_their_priorities_and_flags() {
    let stages = section("stages");
    let found: BTreeSet<_> = BUILT_IN.iter().map(|kind| kind.name.to_owned()).collect();
    assert_eq!(found, stages.keys().cloned().collect());
    for kind in BUILT_IN {
        let entry = &stages[kind.name];
        assert_eq!(
            json!(kind.default_priority),
            entry["priority"],
            "{}",
            kind.name
        );
        let flags = [
            ("whole_scan", kind.whole_scan),
            ("combines", kind.combines),
            ("ends_with_row", kind.ends_with_row),
        ];
        for (flag, held) in flags {
            assert_eq!(held, has_flag(entry, flag), "{flag} of {}", kind.name);
        }
    }
}

/// What each stage needs besides its required options: one of several.
fn needed(stage: &str) -> Map<String, Value> {
    let start = ("start".to_owned(), json!(0));
    Map::from_iter((stage == "time-range").then_some(start))
}

fn build(stage: &str, options: &Map<String, Value>) -> lexigraph_core::Result<()> {
    let source = Box::new(SortedCells::new(Vec::new()));
    let options = Value::Object(options.clone());
    let mut context = StageContext::default();
    (find_stage(stage)?.build)(source, &options, &mut context).map(|_| ())
}

/// The bounds of a schema, also where it takes null besides.
fn bounds(schema: &Value) -> Option<(i64, i64)> {
    let inner = schema.get("anyOf").map_or(schema, |forms| &forms[0]);
    Some((inner["minimum"].as_i64()?, inner["maximum"].as_i64()?))
}

#[test]
fn cell_stages_have_the_options_and_bounds_of_the_catalogue_and_take_its_defaults() {
    for (stage, entry) in section("stages") {
        let options = entry["options"].as_object().unwrap();
        if options.contains_key("plan") {
            continue;
        }
        let required = options
            .iter()
            .filter(|(_, one)| one.get("default").is_none());
        let mut base = needed(&stage);
        base.extend(required.map(|(name, schema)| (name.clone(), sample(schema))));
        let with = |name: &str, value: Value| {
            let mut options = base.clone();
            options.insert(name.to_owned(), value);
            build(&stage, &options)
        };
        assert!(
            build(&stage, &base).is_ok(),
            "{stage}: {:?}",
            build(&stage, &base)
        );
        assert!(with("surprise", json!(1)).is_err(), "{stage} with one more");
        for (name, schema) in options {
            let what = format!("{name} of {stage}");
            assert!(with(name, json!(1.5)).is_err(), "{what}");
            assert!(with(name, sample(schema)).is_ok(), "{what}");
            match schema.get("default") {
                Some(default) if base.contains_key(name) => assert!(default.is_null(), "{what}"),
                Some(default) => assert!(with(name, default.clone()).is_ok(), "{what}"),
                None => {
                    let mut without = base.clone();
                    without.remove(name);
                    assert!(build(&stage, &without).is_err(), "{what}");
                }
            }
            if let Some((least, most)) = bounds(schema) {
                assert!(with(name, json!(least)).is_ok(), "{what}");
                assert!(with(name, json!(most)).is_ok(), "{what}");
                let outside = [i128::from(least) - 1, i128::from(most) + 1];
                for number in outside {
                    let number: Value = serde_json::from_str(&number.to_string()).unwrap();
                    assert!(with(name, number).is_err(), "{what}");
                }
            }
        }
    }
}

fn parse(written: &Map<String, Value>) -> lexigraph_core::Result<Predicate> {
    let sets = Sets::from([("a".to_owned(), Arc::new(KeySet::Unknown))]);
    Predicate::parse(
        &Node::new(&Value::Object(written.clone()), "where"),
        0,
        &sets,
    )
}

fn sample(schema: &Value) -> Value {
    if let Some(forms) = schema["anyOf"].as_array() {
        return sample(&forms[0]);
    }
    if let Some(required) = schema["required"].as_array() {
        let names = required.iter().map(|name| name.as_str().unwrap());
        let members = names.map(|name| (name.to_owned(), sample(&schema["properties"][name])));
        return Value::Object(members.collect());
    }
    if let Some(words) = schema["enum"].as_array() {
        return words[0].clone();
    }
    match (schema["type"].as_str(), schema["$ref"].as_str()) {
        (Some("integer"), _) => schema["minimum"].clone(),
        (Some("boolean"), _) => json!(true),
        (Some("array"), _) => json!([sample(&schema["items"])]),
        (_, Some("#/$defs/predicate")) => json!({"op": "exists", "field": "a"}),
        _ => json!("a"),
    }
}

#[test]
fn the_core_has_the_predicates_of_the_catalogue() {
    let unknown = Map::from_iter([("op".to_owned(), json!("surprise"))]);
    let message = parse(&unknown).unwrap_err().to_string();
    let listed = message.split_once("available: ").unwrap().1;
    let found: BTreeSet<_> = listed.split(", ").map(str::to_owned).collect();
    assert_eq!(found, section("predicates").into_keys().collect());
}

#[test]
fn predicates_have_exactly_the_members_of_the_catalogue() {
    for (op, entry) in section("predicates") {
        for form in entry["forms"].as_array().unwrap() {
            let members = form.as_object().unwrap();
            let mut whole = Map::from_iter([("op".to_owned(), json!(op))]);
            whole.extend(
                members
                    .iter()
                    .map(|(name, schema)| (name.clone(), sample(schema))),
            );
            assert!(parse(&whole).is_ok(), "{op}: {:?}", parse(&whole));
            for (name, schema) in members {
                let mut without = whole.clone();
                without.remove(name);
                let optional = schema.get("default").is_some();
                assert_eq!(parse(&without).is_ok(), optional, "{op} without {name}");
                let mut wrong = whole.clone();
                wrong.insert(name.clone(), json!(1.5));
                assert!(parse(&wrong).is_err(), "{op} with a wrong {name}");
            }
            whole.insert("surprise".to_owned(), json!(1));
            assert!(parse(&whole).is_err(), "{op} with one more");
        }
    }
}
