//! Random histories of two locality groups against two sorted lists.

use std::collections::BTreeSet;

use lexigraph_core::block::Compression;
use lexigraph_core::cells::{Cell, Key, KeyRef, Range};
use lexigraph_core::stages::{build_stack, Families, Fold, Scope, Source, StageContext, StageSpec};
use lexigraph_core::tree::{Durability, Options, Store, Transform};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::*;

#[derive(Debug, Clone)]
enum Step {
    Write(bool, Vec<Cell>),
    Merge(bool, Option<Vec<u8>>, Option<Vec<u8>>),
    /// Merge and drop every cell with an odd timestamp.
    Thin(bool, Option<Vec<u8>>, Option<Vec<u8>>),
    /// Merge by stretches.
    Weave(bool, Option<Vec<u8>>, Option<Vec<u8>>),
    /// Merge by stretches and keep the newest version of each column, unless a delete marker hides it.
    Newest(bool, Option<Vec<u8>>, Option<Vec<u8>>),
    /// Merge by stretches and make one cell of each column that is no `x`, as far as no delete marker hides it: its values
    /// and times, the newest first.
    Fold(bool, Option<Vec<u8>>, Option<Vec<u8>>),
    /// Combine neighbouring runs, by the place of the first and how many.
    Combine(bool, usize, usize, Option<Vec<u8>>, Option<Vec<u8>>),
    Reopen,
}

fn row() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => (0u8..60).prop_map(|number| vec![b'r', number]),
        2 => (0u8..60).prop_map(|number| [&[b'p'; 520][..], &[number]].concat()),
        1 => vec(0u8..3, 0..4),
    ]
}

fn cells() -> impl Strategy<Value = Vec<Cell>> {
    let part = || prop_oneof![Just(vec![]), Just(vec![0]), Just(b"x".to_vec())];
    let value = prop_oneof![
        4 => vec(any::<u8>(), 0..30),
        1 => (9000usize..9100).prop_map(|length| vec![7; length]),
    ];
    let cell = (
        row(),
        part(),
        part(),
        0i64..4,
        prop::bool::weighted(0.1),
        value,
    )
        .prop_map(
            |(row, family, visibility, timestamp, deleted, value)| Cell {
                key: Key {
                    row,
                    family,
                    qualifier: vec![],
                    visibility,
                    timestamp,
                    deleted,
                },
                value,
            },
        );
    // Most commits change a few blocks, some make many.
    let cell = cell.boxed();
    prop_oneof![4 => vec(cell.clone(), 0..60), 1 => vec(cell, 300..600)]
}

fn step() -> impl Strategy<Value = Step> {
    let bound = || prop::option::of(row());
    prop_oneof![
        5 => (any::<bool>(), cells()).prop_map(|(tree, cells)| Step::Write(tree, cells)),
        2 => (any::<bool>(), bound(), bound()).prop_map(|(t, a, b)| Step::Merge(t, a, b)),
        1 => (any::<bool>(), bound(), bound()).prop_map(|(t, a, b)| Step::Thin(t, a, b)),
        2 => (any::<bool>(), bound(), bound()).prop_map(|(t, a, b)| Step::Weave(t, a, b)),
        2 => (any::<bool>(), bound(), bound()).prop_map(|(t, a, b)| Step::Newest(t, a, b)),
        3 => (any::<bool>(), bound(), bound()).prop_map(|(t, a, b)| Step::Fold(t, a, b)),
        2 => (any::<bool>(), 0usize..4, 2usize..6, bound(), bound())
            .prop_map(|(t, first, count, a, b)| Step::Combine(t, first, count, a, b)),
        1 => Just(Step::Reopen),
    ]
}

/// Leaves out cells with odd timestamps.
struct Even(Box<dyn lexigraph_core::stages::Cursor + Send>);

impl Even {
    fn skip(&mut self) -> lexigraph_core::Result<()> {
        while self.0.top().is_some_and(|cell| cell.key.timestamp % 2 == 1) {
            self.0.advance()?;
        }
        Ok(())
    }
}

impl lexigraph_core::stages::Cursor for Even {
    fn seek(&mut self, range: &Range, families: &Families) -> lexigraph_core::Result<()> {
        self.0.seek(range, families)?;
        self.skip()
    }

