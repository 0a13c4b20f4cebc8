//! Elements whose labels a roll-up merges: the column path counts each once.

use lexigraph_core::scan::Spec;
use lexigraph_core::stages::StageSpec;
use lexigraph_core::visibility::{Authorizations, View};
use serde_json::{json, Value};

use crate::support::{compare, plan, Byte, Fixture, Random};

fn stage(name: &str, options: Value, priority: i64) -> StageSpec {
    StageSpec {
        name: name.into(),
        options,
        priority: Some(priority),
    }
}

/// The plan of calls alone: all groups of a roll-up have the same group-by properties.
fn calls() -> Value {
    let mut plan = plan("byte-entity");
    let groups = plan["groups"].as_object_mut().unwrap();
    groups.retain(|name, _| name == "calls");
    plan
}

fn stages(random: &mut Random) -> Vec<StageSpec> {
    let mut stages = Vec::new();
    if random.chance(70) {
        let of = *random.pick(&["p", "c"]);
        stages.push(stage("aggregate", json!({"plan": of}), 40));
    }
    if random.chance(60) {
        let asked = random
            .pick(&[
                json!({"op": "and", "of": []}),
                json!({"op": "exists", "field": "device"}),
                json!({"op": "eq", "field": "visibility", "value": "p"}),
                json!({"op": "gt", "field": "count", "value": {"hex": "8110"}}),
            ])
            .clone();
        let options = json!({"plan": "c", "where": asked, "once": random.chance(70)});
        stages.push(stage("filter", options, 50));
    }
    let by = match random.chance(85) {
        true => json!(["day", "device"]),
        false => json!(["day"]),
    };
    let labels = if random.chance(90) { "merge" } else { "keep" };
    let options = json!({"plan": "c", "by": by, "visibility": labels, "as": "rolled"});
    stages.push(stage("roll-up", options, 60));
    if random.chance(30) {
        let asked = random
            .pick(&[
                json!({"op": "ge", "field": "day", "value": {"hex": "80004e22"}}),
                json!({"op": "eq", "field": "visibility", "value": "p"}),
            ])
            .clone();
        stages.push(stage(
            "filter",
            json!({"plan": "rolled", "where": asked}),
            70,
        ));
    }
    let by = random
        .pick(&[
            json!([]),
            json!(["day"]),
            json!(["day", "matched"]),
            json!(["visibility"]),
            json!(["source"]),
        ])
        .clone();
    let measures = json!([
        {"name": "n", "aggregate": "count"},
        {"name": "c", "aggregate": "sum", "field": "count"},
        {"name": "l", "aggregate": "max", "field": "longest"},
    ]);
    let options = json!({"plan": "rolled", "by": by, "measures": measures});
    stages.push(stage("summarise", options, 90));
    stages
}

#[test]
fn random_stacks_that_merge_labels_give_the_same_cells() {
    let (mut finished, mut left) = (0, 0);
    for seed in 0..60 {
        let mut random = Random(seed);
        // Small blocks, so that elements go on from one to the next; few names, so that they have many labels.
        let fixture = Fixture::new(if random.chance(70) { 200 } else { 3000 });
        let names = 2 + random.below(6) as usize;
        for batch in 0..2 {
            let mut byte = Byte {
                random: &mut random,
                names,
                plain: true,
            };
            let mut cells = byte.elements(150);
            for cell in &mut cells {
                if random.chance(70) {
                    let labels: [&[u8]; 5] = [b"", b"p", b"q", b"p&q", b"secret"];
                    cell.key.visibility = random.pick(&labels).to_vec();
                }
            }
            fixture.write(&cells);
            if batch == 0 || random.chance(70) {
                fixture.merge();
            }
        }
        let input = fixture.input();
        for _ in 0..10 {
            let mut spec = Spec {
                view: match random.below(5) {
                    0 => View::All,
                    1 => View::Of(Authorizations::default()),
                    _ => View::Of(Authorizations::new([b"p".as_slice(), b"q"]).unwrap()),
                },
                stages: stages(&mut random),
                ..Spec::default()
            };
            spec.plans.insert("p".into(), plan("byte-entity"));
            spec.plans.insert("c".into(), calls());
            let ran = compare(&input, &spec);
            finished += u64::from(ran.finished);
            left += u64::from(ran.taken && !ran.finished);
        }
    }
    assert!(
        finished > 150,
        "{finished} finished, {left} left to the stages"
    );
}
