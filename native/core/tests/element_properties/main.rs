//! What must hold for all elements: merging in parts changes nothing, bytes that fit no plan are
//! refused and never panic, and a field is found however it is written.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod calls;
#[allow(dead_code)]
#[path = "../codec_properties/samples.rs"]
mod samples;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::codec::{Codec, Nulls, Value};
use lexigraph_core::functions::{Aggregator, Comparison, Kind, Test};
use lexigraph_core::plan::{Aggregates, Plan, Reader};
use lexigraph_core::stages::elements::{
    AggregateStage, Decode, ElementFilter, RollUp, Rolled, Where,
};
use lexigraph_core::stages::{Families, SortedCells, Source};
use lexigraph_core::{Error, Result};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{json, Value as Json};

use calls::{calls, stored};
use samples::typed;

fn load_plan(name: &str) -> Json {
    let folder = Path::new("../..").join("spec/plans");
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn byte_entity() -> Arc<Plan> {
    static PLAN: OnceLock<Arc<Plan>> = OnceLock::new();
    let parse = || Arc::new(Plan::parse(&load_plan("byte-entity"), "plan").unwrap());
    PLAN.get_or_init(parse).clone()
}

fn everything(mut source: Source) -> Result<Vec<Cell>> {
    source.seek(&Range::default(), &Families::default())?;
    let mut cells = Vec::new();
    while let Some(cell) = source.top() {
        cells.push(cell.to_owned());
        source.advance()?;
    }
    Ok(cells)
}

fn aggregated(cells: Vec<Cell>) -> Vec<Cell> {
    let source = Box::new(SortedCells::new(cells));
    let stage: Source = Box::new(AggregateStage::new(source, byte_entity(), true));
    everything(stage).unwrap()
}

fn rolled(cells: Vec<Cell>, by: &[String]) -> Vec<Cell> {
    everything(roll_up(cells, byte_entity(), by)).unwrap()
}

/// A roll-up that merges labels, with the aggregators of the plan.
fn roll_up(cells: Vec<Cell>, plan: Arc<Plan>, by: &[String]) -> Source {
    let rolled = Rolled::new(plan, by, &Aggregates::new(), true).unwrap();
    Box::new(RollUp::new(Box::new(SortedCells::new(cells)), rolled))
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![
        Just(Kind::Sum),
        Just(Kind::Min),
        Just(Kind::Max),
        Just(Kind::First),
        Just(Kind::Last),
        Just(Kind::Set),
        Just(Kind::Product),
        Just(Kind::And),
        Just(Kind::Or),
        Just(Kind::List),
        Just(Kind::Concat),
        Just(Kind::FrequencyMap),
        Just(Kind::TopN),
        Just(Kind::TimeSeries),
        Just(Kind::Reservoir),
    ]
}

fn names_of(codec: &Codec) -> bool {
    Codec::named(codec.name()).as_ref() == Some(codec)
}

/// A plan with one vertex whose field `x` stands in the qualifier in some form.
fn plan_with(codec: &Codec, form: &str, descending: bool, nulls: Option<Nulls>) -> Arc<Plan> {
    let mut part = json!({"field": "x", "codec": codec.name(), "form": form});
    if descending {
        part["descending"] = json!(true);
    }
    if let Some(nulls) = nulls {
        part["nulls"] = json!(if nulls == Nulls::First {
            "first"
        } else {
            "last"
        });
    }
    let plan = json!({
        "version": 1,
        "rows": [{"kind": "vertex", "group": "g",
                  "parts": [{"field": "vertex", "codec": "str", "form": "rest"}]}],
        "family": [],
        "groups": {"g": {"kind": "vertex", "qualifier": [part], "value": {"form": "none"}}}
    });
    Arc::new(Plan::parse(&plan, "plan").unwrap())
}

fn check_field(plan: Arc<Plan>, qualifier: Vec<u8>, codec: &Codec, value: &Value) {
    let mut key = Vec::new();
    codec.encode_key(value, &mut key).unwrap();
    let canonical = codec.decode_key(&key).unwrap();
    let cell = Cell {
        key: Key {
            row: b"v".to_vec(),
            qualifier,
            ..Key::default()
        },
        value: Vec::new(),
    };
    let table = || Box::new(SortedCells::new(vec![cell.clone()]));
    let decode = Decode::new(table(), plan.clone(), &["x".into()]).unwrap();
    let decoded = everything(Box::new(decode)).unwrap();
    let tuple = stored(&Codec::Any, &Value::Tuple(vec![canonical.clone()]));
    assert_eq!(decoded[0].value, tuple);
    let tests = [
        (Test::Exists("x".to_owned()), canonical != Value::Null),
        (
            Test::Compare {
                how: Comparison::Equal,
                field: "x".to_owned(),
                value: key,
            },
            canonical != Value::Null,
        ),
    ];
    for (test, kept) in tests {
        let stage =
            ElementFilter::new(table(), plan.clone(), &Where::All(test.clone()), false).unwrap();
        let found = everything(Box::new(stage)).unwrap();
        assert_eq!(!found.is_empty(), kept, "{test:?} of {canonical:?}");
    }
}

/// Replaces the n-th node of a JSON value, counted from the outside.
fn replace_node(json: &mut Json, at: &mut usize, with: &Json) {
    if *at == 0 {
        *json = with.clone();
        *at = usize::MAX;
        return;
    }
    *at = at.saturating_sub(1);
    let inner: Vec<&mut Json> = match json {
        Json::Array(items) => items.iter_mut().collect(),
        Json::Object(members) => members.values_mut().collect(),
        _ => return,
    };
    for item in inner {
        if *at > 10_000 {
            return;
        }
        replace_node(item, at, with);
    }
}

proptest! {
    #[test]
    fn an_aggregate_of_parts_is_the_aggregate_of_all(
        cells in vec((calls(), 0usize..3), 0..12),
    ) {
        let all: Vec<Cell> = cells.iter().map(|(cell, _)| cell.clone()).collect();
        let mut parts = Vec::new();
        for run in 0..3 {
            let own = cells.iter().filter(|(_, place)| *place == run);
            parts.extend(aggregated(own.map(|(cell, _)| cell.clone()).collect()));
        }
        prop_assert_eq!(aggregated(parts), aggregated(all));
    }

    #[test]
    fn a_roll_up_of_aggregates_is_the_roll_up_of_all(cells in vec(calls(), 0..12)) {
        for by in [vec![], vec!["day".to_owned()], vec!["device".to_owned()]] {
            // Only the group of these cells has both properties.
            let mut plan = load_plan("byte-entity");
            let groups = plan["groups"].as_object_mut().unwrap();
            groups.retain(|name, _| name == "calls");
            let plan = Arc::new(Plan::parse(&plan, "plan").unwrap());
            let roll = |cells: Vec<Cell>| everything(roll_up(cells, plan.clone(), &by)).unwrap();
            let found = roll(cells.clone());
            prop_assert!(found.windows(2).all(|pair| pair[0].key < pair[1].key));
            prop_assert_eq!(roll(aggregated(cells.clone())), found);
        }
        prop_assert_eq!(rolled(aggregated(cells.clone()), &[]), rolled(cells, &[]));
    }

    #[test]
    fn damaged_cells_are_refused_or_read_but_never_panic(
        cell in calls(),
        part in 0usize..4,
        at in any::<proptest::sample::Index>(),
        with in vec(any::<u8>(), 0..4),
    ) {
        let mut cell = cell;
        let key = &mut cell.key;
        let parts = [&mut key.row, &mut key.family, &mut key.qualifier, &mut cell.value];
        let [row, family, qualifier, value] = parts;
        let damaged = [row, family, qualifier, value].into_iter().nth(part).unwrap();
        let start = at.index(damaged.len() + 1);
        let end = (start + 1).min(damaged.len());
        damaged.splice(start..end, with);
        let table = |cells: &[Cell]| Box::new(SortedCells::new(cells.to_vec()));
        let fields: Vec<String> = ["source", "day", "device", "count", "cost", "opened", "places"]
            .map(String::from)
            .into();
        let plan = byte_entity();
        let cells = [cell.clone(), cell];
        let stages: [Source; 4] = [
            Box::new(AggregateStage::new(table(&cells), plan.clone(), true)),
            roll_up(cells.to_vec(), plan.clone(), &[]),
            Box::new(Decode::new(table(&cells), plan.clone(), &fields).unwrap()),
            Box::new(
                ElementFilter::new(table(&cells), plan, &Where::All(Test::And(vec![])), true).unwrap(),
            ),
        ];
        for stage in stages {
            if let Err(error) = everything(stage) {
                prop_assert!(matches!(error, Error::InvalidBytes(_)), "{error:?}");
            }
        }
    }

    #[test]
    fn garbage_is_no_element(
        row in vec(0u8..6, 0..9),
        qualifier in vec(any::<u8>(), 0..9),
        value in vec(0u8..8, 0..12),
    ) {
        for family in [&b"calls"[..], b"knows", b"activity", b"\xff"] {
            let cell = Cell {
                key: Key {
                    row: row.clone(),
                    family: family.to_vec(),
                    qualifier: qualifier.clone(),
                    ..Key::default()
                },
                value: value.clone(),
            };
            let mut reader = Reader::new(byte_entity());
            if let Err(error) = reader.read(cell.as_ref()).map(drop) {
                prop_assert!(matches!(error, Error::InvalidBytes(_)), "{error:?}");
            }
        }
    }

    #[test]
    fn a_state_is_refused_alike_and_comes_back(
        kind in kinds(),
        (codec, value) in typed(),
        garbage in vec(any::<u8>(), 0..12),
        small in vec(0u8..4, 0..12),
    ) {
        let Ok(aggregator) = Aggregator::new(kind, codec.clone()) else {
            return Ok(());
        };
        let mut written = Vec::new();
        let state = aggregator.start(&value, 5).unwrap();
        aggregator.encode(&state, &mut written).unwrap();
        aggregator.check(&written).unwrap();
        for data in [written, garbage, small] {
            let mut held = None;
            let folded = aggregator.fold(&mut held, &data, 7);
            prop_assert_eq!(aggregator.check(&data).is_ok(), folded.is_ok());
            if folded.is_ok() {
                let mut again = Vec::new();
                aggregator.encode(&held.unwrap(), &mut again).unwrap();
                let own_time = |data: &[u8]| data.first() == Some(&1);
                if !matches!(kind, Kind::First | Kind::Last) || own_time(&data) {
                    prop_assert_eq!(again, data);
                }
            }
        }
    }

    #[test]
    fn a_field_is_found_however_it_is_written(
        (codec, value) in typed().prop_filter("codecs with a name", |(codec, _)| names_of(codec)),
        descending in any::<bool>(),
        nulls in option::of(prop_oneof![Just(Nulls::First), Just(Nulls::Last)]),
    ) {
        let mut key = Vec::new();
        codec.encode_key(&value, &mut key).unwrap();
        check_field(plan_with(&codec, "rest", false, None), key.clone(), &codec, &value);
        let mut escaped = Vec::new();
        lexigraph_core::codec::escape::escape(&key, &mut escaped);
        check_field(plan_with(&codec, "escaped", false, None), escaped, &codec, &value);
        let mut part = Vec::new();
        Codec::part(codec.clone(), descending, nulls).encode_part(&value, &mut part).unwrap();
        check_field(plan_with(&codec, "part", descending, nulls), part, &codec, &value);
    }

    #[test]
    fn a_damaged_plan_is_refused_and_says_where(
        name in prop_oneof![Just("byte-entity"), Just("classic"), Just("short"), Just("web-hits")],
        at in 0usize..200,
        with in prop_oneof![
            Just(Json::Null), Just(json!(1)), Just(json!("")), Just(json!("vertex")),
            Just(json!([])), Just(json!({})), Just(json!("rest")), Just(json!({"hex": "00"})),
            Just(json!("source")), Just(json!("sum")), Just(json!("str")), Just(json!(true)),
        ],
    ) {
        let mut plan = load_plan(name);
        let mut at = at;
        replace_node(&mut plan, &mut at, &with);
        match Plan::parse(&plan, "plans.own") {
            Ok(_) => {}
            Err(Error::InvalidOption(message) | Error::UnknownName(message)) => prop_assert!(message.starts_with("plans.own")),
            Err(other) => prop_assert!(false, "{other:?}"),
        }
    }
}