    fn top(&self) -> Option<lexigraph_core::cells::CellRef<'_>> {
        self.0.top()
    }

    fn advance(&mut self) -> lexigraph_core::Result<()> {
        self.0.advance()?;
        self.skip()
    }

    fn fork(&self) -> Box<dyn lexigraph_core::stages::Cursor + Send> {
        Box::new(Even(self.0.fork()))
    }
}

/// The newest version of each column, as a merge leaves it.
fn newest(cells: Source, _: &Range) -> lexigraph_core::Result<Source> {
    let mut context = StageContext {
        scope: Scope::Full,
        ..StageContext::default()
    };
    let versions = StageSpec {
        name: "versions".into(),
        options: serde_json::json!({ "max": 1 }),
        priority: None,
    };
    build_stack(cells, &[versions], &mut context, &[], b"")
}

/// Values and times of versions, one behind the other; cells of the family `x` stay.
#[derive(Default)]
struct Chain(Vec<u8>);

impl Fold for Chain {
    fn start(&mut self, key: &KeyRef<'_>) -> lexigraph_core::Result<bool> {
        self.0.clear();
        Ok(key.family != b"x")
    }

    fn add(&mut self, value: &[u8], timestamp: i64) -> lexigraph_core::Result<()> {
        self.0.extend_from_slice(value);
        self.0.push(timestamp as u8);
        Ok(())
    }

    fn write(&mut self, out: &mut Vec<u8>) -> lexigraph_core::Result<()> {
        out.extend_from_slice(&self.0);
        Ok(())
    }
}

/// What a merge by `Chain` leaves of sorted cells, and how many cells it counts as (taken, shown, markers, made).
fn chained(cells: &[Cell]) -> (Vec<Cell>, [u64; 4]) {
    let (mut left, mut counts) = (Vec::new(), [0; 4]);
    let column = |cell: &Cell| Key {
        timestamp: 0,
        deleted: false,
        ..cell.key.clone()
    };
    for versions in cells.chunk_by(|left, right| column(left) == column(right)) {
        let shown = versions.iter().take_while(|cell| !cell.key.deleted);
        let shown: Vec<&Cell> = shown.collect();
        counts[0] += (versions.len() - shown.len()) as u64;
        counts[2] += versions.iter().filter(|cell| cell.key.deleted).count() as u64;
        match shown.as_slice() {
            [first, _, ..] if first.key.family != b"x" => {
                let mut chain = Chain::default();
                for cell in &shown {
                    chain.add(&cell.value, cell.key.timestamp).unwrap();
                }
                left.push(Cell {
                    key: first.key.clone(),
                    value: chain.0,
                });
                counts[0] += shown.len() as u64;
                counts[1] += shown.len() as u64;
                counts[3] += 1;
            }
            kept => left.extend(kept.iter().copied().cloned()),
        }
    }
    (left, counts)
}

