//! Random histories of two tables against sorted lists.

use std::collections::BTreeMap;

use lexigraph_core::cells::{Cell, Key, Range};
use lexigraph_core::engine::{Durability, Engine, EngineSnapshot, RowSpan, WriteOptions};
use lexigraph_core::stages::{build_stack, Families, Scope, SortedCells, StageContext};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::common::cells::read;
use crate::support::*;

#[derive(Debug, Clone)]
enum Step {
    /// To one table or both, at a durability.
    Write(u8, Vec<Put>),
    /// All rows, or some.
    Compact(bool, Option<RowSpan>),
    /// The first table anew as a copy of the second.
    Clone,
    Groups(u8),
    Snapshot,
    Flush,
    Reopen,
}

fn row() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => (0u8..40).prop_map(|number| vec![b'r', number]),
        1 => (0u8..40).prop_map(|number| [&[b'p'; 520][..], &[number]].concat()),
    ]
}

fn puts() -> impl Strategy<Value = Vec<Put>> {
    let value = prop_oneof![
        6 => vec(any::<u8>(), 0..20),
        1 => (9000usize..9100).prop_map(|length| vec![7; length]),
    ];
    let family = prop_oneof![
        Just(b"a".to_vec()),
        Just(b"b".to_vec()),
        Just(b"c".to_vec())
    ];
    let own = prop::option::weighted(0.2, 0i64..5);
    let one = (row(), family, own, prop::bool::weighted(0.15), value).prop_map(
        |(row, family, own, deleted, value)| Put {
            timed: own.is_some(),
            cell: Cell {
                key: Key {
                    row,
                    family,
                    timestamp: own.unwrap_or_default(),
                    deleted,
                    ..Key::default()
                },
                value: if deleted { vec![] } else { value },
            },
        },
    );
    vec(one, 0..40)
}

fn step() -> impl Strategy<Value = Step> {
    let rows = prop::option::of((prop::option::of(row()), prop::option::of(row())));
    prop_oneof![
        8 => (any::<u8>(), puts()).prop_map(|(how, puts)| Step::Write(how, puts)),
        3 => (any::<bool>(), rows).prop_map(|(table, rows)| Step::Compact(table, rows)),
        1 => Just(Step::Clone),
        1 => any::<u8>().prop_map(Step::Groups),
        1 => Just(Step::Snapshot),
        1 => Just(Step::Flush),
        1 => Just(Step::Reopen),
    ]
}

const TABLES: [&str; 2] = ["t", "u"];

/// What was written to a table, in order, and what a merge made of it.
type Model = BTreeMap<&'static str, Vec<Cell>>;

fn merged(written: &[Cell], scope: Scope) -> Vec<Cell> {
    let mut context = StageContext {
        scope,
        ..StageContext::default()
    };
    let settings = lexigraph_core::settings::Settings {
        max_versions: Some(1),
        ..Default::default()
    };
    let source = Box::new(SortedCells::new(written.to_vec()));
    let mut stack = build_stack(
        source,
        &settings.stages(scope == Scope::Full),
        &mut context,
        &[],
        b"",
    )
    .unwrap();
    read(stack.as_mut(), &[Range::default()], &Families::default()).unwrap()
}

/// Oldest first again, so that later writes stand before them.
fn merge_model(written: &mut Vec<Cell>, rows: &Option<RowSpan>) {
    let inside = |cell: &Cell| {
        let (start, end) = rows.clone().unwrap_or_default();
        start.is_none_or(|start| cell.key.row >= start) && end.is_none_or(|end| cell.key.row < end)
    };
    let (within, without): (Vec<Cell>, Vec<Cell>) = written.iter().cloned().partition(inside);
    *written = without;
    written.extend(merged(&within, Scope::Full).into_iter().rev());
}

