//! Opening, tables, snapshots, loading, counting.

use lexigraph_core::cells::{Cell, Range};
use lexigraph_core::stages::{Cursor, Families};
use lexigraph_core::tree::{Batch, Options, Store, TreeCursor, TreeId};
use lexigraph_core::Error;

use crate::common::cells::drain;
use crate::support::*;

fn rows(count: u32) -> Vec<Cell> {
    (0..count)
        .map(|n| cell(&n.to_be_bytes(), i64::from(n % 5), &n.to_le_bytes()))
        .collect()
}

fn load(store: &Store, tree: TreeId, cells: &[Cell]) -> lexigraph_core::Result<()> {
    let mut loader = store.loader(Default::default());
    for cell in cells {
        loader.push(tree, &cell.as_ref())?;
    }
    store.load(loader, 9, &mut |_| Ok(())).map(|_| ())
}

#[test]
fn what_was_loaded_is_there_after_reopening() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    load(&store, OTHER, &rows(20_000)).unwrap();
    load(&store, TREE, &rows(30_000)).unwrap();
    drop(store);
    let options = Options {
        create: false,
        ..Options::default()
    };
    let store = Store::open(directory.path(), options).unwrap();
    assert_eq!(all(&store, TREE), rows(30_000));
    assert_eq!(all(&store, OTHER), rows(20_000));
    assert_eq!(store.last_commit().unwrap(), Some(9));
    assert_eq!(store.verify().unwrap().counts.cells, 50_000);
}

#[test]
fn a_full_block_takes_two_pages() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let mut cells = rows(50_000);
    for (number, cell) in cells.iter_mut().enumerate() {
        cell.key.qualifier = (number as u32)
            .wrapping_mul(0x9e37_79b9)
            .to_be_bytes()
            .to_vec();
    }
    load(&store, TREE, &cells).unwrap();
    let base = store.stats(TREE).unwrap().base;
    let fill = base.bytes as f64 / (base.blocks * 8176) as f64;
    assert!((0.9..=1.0).contains(&fill), "{fill}");
}

#[test]
fn a_snapshot_does_not_see_later_commits() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), small_blocks()).unwrap();
    let before = rows(500);
    write(&store, TREE, &before);
    let snapshot = store.snapshot().unwrap();
    let mut cursor = TreeCursor::new(&snapshot, &[TREE]);
    cursor
        .seek(&Range::default(), &Families::default())
        .unwrap();
    write(&store, TREE, &rows(1000)[500..]);
    merge(&store, TREE, None, None);
    assert_eq!(drain(&mut cursor).unwrap(), before);
    let mut fork = cursor.fork();
    std::thread::spawn(move || {
        fork.seek(&Range::default(), &Families::default()).unwrap();
        assert_eq!(drain(&mut *fork).unwrap(), rows(500));
    })
    .join()
    .unwrap();
    assert_eq!(all(&store, TREE), rows(1000));
}

#[test]
fn a_large_batch_is_written_by_several_threads_alike() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let mut cells = rows(20_000);
    for cell in cells.iter_mut().step_by(999) {
        cell.value = vec![cell.value[0]; 9000];
    }
    let (even, odd): (Vec<Cell>, Vec<Cell>) = cells
        .iter()
        .cloned()
        .partition(|cell| cell.key.row[3] % 2 == 0);
    write(&store, TREE, &even);
    write(&store, TREE, &odd);
    assert!(all(&store, TREE) == cells);
    store.verify().unwrap();
}

#[test]
fn merging_step_by_step_empties_the_delta() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), small_blocks()).unwrap();
    write(&store, TREE, &rows(3000));
    let (mut start, mut steps) = (None, 0);
    loop {
        let end = store.merge_end(TREE, start.as_deref(), 4).unwrap();
        merge(&store, TREE, start.as_deref(), end.as_deref());
        store.verify().unwrap();
        steps += 1;
        match end {
            Some(end) => start = Some(end),
            None => break,
        }
    }
    let stats = store.stats(TREE).unwrap();
    assert_eq!((stats.base.cells, stats.delta.cells), (3000, 0));
    assert!(steps > 3, "{steps} steps");
    assert_eq!(all(&store, TREE), rows(3000));
}

#[test]
fn a_batch_out_of_order_changes_nothing() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let (cells, wrong) = (rows(2), [rows(2)[1].clone(), rows(1)[0].clone()]);
    let (cells, wrong) = (
        cells.iter().map(Cell::as_ref),
        wrong.iter().map(Cell::as_ref),
    );
    let (cells, wrong): (Vec<_>, Vec<_>) = (cells.collect(), wrong.collect());
    let batches = [
        Batch {
            tree: OTHER,
            cells: &cells,
        },
        Batch {
            tree: TREE,
            cells: &wrong,
        },
    ];
    assert!(matches!(
        store.write(&batches, 1),
        Err(Error::InvalidKey(_))
    ));
    assert!(all(&store, OTHER).is_empty());
}

#[test]
fn tables_are_listed_and_dropped_with_their_cells() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let first = store.create_table("{\"name\": \"a\"}").unwrap();
    let second = store.create_table("{}").unwrap();
    store.configure_table(second, "{\"name\": \"b\"}").unwrap();
    let tree = |table| TreeId { table, group: 3 };
    write(&store, tree(first), &[cell(b"r", 1, &vec![1; 20_000])]);
    write(&store, tree(second), &rows(10));
    assert!(store.drop_table(first).unwrap());
    assert!(!store.drop_table(first).unwrap());
    assert_eq!(
        store.tables().unwrap(),
        [(second, "{\"name\": \"b\"}".to_string())]
    );
    assert!(all(&store, tree(first)).is_empty());
    assert_eq!(all(&store, tree(second)), rows(10));
    store.verify().unwrap();
    assert!(matches!(
        store.configure_table(first, ""),
        Err(Error::InvalidOption(_))
    ));
    assert_eq!(store.create_table("{}").unwrap(), second + 1);
}

#[test]
fn a_directory_without_a_store_is_not_made_one_by_reading() {
    let directory = Directory::new();
    let options = Options {
        create: false,
        ..Options::default()
    };
    assert!(matches!(
        Store::open(directory.path(), options),
        Err(Error::Store(_))
    ));
    assert!(!directory.path().exists());
}

#[test]
fn a_file_of_somebody_else_is_not_made_a_store_by_reading() {
    let directory = Directory::new();
    std::fs::create_dir_all(directory.path()).unwrap();
    std::fs::write(directory.path().join("data.mdb"), b"").unwrap();
    let options = || Options {
        create: false,
        ..Options::default()
    };
    for _ in 0..2 {
        assert!(matches!(
            Store::open(directory.path(), options()),
            Err(Error::Store(_))
        ));
    }
}
