//! The order of equal keys, and imports that say they are sorted.

use lexigraph_core::cells::Cell;
use lexigraph_core::tree::{Options, Store};
use lexigraph_core::{load, Error};

use crate::equals_write::load as load_all;
use crate::support::*;

#[test]
fn of_equal_keys_the_one_written_later_comes_first_also_across_files() {
    let cells: Vec<Cell> = (0..30_000u32)
        .map(|number| cell(&(number % 97).to_be_bytes(), 1, &number.to_be_bytes()))
        .collect();
    let mut model = Vec::new();
    model_write(&mut model, &cells);
    for memory in [50_000, 1 << 30] {
        let directory = Directory::new();
        let store = Store::open(directory.path(), Options::default()).unwrap();
        let files = load_all(&store, &cells, memory);
        assert_eq!(files > 3, memory < 1 << 20);
        let found = all(&store, TREE);
        assert!(found == model);
        assert_eq!(found[0].value, (97u32 * 309).to_be_bytes());
    }
}

fn import(store: &Store, cells: &[Cell], memory: usize) -> lexigraph_core::Result<()> {
    let mut loader = store.loader(load::Options {
        memory,
        sorted: true,
        ..load::Options::default()
    });
    for cell in cells {
        loader.push(TREE, &cell.as_ref())?;
    }
    store.load(loader, 1, &mut |_| Ok(())).map(|_| ())
}

#[test]
fn a_sorted_import_keeps_the_order_it_was_given() {
    let cells: Vec<Cell> = (0..20_000u32)
        .map(|number| cell(&(number / 3).to_be_bytes(), 1, &number.to_be_bytes()))
        .collect();
    for memory in [30_000, 1 << 30] {
        let directory = Directory::new();
        let store = Store::open(directory.path(), Options::default()).unwrap();
        import(&store, &cells, memory).unwrap();
        assert!(all(&store, TREE) == cells);
    }
}

#[test]
fn the_first_cell_out_of_order_is_named_and_nothing_is_stored() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let mut cells: Vec<Cell> = (0..5_000u32)
        .map(|number| cell(&number.to_be_bytes(), 1, b"v"))
        .collect();
    cells.swap(4_321, 4_322);
    let failed = import(&store, &cells, 20_000);
    let named = |message: &str| message.starts_with("cell 4322 ");
    assert!(
        matches!(&failed, Err(Error::InvalidKey(message)) if named(message)),
        "{failed:?}"
    );
    assert!(all(&store, TREE).is_empty());
}