fn check(engine: &Engine, model: &Model, at: Option<&EngineSnapshot>) {
    for (table, written) in model {
        assert_eq!(
            scan(engine, table, at),
            merged(written, Scope::Scan),
            "{table}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn an_engine_holds_what_lists_hold(steps in vec(step(), 1..20)) {
        let directory = Directory::new();
        let mut engine = open(&directory);
        let mut model = Model::new();
        for table in TABLES {
            engine.create_table(table, "{}", &[]).unwrap();
            model.insert(table, Vec::new());
        }
        let mut snapshots: Vec<(EngineSnapshot, Model)> = Vec::new();
        // Which groups a table has, and whether cells may still stand in others.
        let mut groups = BTreeMap::from(TABLES.map(|table| (table, (2, false))));
        for step in steps {
            match step {
                Step::Write(how, puts) => {
                    let level = [Durability::Sync, Durability::Relaxed, Durability::Buffered];
                    let options = WriteOptions {
                        durability: Some(level[usize::from(how / 4 % 3)]),
                        ..WriteOptions::default()
                    };
                    let columns = Columns::of(&puts);
                    let named: Vec<&'static str> = match how % 4 {
                        0 => TABLES.to_vec(),
                        table => vec![TABLES[usize::from(table % 2)]],
                    };
                    let batches: Vec<_> = named.iter().map(|name| (*name, columns.batch())).collect();
                    let time = engine.write(&batches, &options).unwrap();
                    for name in named {
                        let cells = puts.iter().map(|put| {
                            let mut cell = put.cell.clone();
                            if !put.timed {
                                cell.key.timestamp = time;
                            }
                            cell
                        });
                        model.entry(name).or_default().extend(cells);
                    }
                }
                Step::Compact(second, rows) => {
                    let table = TABLES[usize::from(second)];
                    engine.compact(table, rows.clone(), None).unwrap();
                    merge_model(model.entry(table).or_default(), &rows);
                    if rows.is_none() {
                        groups.entry(table).and_modify(|own| own.1 = false);
                    }
                }
                Step::Clone => {
                    engine.drop_table("t").unwrap();
                    engine.clone_table("u", "t").unwrap();
                    model.insert("t", model["u"].clone());
                    groups.insert("t", groups["u"]);
                }
                Step::Groups(kind) => {
                    let (table, wanted) = (TABLES[usize::from(kind % 2)], usize::from(kind / 2 % 3));
                    let (own, moving) = groups[table];
                    // A table whose cells have not all moved is merged first; that drops delete markers.
                    if wanted != own && moving {
                        merge_model(model.entry(table).or_default(), &None);
                    }
                    let named = [r#"{"x": ["a"]}"#, r#"{"x": ["b"], "y": ["a"]}"#, "{}"][wanted];
                    let settings = format!(r#"{{"locality_groups": {named}}}"#);
                    engine.configure_table(table, &settings).unwrap();
                    if wanted != own {
                        groups.insert(table, (wanted, !raw(&engine, table, None).is_empty()));
                    }
                }
                Step::Snapshot => snapshots.push((engine.snapshot().unwrap(), model.clone())),
                Step::Flush => engine.flush().unwrap(),
                Step::Reopen => {
                    snapshots.clear();
                    engine.close().unwrap();
                    engine = open(&directory);
                }
            }
            check(&engine, &model, None);
        }
        for (snapshot, model) in &snapshots {
            check(&engine, model, Some(snapshot));
        }
        for table in TABLES {
            let markers = raw(&engine, table, None).iter().filter(|cell| cell.key.deleted).count();
            prop_assert_eq!(engine.stats(table).unwrap().delete_markers, markers as u64);
            prop_assert_eq!(engine.stats(table).unwrap().cells, raw(&engine, table, None).len() as u64);
        }
        engine.close().unwrap();
        drop((engine, snapshots));
        let store = lexigraph_core::tree::Store::open(directory.path(), Default::default()).unwrap();
        store.verify().unwrap();
    }
}
