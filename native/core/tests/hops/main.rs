//! Expansion along edges gives what following the edges of plain scans gives.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod cells;
#[path = "../common/mod.rs"]
mod common;
#[path = "../columns/support.rs"]
#[allow(dead_code)]
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lexigraph_core::cells::{BytesColumn, Cell};
use lexigraph_core::codec::{Codec, Value};
use lexigraph_core::hops::{Direction, EdgeReader, Follow, Found, Reach};
use lexigraph_core::scan::{Input, Spec};
use lexigraph_core::stages::StageSpec;
use lexigraph_core::tree::Watch;
use lexigraph_core::visibility::{Authorizations, View};
use lexigraph_core::Result;
use serde_json::{json, Value as Json};

use support::{plan, run, Byte, Fixture, Random};

fn spec(view: View, stages: &[Json]) -> Spec {
    let mut spec = Spec {
        view,
        stages: stages
            .iter()
            .map(|one| StageSpec::from_json(one).unwrap())
            .collect(),
        ..Spec::default()
    };
    spec.plans.insert("p".into(), plan("byte-entity"));
    spec
}

type Edges = BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>>;

/// Who is next to whom, by a scan of everything through the stages.
fn edges(
    input: &Input,
    spec: &Spec,
    direction: Direction,
    groups: Option<&[String]>,
) -> Result<Edges> {
    let mut spec = spec.clone();
    spec.stages.push(
        StageSpec::from_json(&json!({"name": "decode", "options": {"plan": "p",
            "fields": ["kind", "group", "source", "destination", "directed", "matched"]}}))
        .unwrap(),
    );
    let mut edges = Edges::new();
    for cell in run(input, &spec, true, 1).0? {
        let Value::Tuple(fields) = Codec::Any.decode_value(&cell.value).unwrap() else {
            panic!("no tuple");
        };
        let [Value::Str(kind), Value::Str(group), source, destination, directed, matched] =
            &fields[..]
        else {
            panic!("other fields");
        };
        if kind != "edge" || groups.is_some_and(|groups| !groups.contains(group)) {
            continue;
        }
        let (Value::Str(source), Value::Str(destination), Value::Str(matched)) =
            (source, destination, matched)
        else {
            panic!("an end is no text");
        };
        // One of an edge's two rows may be gone: each tells of the end that it starts with.
        let (from, to, asked) = match matched == "source" {
            true => (source, destination, Direction::Out),
            false => (destination, source, Direction::In),
        };
        let undirected = *directed == Value::Bool(false);
        if undirected || direction == Direction::Both || direction == asked {
            let to = to.clone().into_bytes();
            let near = edges.entry(from.clone().into_bytes()).or_default();
            near.insert(to);
        }
    }
    Ok(edges)
}

/// The vertices of the last hop, or of all.
fn follow(edges: &Edges, seeds: &[Vec<u8>], hops: usize, within: bool) -> Vec<Vec<u8>> {
    let mut seen: BTreeSet<Vec<u8>> = seeds.iter().cloned().collect();
    let mut frontier = seen.clone();
    let mut all = BTreeSet::new();
    for _ in 0..hops {
        let near = frontier
            .iter()
            .filter_map(|vertex| edges.get(vertex))
            .flatten();
        let next: BTreeSet<Vec<u8>> = near.filter(|one| !seen.contains(*one)).cloned().collect();
        seen.extend(next.iter().cloned());
        all.extend(next.iter().cloned());
        frontier = next;
    }
    if within {
        return all.into_iter().collect();
    }
    match hops {
        0 => Vec::new(),
        _ => frontier.into_iter().collect(),
    }
}

fn reader(spec: &Spec, direction: Direction, groups: Option<&[String]>) -> EdgeReader {
    EdgeReader::new(Follow {
        spec: spec.clone(),
        plan: "p".into(),
        direction,
        groups: groups.map(<[String]>::to_vec),
    })
}

