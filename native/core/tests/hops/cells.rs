//! Ends that are found in cells of elsewhere are those that the engine finds, wherever the cells are cut.

use std::sync::Arc;

use lexigraph_core::cells::{Cell, CellColumns};
use lexigraph_core::frames::{Asked, Decoder};
use lexigraph_core::hops::{CellWays, Direction};
use lexigraph_core::plan::Plan;
use lexigraph_core::tree::Watch;
use lexigraph_core::visibility::View;
use lexigraph_core::Error;
use serde_json::json;

use crate::support::{plan, run, Fixture, Random};
use crate::{graph, listed, reader, spec};

fn columns(cells: &[Cell]) -> CellColumns {
    let mut columns = CellColumns::default();
    cells.iter().for_each(|cell| columns.push(&cell.as_ref()));
    columns
}

#[test]
fn ends_in_cells_are_those_that_the_engine_finds() {
    let parsed = Arc::new(Plan::parse(&plan("byte-entity"), "p").unwrap());
    for seed in 0..20 {
        let mut random = Random(seed);
        let fixture = Fixture::new(300);
        graph(&mut random, &fixture, 3);
        let (input, spec) = (fixture.input(), spec(View::All, &[]));
        let cells = run(&input, &spec, true, 1).0.unwrap();
        let seeds = [b"A".to_vec(), b"u1".to_vec(), b"a\0b".to_vec()];
        for direction in [Direction::Out, Direction::In, Direction::Both] {
            for groups in [None, Some(["calls".to_owned()])] {
                let groups = groups.as_ref().map(|groups| groups.as_slice());
                let engine = reader(&spec, direction, groups);
                let watch = Arc::new(Watch::default());
                let near = engine.neighbours(&input, &seeds, 1, &watch).unwrap();
                let pairs = engine.pairs(&input, &seeds, 1, &watch).unwrap();
                let ways = CellWays::new(Arc::clone(&parsed), direction, groups).unwrap();
                let cut = random.below(cells.len() as u64 + 1) as usize;
                let mut ends = ways.follow(seeds.clone()).unwrap();
                for part in [&cells[..cut], &cells[cut..]] {
                    let part = columns(part);
                    ends.add(part.view()).unwrap();
                    ends.add_pairs(part.view()).unwrap();
                }
                assert_eq!(listed(&ends.take()), listed(&near));
                let found = ends.take_pairs();
                assert_eq!(listed(&found.0), listed(&pairs.0));
                assert_eq!(listed(&found.1), listed(&pairs.1));
                assert!(listed(&ends.take()).is_empty());
            }
        }
    }
}

#[test]
fn groups_and_vertices_that_are_none_are_refused() {
    let parsed = Arc::new(Plan::parse(&plan("byte-entity"), "p").unwrap());
    let wrong = CellWays::new(parsed.clone(), Direction::Out, Some(&["cals".to_owned()]));
    assert!(matches!(wrong, Err(Error::GroupNotFound(_))));
    let ways = CellWays::new(parsed, Direction::Out, None).unwrap();
    assert!(ways.follow([vec![0xff]]).is_err());
    let sharded = Arc::new(Plan::parse(&plan("web-hits"), "p").unwrap());
    let none = CellWays::new(sharded, Direction::Both, None).unwrap();
    assert!(none.prefixes().is_empty());
}

#[test]
fn rows_do_not_depend_on_where_cells_are_cut() {
    let parsed = Arc::new(Plan::parse(&plan("byte-entity"), "p").unwrap());
    let asked = Asked::from_json(&json!([
        {"name": "source", "kind": "text", "fields": {"calls": "source"}},
        {"name": "to", "kind": "key", "fields": {"calls": "destination", "knows": "destination"}},
        {"name": "count", "kind": "int64", "fields": {"calls": "count", "activity": "count"}},
    ]))
    .unwrap();
    let fixture = Fixture::new(300);
    graph(&mut Random(7), &fixture, 0);
    let cells = run(&fixture.input(), &spec(View::All, &[]), true, 1)
        .0
        .unwrap();
    let mut decoder = Decoder::new(&parsed, &asked, None).unwrap();
    decoder.add(columns(&cells).view()).unwrap();
    let whole = decoder.take().unwrap();
    assert!(whole.rows > 100 && whole.rows <= cells.len());
    for cut in 0..=cells.len() {
        decoder.add(columns(&cells[..cut]).view()).unwrap();
        decoder.add(columns(&cells[cut..]).view()).unwrap();
        let parts = decoder.take().unwrap();
        assert_eq!(format!("{parts:?}"), format!("{whole:?}"));
    }
    let mut broken = cells[0].clone();
    broken.key.row = b"\0".to_vec();
    assert!(decoder
        .add(columns(&[cells[0].clone(), broken]).view())
        .is_err());
    assert_eq!(decoder.rows(), 0);
    assert!(decoder.take().is_none());
    let set = json!([{"name": "p", "kind": "key", "fields": {"activity": "places"}}]);
    let asked = Asked::from_json(&set).unwrap();
    assert!(Decoder::new(&parsed, &asked, None).is_err());
}