fn inside(row: &[u8], start: &Option<Vec<u8>>, end: &Option<Vec<u8>>) -> bool {
    start.as_ref().is_none_or(|start| row >= start) && end.as_ref().is_none_or(|end| row < end)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_store_holds_what_a_list_holds(
        steps in vec(step(), 1..20),
        compression in prop_oneof![Just(Compression::Never), Just(Compression::WherePays)],
        own_run in prop_oneof![Just(1), Just(20), Just(1024)],
        ranges in vec((prop::option::of((row(), 0i64..4)), prop::option::of((row(), 0i64..4)), any::<[bool; 3]>()), 3),
    ) {
        let directory = Directory::new();
        let options = || Options { compression, own_run, ..small_blocks() };
        let mut store = Store::open(directory.path(), options()).unwrap();
        let mut models = [Vec::new(), Vec::new()];
        let trees = [TREE, OTHER];
        for step in steps {
            match step {
                Step::Write(tree, cells) => {
                    write(&store, trees[usize::from(tree)], &cells);
                    model_write(&mut models[usize::from(tree)], &cells);
                }
                Step::Merge(tree, start, end) => {
                    merge(&store, trees[usize::from(tree)], start.as_deref(), end.as_deref());
                }
                Step::Thin(tree, start, end) => {
                    let even = |cells| Ok(Box::new(Even(cells)) as Box<_>);
                    let (from, to) = (start.as_deref(), end.as_deref());
                    store.merge_range(trees[usize::from(tree)], from, to, even).unwrap();
                    models[usize::from(tree)].retain(|cell: &Cell| {
                        cell.key.timestamp % 2 == 0 || !inside(&cell.key.row, &start, &end)
                    });
                }
                Step::Weave(tree, start, end) => {
                    let (from, to) = (start.as_deref(), end.as_deref());
                    store.merge_as_is(trees[usize::from(tree)], from, to).unwrap();
                }
                Step::Newest(tree, start, end) => {
                    let own = trees[usize::from(tree)];
                    let mut writer = store.writer().unwrap();
                    let rows = (start.as_deref(), end.as_deref());
                    writer.merge_lone(&[own], rows, &|_| own, Transform::Stages(&newest)).unwrap().unwrap();
                    writer.commit(Durability::Relaxed).unwrap();
                    let mut before: Option<Key> = None;
                    models[usize::from(tree)].retain(|cell: &Cell| {
                        let column = Key { timestamp: 0, deleted: false, ..cell.key.clone() };
                        let first = before.as_ref() != Some(&column);
                        before = Some(column);
                        !inside(&cell.key.row, &start, &end) || first && !cell.key.deleted
                    });
                }
                Step::Fold(tree, start, end) => {
                    let own = trees[usize::from(tree)];
                    let mut writer = store.writer().unwrap();
                    let rows = (start.as_deref(), end.as_deref());
                    let chain = || Box::new(Chain::default()) as Box<dyn Fold>;
                    let chain = Transform::Fold(&chain);
                    let merged = writer.merge_lone(&[own], rows, &|_| own, chain).unwrap().unwrap();
                    writer.commit(Durability::Relaxed).unwrap();
                    let model = &mut models[usize::from(tree)];
                    let (within, beside): (Vec<Cell>, Vec<Cell>) =
                        model.drain(..).partition(|cell| inside(&cell.key.row, &start, &end));
                    let (left, counts) = chained(&within);
                    let folded = merged.folded;
                    prop_assert_eq!([folded.cells, folded.shown, folded.markers, folded.into], counts);
                    prop_assert_eq!(merged.lone + merged.given, left.len() as u64);
                    prop_assert_eq!(merged.lone + folded.cells, within.len() as u64);
                    model.extend(left);
                    model.extend(beside);
                    model.sort_by(|left, right| left.key.cmp(&right.key));
                }
                Step::Combine(tree, first, count, start, end) => {
                    let places = first..first + count;
                    let (from, to) = (start.as_deref(), end.as_deref());
                    store.combine_runs(trees[usize::from(tree)], places, from, to).unwrap();
                }
                Step::Reopen => {
                    drop(store);
                    store = Store::open(directory.path(), options()).unwrap();
                }
            }
            store.verify().unwrap();
        }
        for (tree, model) in trees.iter().zip(&models) {
            prop_assert_eq!(&all(&store, *tree), model);
        }
        let [first, second] = models;
        let mut both = first;
        both.extend(second);
        both.sort_by(|left, right| left.key.cmp(&right.key));
        for (start, end, [start_inclusive, end_inclusive, only_x]) in ranges {
            let key = |bound: Option<(Vec<u8>, i64)>| {
                bound.map(|(row, timestamp)| Key { row, timestamp, ..Key::default() })
            };
            let range = Range { start: key(start), start_inclusive, end: key(end), end_inclusive };
            let families = Families {
                names: if only_x { BTreeSet::from([b"x".to_vec()]) } else { BTreeSet::new() },
                inclusive: only_x,
            };
            let keys = |cells: Vec<Cell>| cells.into_iter().map(|cell| cell.key).collect::<Vec<_>>();
            let expected: Vec<Cell> = both
                .iter()
                .filter(|cell| range.contains(&cell.key.as_ref()) && families.wants(&cell.key.family))
                .cloned()
                .collect();
            let found = scan(&store, &trees, &range, &families);
            prop_assert_eq!(keys(found), keys(expected));
        }
    }
}
