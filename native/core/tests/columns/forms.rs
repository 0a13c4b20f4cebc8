//! Where the column path runs, and how.

use lexigraph_core::cells::{Cell, Key};
use lexigraph_core::codec::{Codec, Value};
use lexigraph_core::scan::Spec;
use lexigraph_core::stages::StageSpec;
use lexigraph_core::visibility::{Authorizations, View};
use serde_json::json;

use crate::support::{compare, plan, run, value_of, Byte, Fixture, Random};

fn spec(plan_name: &str, stages: serde_json::Value) -> Spec {
    let stages = stages.as_array().unwrap().iter();
    let mut spec = Spec {
        view: View::Of(Authorizations::new([b"p".as_slice()]).unwrap()),
        stages: stages
            .map(|one| StageSpec::from_json(one).unwrap())
            .collect(),
        ..Spec::default()
    };
    spec.plans.insert("p".into(), plan(plan_name));
    spec
}

fn sums_by_day() -> Spec {
    let stages = json!([
        {"name": "aggregate", "options": {"plan": "p"}},
        {"name": "filter", "options": {"plan": "p", "where": {"calls": {"op": "and", "of": []}}, "once": true}},
        {"name": "summarise", "options": {"plan": "p", "by": ["day"], "measures": [
            {"name": "n", "aggregate": "count"}, {"name": "c", "aggregate": "sum", "field": "count"}]}},
    ]);
    spec("byte-entity", stages)
}

fn plain(seed: u64, count: usize) -> Vec<Cell> {
    let mut random = Random(seed);
    let mut byte = Byte {
        random: &mut random,
        names: 40,
        plain: true,
    };
    byte.elements(count)
}

#[test]
fn sums_by_a_qualifier_are_made_by_code_also_with_a_delta() {
    let fixture = Fixture::new(2000);
    fixture.write(&plain(1, 2000));
    fixture.merge();
    let ran = compare(&fixture.input(), &sums_by_day());
    assert!(
        ran.finished && ran.coded > 10 && ran.elements == 0,
        "{ran:?}"
    );
    // Elements of the base again, so that columns have versions in both trees.
    fixture.write(&plain(1, 300));
    fixture.write(&plain(2, 300));
    let ran = compare(&fixture.input(), &sums_by_day());
    assert!(
        ran.finished && ran.coded > 10 && ran.elements == 0,
        "{ran:?}"
    );
}

#[test]
fn the_delta_may_be_the_larger_tree() {
    let fixture = Fixture::new(500);
    fixture.write(&plain(1, 50));
    fixture.merge();
    fixture.write(&plain(1, 600));
    let ran = compare(&fixture.input(), &sums_by_day());
    assert!(ran.finished, "{ran:?}");
    let mut newest = sums_by_day();
    newest.stages.push(StageSpec {
        name: "versions".into(),
        options: json!({"max": 1}),
        priority: None,
    });
    compare(&fixture.input(), &newest);
}

#[test]
fn several_runs_give_what_the_stages_give() {
    let fixture = Fixture::new(2000);
    fixture.write(&plain(1, 2000));
    fixture.merge();
    for seed in 1..4 {
        fixture.write(&plain(seed, 1500));
    }
    // Counting tells versions apart, which is done in two trees only.
    assert!(!compare(&fixture.input(), &sums_by_day()).finished);
    let mut sums = sums_by_day();
    for stage in &mut sums.stages {
        if let Some(measures) = stage.options.get_mut("measures") {
            *measures = json!([{"name": "c", "aggregate": "sum", "field": "count"}]);
        }
    }
    let ran = compare(&fixture.input(), &sums);
    assert!(ran.finished && ran.coded > 10, "{ran:?}");
}

#[test]
fn many_versions_of_one_column_cross_blocks() {
    let fixture = Fixture::new(300);
    let mut cells = Vec::new();
    for time in 0..200 {
        let mut cell = plain(3, 30)
            .into_iter()
            .find(|cell| cell.key.family == b"calls")
            .unwrap();
        cell.key.timestamp = time;
        cell.value = [
            &[1, 1, 2][..],
            &value_of(&Codec::Int, &Value::int(1 + time % 100)),
        ]
        .concat();
        cells.push(cell);
    }
    fixture.write(&cells);
    fixture.merge();
    let ran = compare(&fixture.input(), &sums_by_day());
    assert!(ran.finished, "{ran:?}");
    for cell in &mut cells {
        cell.key.timestamp += 100;
    }
    fixture.write(&cells[..150]);
    let ran = compare(&fixture.input(), &sums_by_day());
    assert!(ran.finished, "{ran:?}");
    let mut newest = sums_by_day();
    newest.stages.insert(
        0,
        StageSpec::from_json(&json!({"name": "versions"})).unwrap(),
    );
    compare(&fixture.input(), &newest);
}

#[test]
fn blocks_of_which_nothing_is_visible_are_passed_over() {
    let fixture = Fixture::new(500);
    let mut cells = plain(4, 400);
    for cell in &mut cells {
        cell.key.visibility = b"secret".to_vec();
    }
    fixture.write(&cells);
    let (found, ran) = run(&fixture.input(), &sums_by_day(), false, 2);
    assert_eq!(found, Ok(Vec::new()));
    assert!(ran.finished && ran.skipped > 5 && ran.coded == 0, "{ran:?}");
}