fn found(
    input: &Input,
    reader: &EdgeReader,
    reach: &Reach<'_>,
    threads: usize,
) -> Result<(Vec<Vec<u8>>, Found)> {
    let found = reader.expand(input, reach, threads, &Arc::new(Watch::default()))?;
    let vertices = listed(&found.vertices);
    Ok((vertices, found))
}

/// One hop from some seeds.
fn near(input: &Input, reader: &EdgeReader, seeds: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
    let reach = Reach {
        seeds,
        hops: 1,
        within: false,
    };
    found(input, reader, &reach, 2).map(|found| found.0)
}

fn listed(vertices: &BytesColumn) -> Vec<Vec<u8>> {
    let view = vertices.view();
    (0..view.len()).map(|at| view.get(at).to_vec()).collect()
}

fn graph(random: &mut Random, fixture: &Fixture, deletes: u64) {
    let plain = random.chance(50);
    let names = 6 + random.below(60) as usize;
    for batch in 0..3 {
        let mut byte = Byte {
            random: &mut *random,
            names,
            plain,
        };
        let mut cells: Vec<Cell> = byte.elements(60);
        for cell in &mut cells {
            if random.chance(deletes) {
                cell.key.deleted = true;
                cell.value.clear();
            }
        }
        fixture.write(&cells);
        if batch == 0 {
            fixture.merge();
        }
    }
}

#[test]
fn random_graphs_are_walked_as_scans_see_them() {
    let (mut fast, mut staged, mut most) = (0, 0, 0);
    for seed in 0..40 {
        let mut random = Random(seed);
        let fixture = Fixture::new(if random.chance(50) { 300 } else { 2000 });
        let deletes = if random.chance(50) { 3 } else { 0 };
        graph(&mut random, &fixture, deletes);
        let input = fixture.input();
        for _ in 0..8 {
            let view = match random.below(3) {
                0 => View::All,
                _ => View::Of(Authorizations::new([b"p".as_slice(), b"q"]).unwrap()),
            };
            let stages = random.pick(&[
                vec![],
                vec![json!({"name": "versions", "options": {"max": 1}})],
                vec![json!({"name": "aggregate", "options": {"plan": "p"}})],
                vec![json!({"name": "filter", "options": {"plan": "p", "where": {"op": "exists", "field": "device"}}})],
                vec![json!({"name": "filter", "options": {"plan": "p", "where": {"op": "eq", "field": "visibility", "value": "p"}}})],
                vec![json!({"name": "filter", "options": {"plan": "p", "where": {"op": "gt", "field": "count", "value": {"hex": "8110"}}}})],
            ]).clone();
            let spec = spec(view, &stages);
            let direction = *random.pick(&[Direction::Out, Direction::In, Direction::Both]);
            let groups = vec!["calls".to_owned()];
            let groups = random.chance(30).then_some(groups.as_slice());
            let known = edges(&input, &spec, direction, groups);
            let seeds = [
                b"A".to_vec(),
                b"u1".to_vec(),
                "\u{e9}t\u{e9}".as_bytes().to_vec(),
                b"a\0b".to_vec(),
            ];
            let seeds = &seeds[..1 + random.below(4) as usize];
            let hops = random.below(4) as usize;
            let within = random.chance(30);
            let known = known.unwrap();
            let reach = Reach {
                seeds,
                hops,
                within,
            };
            let reader = reader(&spec, direction, groups);
            let expected = follow(&known, seeds, hops, within);
            let next = seeds.iter().filter_map(|seed| known.get(seed)).flatten();
            let next: BTreeSet<Vec<u8>> = next.cloned().collect();
            for threads in [1, 2] {
                let watch = Arc::new(Watch::default());
                let neighbours = reader.neighbours(&input, seeds, threads, &watch).unwrap();
                assert_eq!(
                    listed(&neighbours),
                    next.iter().cloned().collect::<Vec<_>>()
                );
                let (near, far) = reader.pairs(&input, seeds, threads, &watch).unwrap();
                let mut expected_pairs = Vec::new();
                for seed in seeds.iter().collect::<BTreeSet<_>>() {
                    for end in known.get(seed).into_iter().flatten() {
                        expected_pairs.push((seed.clone(), end.clone()));
                    }
                }
                let pairs = listed(&near).into_iter().zip(listed(&far));
                assert_eq!(pairs.collect::<Vec<_>>(), expected_pairs);
                let all: Vec<Vec<u8>> = known.keys().cloned().collect();
                let (near, far) = reader.pairs(&input, &all, threads, &watch).unwrap();
                let pairs = listed(&near).into_iter().zip(listed(&far));
                let each = |(from, to): (&Vec<u8>, &BTreeSet<Vec<u8>>)| {
                    let from = from.clone();
                    let pair = move |end: &Vec<u8>| (from.clone(), end.clone());
                    to.iter().map(pair).collect::<Vec<_>>()
                };
                let expected_pairs: Vec<_> = known.iter().flat_map(each).collect();
                assert_eq!(pairs.collect::<Vec<_>>(), expected_pairs);
                most = most.max(all.len());
                let (vertices, found) = found(&input, &reader, &reach, threads).unwrap();
                assert_eq!(
                    vertices, expected,
                    "seed {seed}, {hops} hops, {direction:?}, {stages:?}"
                );
                staged += found.staged;
                fast += found.expanded - found.staged;
            }
        }
    }
    assert!(
        fast > 500 && staged > 100 && most > 16,
        "{fast} fast, {staged} by the stages, {most} at once"
    );
}

