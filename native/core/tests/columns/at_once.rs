//! Tables that are read in one walk over each block, with numbers and labels for which that is made and others.

use lexigraph_core::cells::{Cell, Key};
use lexigraph_core::codec::{Codec, Value as Decoded};
use lexigraph_core::scan::Spec;
use lexigraph_core::stages::StageSpec;
use lexigraph_core::visibility::{Authorizations, View};
use serde_json::{json, Value};

use crate::support::{compare, plan, tagged, value_of, Fixture, Random};

/// The plan of calls alone.
fn calls() -> Value {
    let mut plan = plan("byte-entity");
    let groups = plan["groups"].as_object_mut().unwrap();
    groups.retain(|name, _| name == "calls");
    plan
}

/// Calls at one time, under some labels, each with a count out of these.
fn cells(random: &mut Random, names: u64, labels: u64, counts: &[i64]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for _ in 0..1000 {
        let (from, to) = (random.below(names), random.below(names));
        let mut qualifier = Vec::new();
        let day = Decoded::Date(20_000 + random.below(10) as i32);
        Codec::Date.encode_key(&day, &mut qualifier).unwrap();
        qualifier.push(1);
        let number = Decoded::int(*random.pick(counts));
        let value = tagged(&[(1, value_of(&Codec::Int, &number))]);
        let label = format!("l{}", random.below(labels)).into_bytes();
        for (first, flag, second) in [(from, 2u8, to), (to, 3, from)] {
            let row = format!("u{first}\0{0}\0u{second}\0{0}", flag as char);
            let key = Key {
                row: row.into_bytes(),
                family: b"calls".to_vec(),
                qualifier: qualifier.clone(),
                visibility: label.clone(),
                timestamp: 7,
                deleted: false,
            };
            let value = value.clone();
            cells.push(Cell { key, value });
        }
    }
    cells
}

fn stages(random: &mut Random) -> Vec<StageSpec> {
    let stage = |name: &str, options, priority| StageSpec {
        name: name.into(),
        options,
        priority: Some(priority),
    };
    let mut stages = Vec::new();
    if random.chance(70) {
        stages.push(stage("aggregate", json!({"plan": "c"}), 40));
    }
    if random.chance(80) {
        let once = random.chance(80);
        stages.push(stage("filter", json!({"plan": "c", "once": once}), 50));
    }
    let mut plan = "c";
    if random.chance(50) {
        let options =
            json!({"plan": "c", "by": ["day", "device"], "visibility": "merge", "as": "rolled"});
        stages.push(stage("roll-up", options, 60));
        plan = "rolled";
    }
    let by = [json!(["day"]), json!([]), json!(["day", "matched"])];
    let by = random.pick(&by);
    let measures = [
        json!({"name": "n", "aggregate": "count"}),
        json!({"name": "c", "aggregate": "sum", "field": "count"}),
    ];
    let measures = match random.below(4) {
        0 => json!(&measures[..1]),
        1 => json!(&measures[1..]),
        _ => json!(&measures),
    };
    let options = json!({"plan": plan, "by": by, "measures": measures});
    stages.push(stage("summarise", options, 90));
    stages
}

fn view(random: &mut Random, labels: u64) -> View {
    if random.chance(20) {
        return View::All;
    }
    let held: Vec<Vec<u8>> = (0..labels)
        .filter(|_| random.chance(60))
        .map(|label| format!("l{label}").into_bytes())
        .collect();
    View::Of(Authorizations::new(held.iter().map(Vec::as_slice)).unwrap())
}

#[test]
fn one_walk_gives_the_cells_of_the_stages() {
    let wide: Vec<i64> = (0..900).collect();
    let counts_of: [&[i64]; 7] = [
        &wide,
        &[1],
        &[0, 1, 255, 256, 65_536, 16_777_216, 4_294_967_295],
        &[3, 4_294_967_296],
        &[-5, 12, 900],
        &[i64::MIN, i64::MAX, 0, -1],
        &[7, 8, 9],
    ];
    let mut walked = Vec::new();
    for (seed, counts) in (0..3 * counts_of.len()).zip(counts_of.iter().cycle()) {
        let mut random = Random(1000 + seed as u64);
        let fixture = Fixture::new(if random.chance(30) { 1500 } else { 6000 });
        let labels = [1, 3, 250][seed / counts_of.len()];
        // Many pairs of vertices once, or few of them on several days.
        let names = [500, 12][seed % 2];
        let is_small = |count: &i64| (0..1 << 32).contains(count);
        let mut walks = 0;
        fixture.write(&cells(&mut random, names, labels, counts));
        fixture.merge();
        let input = fixture.input();
        for _ in 0..6 {
            let mut spec = Spec {
                view: view(&mut random, labels),
                stages: stages(&mut random),
                ..Spec::default()
            };
            spec.plans.insert("c".into(), calls());
            let ran = compare(&input, &spec);
            walks += ran.at_once;
        }
        // With very many labels, these few blocks have combinations each that none before had.
        if names == 500 && labels < 250 && counts.iter().all(is_small) {
            walked.push(walks);
        }
    }
    assert!(walked.len() > 3 && !walked.contains(&0), "{walked:?}");
}