#[test]
fn one_delete_marker_leaves_the_scan_to_the_stages() {
    let fixture = Fixture::new(500);
    let mut cells = plain(5, 400);
    fixture.write(&cells);
    fixture.merge();
    cells.truncate(1);
    cells[0].key.deleted = true;
    cells[0].key.timestamp = 9;
    fixture.write(&cells);
    let ran = compare(&fixture.input(), &sums_by_day());
    assert!(ran.taken && !ran.finished, "{ran:?}");
}

#[test]
fn other_stages_are_not_taken() {
    let fixture = Fixture::new(500);
    fixture.write(&plain(6, 100));
    let mut sampled = sums_by_day();
    sampled
        .stages
        .push(StageSpec::from_json(&json!({"name": "sample", "options": {"modulus": 2}})).unwrap());
    let ran = compare(&fixture.input(), &sampled);
    assert!(!ran.taken, "{ran:?}");
}

fn classic(count: u64) -> Vec<Cell> {
    let mut random = Random(7);
    let mut cells = Vec::new();
    let key = |codec: &Codec, value: &Value| {
        let mut out = Vec::new();
        codec.encode_key(value, &mut out).unwrap();
        out
    };
    for _ in 0..count {
        let mut end = || {
            let plain = key(&Codec::Int64, &Value::Int64(random.below(20) as i64 - 3));
            let mut out = Vec::new();
            lexigraph_core::codec::escape::escape(&plain, &mut out);
            out
        };
        let (a, b) = (end(), end());
        let flags = *random.pick(&[[2u8, 3], [1, 1]]);
        let moment = |micros| key(&Codec::NaiveDatetime, &Value::NaiveDatetime(micros));
        let start = random.below(3) as i64;
        let qualifier = [moment(start), moment(start + 1)].concat();
        let mut value = vec![1, 1, 2];
        value.extend(value_of(
            &Codec::Int,
            &Value::int(1 + random.below(90) as i64),
        ));
        for (first, second, flag) in [(&a, &b, flags[0]), (&b, &a, flags[1])] {
            cells.push(Cell {
                key: Key {
                    row: [first, &[0][..], second, &[0, flag]].concat(),
                    family: b"road-use".to_vec(),
                    qualifier: qualifier.clone(),
                    timestamp: start,
                    ..Key::default()
                },
                value: value.clone(),
            });
        }
    }
    cells
}

#[test]
fn the_classic_plan_is_read_by_code_with_its_undirected_edges() {
    let fixture = Fixture::new(600);
    fixture.write(&classic(300));
    fixture.merge();
    fixture.write(&classic(100));
    for once in [true, false] {
        let stages = json!([
            {"name": "aggregate", "options": {"plan": "p"}},
            {"name": "filter", "options": {"plan": "p", "once": once}},
            {"name": "summarise", "options": {"plan": "p", "by": ["start", "matched", "directed"], "measures": [
                {"name": "n", "aggregate": "count"}, {"name": "c", "aggregate": "sum", "field": "count"},
                {"name": "f", "aggregate": "max", "field": "fastest"}]}},
        ]);
        let ran = compare(&fixture.input(), &spec("classic", stages));
        assert!(ran.finished && ran.coded > 0, "{ran:?}");
    }
}

#[test]
fn a_plan_of_ones_own_whose_shape_names_the_group() {
    let mut random = Random(8);
    let mut cells = Vec::new();
    for _ in 0..300 {
        let mut row = vec![0x80 + random.below(4) as u8];
        row.extend(format!("host{}\0", random.below(9)).bytes());
        let mut day = Vec::new();
        Codec::Date
            .encode_key(&Value::Date(random.below(3) as i32), &mut day)
            .unwrap();
        row.extend(day.iter().map(|byte| !byte));
        let mut qualifier = match random.below(3) {
            0 => vec![0],
            other => vec![1, 0x80, 200 + other as u8],
        };
        qualifier.extend(format!("/{}", random.below(3)).bytes());
        cells.push(Cell {
            key: Key {
                row,
                family: b"hits".to_vec(),
                qualifier,
                ..Key::default()
            },
            value: value_of(&Codec::Int, &Value::int(random.below(500) as i64)),
        });
    }
    let fixture = Fixture::new(600);
    fixture.write(&cells);
    fixture.merge();
    fixture.write(&cells[..50]);
    for by in [
        json!(["status"]),
        json!(["path", "status"]),
        json!(["day"]),
        json!([]),
    ] {
        let stages = json!([
            {"name": "aggregate", "options": {"plan": "p"}},
            {"name": "summarise", "options": {"plan": "p", "by": by, "measures": [
                {"name": "n", "aggregate": "count"}, {"name": "c", "aggregate": "sum", "field": "count"}]}},
        ]);
        let ran = compare(&fixture.input(), &spec("web-hits", stages));
        assert!(ran.finished, "{ran:?}");
        assert_eq!(by == json!(["day"]), ran.coded == 0, "{ran:?}");
    }
}