#[test]
fn an_edge_whose_cells_are_all_deleted_is_not_there() {
    let fixture = Fixture::new(500);
    let row = b"A\x00\x02\x00B\x00\x02";
    let mut cell = Byte {
        random: &mut Random(1),
        names: 3,
        plain: true,
    }
    .elements(20)
    .into_iter()
    .find(|cell| cell.key.family == b"calls")
    .unwrap();
    cell.key.row = row.to_vec();
    cell.key.visibility = Vec::new();
    fixture.write(&[cell.clone()]);
    fixture.merge();
    let spec = spec(View::All, &[]);
    let seeds = [b"A".to_vec()];
    let asked = reader(&spec, Direction::Out, None);
    let input = fixture.input();
    assert_eq!(near(&input, &asked, &seeds).unwrap(), [b"B".to_vec()]);
    let hidden = Spec {
        view: View::Of(Authorizations::default()),
        default_visibility: Some(b"secret".to_vec()),
        ..spec.clone()
    };
    let unseen = reader(&hidden, Direction::Out, None);
    assert!(near(&input, &unseen, &seeds).unwrap().is_empty());
    cell.key.deleted = true;
    cell.key.timestamp += 1;
    fixture.write(&[cell]);
    // The same reader sees what came later.
    assert!(near(&fixture.input(), &asked, &seeds).unwrap().is_empty());
}

#[test]
fn a_plan_whose_rows_do_not_start_with_an_end_is_refused() {
    let fixture = Fixture::new(500);
    let mut spec = spec(View::All, &[]);
    let mut sharded = plan("byte-entity");
    for shape in sharded["rows"].as_array_mut().unwrap() {
        let shard = json!({"field": "shard", "codec": "int8", "form": "part"});
        shape["parts"].as_array_mut().unwrap().insert(0, shard);
    }
    spec.plans.insert("p".into(), sharded);
    let reader = reader(&spec, Direction::Out, None);
    let error = near(&fixture.input(), &reader, &[]).unwrap_err();
    assert!(error.to_string().contains("escaped end"), "{error}");
}

#[test]
fn a_filter_that_names_a_wrong_field_is_refused_without_seeds_too() {
    let fixture = Fixture::new(500);
    let filter = json!({"name": "filter", "options": {"plan": "p", "where": {"op": "exists", "field": "devise"}}});
    let spec = spec(View::All, &[filter]);
    for seeds in [vec![], vec![b"A".to_vec()]] {
        let reader = reader(&spec, Direction::Out, None);
        let error = near(&fixture.input(), &reader, &seeds).unwrap_err();
        assert!(error.to_string().contains("devise"), "{error}");
    }
}
