//! An engine in a directory of its own, cells to write, and what a reader gets.

use std::sync::Arc;

use lexigraph_core::block::Compression;
use lexigraph_core::cells::{Cell, CellColumns, Key, Range};
use lexigraph_core::engine::{
    Engine, EngineSnapshot, MergePolicy, MutationBatch, OpenOptions, WriteOptions,
};
use lexigraph_core::stages::{build_stack, Families, StageContext};
use lexigraph_core::Result;

use crate::common::cells::read;
pub use crate::common::folder::Folder as Directory;

/// Small blocks and short merges, so that few cells make many of them.
pub fn small() -> OpenOptions {
    OpenOptions {
        target: 400,
        own_run: 12,
        compression: Compression::Never,
        merge: MergePolicy {
            automatic: false,
            blocks: 3,
            ..MergePolicy::default()
        },
        ..OpenOptions::default()
    }
}

pub fn open(directory: &Directory) -> Engine {
    Engine::open(directory.path(), small()).unwrap()
}

/// Settings that keep every version.
pub const ALL_VERSIONS: &str = r#"{"version": 1, "max_versions": null}"#;

/// A cell to write: with a timestamp of its own or without.
#[derive(Debug, Clone)]
pub struct Put {
    pub cell: Cell,
    pub timed: bool,
}

pub fn put(row: &str, family: &str, value: &str) -> Put {
    Put {
        cell: Cell {
            key: Key {
                row: row.into(),
                family: family.into(),
                ..Key::default()
            },
            value: value.into(),
        },
        timed: false,
    }
}

pub fn delete(row: &str, family: &str) -> Put {
    let mut put = put(row, family, "");
    put.cell.key.deleted = true;
    put
}

pub fn timed(mut put: Put, timestamp: i64) -> Put {
    put.cell.key.timestamp = timestamp;
    put.timed = true;
    put
}

/// Cells by column, as a writer gives them.
#[derive(Default)]
pub struct Columns {
    cells: CellColumns,
    timed: Vec<u8>,
}

impl Columns {
    pub fn of(puts: &[Put]) -> Columns {
        let mut columns = Columns::default();
        for put in puts {
            columns.cells.push(&put.cell.as_ref());
            columns.timed.push(u8::from(put.timed));
        }
        columns
    }

    pub fn batch(&self) -> MutationBatch<'_> {
        MutationBatch {
            cells: self.cells.view(),
            timed: &self.timed,
        }
    }
}

pub fn write_with(
    engine: &Engine,
    table: &str,
    puts: &[Put],
    options: &WriteOptions<'_>,
) -> Result<i64> {
    let columns = Columns::of(puts);
    engine.write(&[(table, columns.batch())], options)
}

pub fn write(engine: &Engine, table: &str, puts: &[Put]) -> i64 {
    write_with(engine, table, puts, &WriteOptions::default()).unwrap()
}

/// Everything that is stored, markers and versions too.
pub fn raw(engine: &Engine, table: &str, at: Option<&EngineSnapshot>) -> Vec<Cell> {
    let input = engine.scan_input(table, at).unwrap();
    let mut cursor = input.cursor(&Arc::default());
    read(&mut cursor, &[Range::default()], &Families::default()).unwrap()
}

/// What the owner's scan gives.
pub fn scan(engine: &Engine, table: &str, at: Option<&EngineSnapshot>) -> Vec<Cell> {
    let input = engine.scan_input(table, at).unwrap();
    let stages = input.settings.stages(false);
    let mut context = StageContext {
        now: input.now,
        ..StageContext::default()
    };
    let cursor = Box::new(input.cursor(&Arc::default()));
    let mut stack = build_stack(cursor, &stages, &mut context, &[], b"").unwrap();
    read(stack.as_mut(), &[Range::default()], &Families::default()).unwrap()
}

/// Row and value of each cell, in short.
pub fn shown(cells: &[Cell]) -> Vec<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    cells
        .iter()
        .map(|cell| format!("{}={}", text(&cell.key.row), text(&cell.value)))
        .collect()
}
