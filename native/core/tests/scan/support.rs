//! A store in a directory of its own, tables in it, and scans over them.

use std::sync::Arc;

use lexigraph_core::block::Compression;
use lexigraph_core::cells::{Cell, CellColumns};
use lexigraph_core::scan::{self, Input, ScanOptions, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::tree::{Options, Store, TreeId};
use lexigraph_core::Result;

use crate::common::cells::write;
use crate::common::folder::Folder;

/// A store that goes with its value.
pub struct Fixture {
    pub store: Store,
    _folder: Folder,
}

impl Fixture {
    /// With blocks of a few cells, so that every scan crosses many.
    pub fn new() -> Fixture {
        Fixture::with_blocks(300)
    }

    pub fn with_blocks(target: usize) -> Fixture {
        let folder = Folder::new();
        let options = Options {
            target,
            compression: Compression::Never,
            ..Options::default()
        };
        let store = Store::open(folder.path(), options).unwrap();
        Fixture {
            store,
            _folder: folder,
        }
    }

    /// Writes cells as one commit, each into the locality group of its family.
    pub fn write(&self, table: u32, settings: &Settings, cells: &[Cell]) {
        for group in 0..=settings.locality_groups.len() as u16 {
            let held = cells
                .iter()
                .filter(|cell| settings.group_of(&cell.key.family) == group);
            write(&self.store, TreeId { table, group }, held).unwrap();
        }
    }

    /// Moves all rows of a table into the base.
    pub fn merge(&self, table: u32, settings: &Settings) {
        for group in 0..=settings.locality_groups.len() as u16 {
            let tree = TreeId { table, group };
            self.store.merge_range(tree, None, None, Ok).unwrap();
        }
    }

    pub fn input(&self, table: u32, settings: &Settings) -> Input {
        Input {
            snapshot: self.store.snapshot().unwrap(),
            groups: Input::groups_of(table, settings),
            settings: Arc::new(settings.clone()),
            buffered: Vec::new(),
            splits: Arc::new([]),
            now: 0,
        }
    }
}

/// All cells of a scan, by batches of that many.
pub fn read(input: &Input, spec: &Spec, options: &ScanOptions, batch: usize) -> Result<Vec<Cell>> {
    let mut scan = scan::open(input.clone(), spec, options)?;
    let mut found = Vec::new();
    while let Some(cells) = scan.next(batch)? {
        assert!(!cells.is_empty() && cells.len() <= batch);
        found.extend(owned(&cells));
    }
    assert_eq!(scan.counts().cells_returned, found.len() as u64);
    Ok(found)
}

pub fn owned(cells: &CellColumns) -> Vec<Cell> {
    let view = cells.view();
    (0..view.len())
        .map(|index| view.cell(index).to_owned())
        .collect()
}
