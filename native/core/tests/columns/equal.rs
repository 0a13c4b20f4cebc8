//! Random tables and random stacks of the forms that the column path takes.

use lexigraph_core::cells::{Key, Range};
use lexigraph_core::scan::Spec;
use lexigraph_core::stages::StageSpec;
use lexigraph_core::visibility::{Authorizations, View};
use serde_json::{json, Value};

use crate::support::{compare, compare_cells, plan, Byte, Fixture, Random};

const FIELDS: [&str; 12] = [
    "day",
    "group",
    "kind",
    "visibility",
    "source",
    "destination",
    "vertex",
    "matched",
    "directed",
    "device",
    "timestamp",
    "count",
];

fn stage(name: &str, options: Value) -> StageSpec {
    StageSpec {
        name: name.into(),
        options,
        priority: None,
    }
}

fn predicate(random: &mut Random) -> Value {
    let list = [
        json!({"op": "exists", "field": "device"}),
        json!({"op": "ge", "field": "day", "value": {"hex": "80004e22"}}),
        json!({"op": "not", "of": {"op": "eq", "field": "matched", "value": "source"}}),
        json!({"op": "eq", "field": "visibility", "value": "p"}),
        json!({"op": "in", "field": "source", "values": ["A", "u1", "u2"]}),
        json!({"op": "gt", "field": "count", "value": {"hex": "8110"}}),
        json!({"op": "lt", "field": "timestamp", "value": {"hex": "8000000000000003"}}),
        json!({"op": "or", "of": [{"op": "eq", "field": "group", "value": "knows"}, {"op": "exists", "field": "vertex"}]}),
    ];
    random.pick(&list).clone()
}

fn measures(random: &mut Random) -> Vec<Value> {
    let all = [
        json!({"name": "n", "aggregate": "count"}),
        json!({"name": "c", "aggregate": "sum", "field": "count"}),
        json!({"name": "l", "aggregate": "max", "field": "longest"}),
        json!({"name": "o", "aggregate": "first", "field": "opened"}),
        json!({"name": "s", "aggregate": "set", "field": "places"}),
        json!({"name": "d", "aggregate": "min", "field": "day"}),
        json!({"name": "t", "aggregate": "max", "field": "timestamp"}),
        json!({"name": "e", "aggregate": "max", "field": "count"}),
    ];
    let few = random.chance(60);
    let chosen = all.iter().take(if few { 2 } else { all.len() });
    let chosen: Vec<Value> = chosen.filter(|_| random.chance(60)).cloned().collect();
    chosen
}

pub fn stages(random: &mut Random) -> Vec<StageSpec> {
    let mut stages = Vec::new();
    if random.chance(25) {
        stages.push(stage("versions", json!({"max": 1})));
    }
    if random.chance(20) {
        let mut filter = stage("filter", json!({"plan": "p", "where": predicate(random)}));
        filter.priority = Some(30);
        stages.push(filter);
    }
    if random.chance(60) {
        stages.push(stage("aggregate", json!({"plan": "whole"})));
    }
    if random.chance(60) {
        let mut options = json!({"plan": "p", "once": random.chance(60)});
        if random.chance(40) {
            options["where"] = predicate(random);
        }
        stages.push(stage("filter", options));
    }
    let mut plan = "p";
    if random.chance(30) {
        let by = json!(["day", "device"]);
        let by = if random.chance(90) { by } else { json!([]) };
        let label = if random.chance(90) { "merge" } else { "keep" };
        let options = json!({"plan": "p", "by": by, "visibility": label, "as": "r"});
        stages.push(stage("roll-up", options));
        plan = "r";
    }
    let keys = random.chance(50);
    let by: Vec<&str> = FIELDS
        .iter()
        .copied()
        .filter(|field| random.chance(if keys && *field != "day" { 6 } else { 18 }))
        .collect();
    stages.push(stage(
        "summarise",
        json!({"plan": plan, "by": by, "measures": measures(random)}),
    ));
    stages
}

fn view(random: &mut Random) -> View {
    match random.below(4) {
        0 => View::All,
        1 => View::Of(Authorizations::default()),
        _ => View::Of(Authorizations::new([b"p".as_slice(), b"q"]).unwrap()),
    }
}

fn ranges(random: &mut Random) -> Vec<Range> {
    if random.chance(70) {
        return vec![Range::default()];
    }
    let row = |random: &mut Random| {
        let row = *random.pick(&["A", "B", "ab", "u1", "u3", "zebra"]);
        Some(Key::leading(row.as_bytes(), b"", b"", b""))
    };
    vec![
        Range {
            end: row(random),
            end_inclusive: random.chance(50),
            ..Range::default()
        },
        Range {
            start: row(random),
            start_inclusive: random.chance(50),
            ..Range::default()
        },
    ]
}

#[derive(Default)]
struct Seen {
    coded: u64,
    elements: u64,
    finished: u64,
    /// Finished with a roll-up over labels.
    merged: u64,
    left: u64,
}

