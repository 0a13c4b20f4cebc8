//! A store in a directory of its own, tables in it, and scans over them.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use lexigraph_core::block::Compression;
use lexigraph_core::cells::{Cell, CellColumns, CellRef};
use lexigraph_core::scan::{self, Input, ScanOptions, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::tree::{sort_batch, Batch, Options, Store, TreeId};
use lexigraph_core::Result;

/// A store that goes with its value.
pub struct Fixture {
    directory: PathBuf,
    pub store: Store,
}

impl Fixture {
    /// With blocks of a few cells, so that every scan crosses many.
    pub fn new() -> Fixture {
        Fixture::with_blocks(300)
    }

    pub fn with_blocks(target: usize) -> Fixture {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("lexigraph-scan-{}-{number}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        let options = Options {
            target,
            compression: Compression::Never,
            ..Options::default()
        };
        let store = Store::open(&directory, options).unwrap();
        Fixture { directory, store }
    }

    /// Writes cells as one commit, each into the locality group of its family.
    pub fn write(&self, table: u32, settings: &Settings, cells: &[Cell]) {
        for group in 0..=settings.locality_groups.len() as u16 {
            let held = cells
                .iter()
                .filter(|cell| settings.group_of(&cell.key.family) == group);
            let mut refs: Vec<CellRef<'_>> = held.map(Cell::as_ref).collect();
            sort_batch(&mut refs);
            let tree = TreeId { table, group };
            self.store
                .write(&[Batch { tree, cells: &refs }], 1)
                .unwrap();
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

impl Drop for Fixture {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
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