fn try_many(seeds: std::ops::Range<u64>, deletes: bool, odd: bool) -> Seen {
    let mut seen = Seen::default();
    for seed in seeds {
        let mut random = Random(seed);
        let fixture = Fixture::new(if random.chance(50) { 300 } else { 3000 });
        let sound = Fixture::new(3000);
        let plain = random.chance(50);
        let names = 3 + random.below(20) as usize;
        for batch in 0..3 {
            let count = 5 + random.below(60) as usize;
            let mut cells = Byte {
                random: &mut random,
                names,
                plain,
            }
            .elements(count);
            if random.chance(10) {
                let at = random.below(cells.len() as u64) as usize;
                cells[at].key.visibility = b"((broken".to_vec();
            }
            if deletes {
                for cell in &mut cells {
                    if random.chance(10) {
                        cell.key.deleted = true;
                        cell.value.clear();
                    }
                }
            }
            let mut fitting = cells.clone();
            if odd && random.chance(40) {
                let at = random.below(cells.len() as u64) as usize;
                fitting.remove(at);
                let cell = &mut cells[at];
                match random.below(4) {
                    0 => cell.key.row.push(b'x'),
                    1 => cell.key.qualifier.push(b'x'),
                    2 => cell.value = b"\x07".to_vec(),
                    _ => cell.key.row = b"\xff\x00\x02\x00u\x00\x02".to_vec(),
                }
            }
            fixture.write(&cells);
            sound.write(&fitting);
            if batch == 0 || random.chance(20) {
                fixture.merge();
                sound.merge();
            }
        }
        let (input, sound) = (fixture.input(), sound.input());
        for _ in 0..12 {
            let mut spec = Spec {
                ranges: ranges(&mut random),
                view: view(&mut random),
                stages: stages(&mut random),
                ..Spec::default()
            };
            if random.chance(20) {
                spec.columns = vec![(b"calls".to_vec(), None), (b"stranger".to_vec(), None)];
            }
            let mut own = plan("byte-entity");
            spec.plans.insert("whole".into(), own.clone());
            if random.chance(50) {
                // As a scan of some groups has it.
                let groups = own["groups"].as_object_mut().unwrap();
                groups.retain(|name, _| name == "calls");
            }
            spec.plans.insert("p".into(), own);
            let ran = compare_cells(&input, &spec, odd.then_some(&sound));
            if ran.finished && spec.stages.iter().any(|one| one.name == "roll-up") {
                seen.merged += 1;
            }
            seen.coded += ran.coded;
            seen.elements += ran.elements;
            seen.finished += u64::from(ran.finished);
            seen.left += u64::from(ran.taken && !ran.finished);
        }
    }
    seen
}

#[test]
fn random_stacks_over_sound_tables_give_the_same_cells() {
    let seen = try_many(0..40, false, false);
    assert!(seen.finished > 100, "only {} finished", seen.finished);
    assert!(seen.merged > 10, "only {} merged labels", seen.merged);
    assert!(
        seen.coded > 100 && seen.elements > 100,
        "{} blocks by code, {} by element",
        seen.coded,
        seen.elements
    );
}

#[test]
fn predicates_and_measures_over_values_give_the_same_cells() {
    let predicates = [
        json!({"op": "lt", "field": "source", "other": "destination"}),
        json!({"op": "regex", "field": "device", "pattern": "[a-m]*"}),
        json!({"op": "substring", "field": "source", "value": "U", "ignore_case": true}),
        json!({"op": "contains", "field": "places", "value": "a"}),
        json!({"op": "length", "field": "places", "compare": "ge", "size": 2}),
        json!({"op": "age-off", "field": "timestamp", "ttl": -3}),
    ];
    let measures = json!([
        {"name": "n", "aggregate": "count"},
        {"name": "f", "aggregate": "frequency-map", "field": "source"},
        {"name": "w", "aggregate": {"name": "time-series", "bucket": "week"}, "field": "day"},
        {"name": "b", "aggregate": {"name": "top-n", "n": 2}, "field": "count"},
        {"name": "l", "aggregate": "list", "field": "device"},
        {"name": "p", "aggregate": "product", "field": "count"},
    ]);
    let mut taken = 0;
    for seed in 300..306 {
        let mut random = Random(seed);
        let fixture = Fixture::new(300);
        for _ in 0..2 {
            let names = 3 + random.below(20) as usize;
            let mut byte = Byte {
                random: &mut random,
                names,
                plain: false,
            };
            fixture.write(&byte.elements(40));
            fixture.merge();
        }
        let input = fixture.input();
        for asked in &predicates {
            for by in [vec![], vec!["day"], vec!["source"]] {
                let mut spec = Spec {
                    view: View::All,
                    stages: vec![
                        stage("aggregate", json!({"plan": "p"})),
                        stage("filter", json!({"plan": "p", "where": asked})),
                        stage(
                            "summarise",
                            json!({"plan": "p", "by": by, "measures": measures}),
                        ),
                    ],
                    ..Spec::default()
                };
                spec.plans.insert("p".into(), plan("byte-entity"));
                taken += u64::from(compare(&input, &spec).taken);
                // Without the stage that combines, values are asked too.
                spec.stages.remove(0);
                taken += u64::from(compare(&input, &spec).taken);
            }
        }
    }
    assert!(taken > 0);
}

#[test]
fn delete_markers_are_left_to_the_stages() {
    let seen = try_many(100..120, true, false);
    assert!(seen.left > 20, "only {} were left", seen.left);
}

#[test]
fn cells_that_do_not_fit_give_the_same_errors() {
    let seen = try_many(200..225, false, true);
    assert!(seen.finished > 0 && seen.left > 0);
}
