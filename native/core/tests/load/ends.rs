//! Loads that do not come to their end leave nothing behind; those that do leave no files.

use lexigraph_core::cells::Cell;
use lexigraph_core::load::{self, Phase, Progress};
use lexigraph_core::tree::{Options, Store};
use lexigraph_core::Error;

use crate::support::*;

fn cells(count: u32) -> Vec<Cell> {
    (0..count)
        .map(|number| {
            cell(
                &number.wrapping_mul(2_654_435_761).to_be_bytes(),
                1,
                &[3; 20],
            )
        })
        .collect()
}

fn temporary(directory: &Directory) -> Vec<String> {
    std::fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("tmp-load-"))
        .collect()
}

fn little() -> load::Options {
    load::Options {
        memory: 100_000,
        ..load::Options::default()
    }
}

fn started(store: &Store, count: u32) -> load::Loader {
    let mut loader = store.loader(little());
    for cell in cells(count) {
        loader.push(TREE, &cell.as_ref()).unwrap();
    }
    loader
}

#[test]
fn progress_ends_with_all_cells_and_the_files_are_gone() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let loader = started(&store, 20_000);
    assert_eq!(temporary(&directory).len(), 1);
    let mut seen: Vec<Progress> = Vec::new();
    let watch = &mut |progress: &Progress| {
        seen.push(*progress);
        Ok(())
    };
    let report = store.load(loader, 1, watch).unwrap();
    assert_eq!(report.cells, 20_000);
    assert!(report.files > 5);
    assert!(seen.len() > 5);
    assert!(seen.is_sorted_by_key(|progress| progress.written));
    let last = seen.last().unwrap();
    assert_eq!(
        (last.phase, last.read, last.written),
        (Phase::Sync, 20_000, 20_000)
    );
    assert_eq!(temporary(&directory), Vec::<String>::new());
}

#[test]
fn a_watch_that_fails_at_any_point_leaves_the_store_as_it_was() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let before = cells(12_000);
    write(&store, TREE, &before);
    let (held, counts) = (all(&store, TREE), store.stats(TREE).unwrap().delta);
    for stop_at in [0, 1, 4] {
        let loader = started(&store, 20_000);
        let mut calls = 0;
        let failed = store.load(loader, 5, &mut |_| {
            calls += 1;
            match calls > stop_at {
                true => Err(Error::Cancelled("enough".into())),
                false => Ok(()),
            }
        });
        assert_eq!(failed, Err(Error::Cancelled("enough".into())));
        assert_eq!(temporary(&directory), Vec::<String>::new());
        assert!(all(&store, TREE) == held);
        let stats = store.stats(TREE).unwrap();
        assert_eq!(stats.base.cells + stats.delta.cells, counts.cells);
        assert_eq!(store.last_commit().unwrap(), Some(1));
        store.verify().unwrap();
    }
    store
        .load(started(&store, 20_000), 5, &mut |_| Ok(()))
        .unwrap();
    assert_eq!(all(&store, TREE).len(), 32_000);
}

#[test]
fn a_loader_that_is_dropped_takes_its_files_with_it() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let loader = started(&store, 20_000);
    assert_eq!(temporary(&directory).len(), 1);
    drop(loader);
    assert_eq!(temporary(&directory), Vec::<String>::new());
}

#[test]
fn files_of_a_process_that_died_go_when_the_store_is_opened() {
    let directory = Directory::new();
    drop(Store::open(directory.path(), Options::default()).unwrap());
    // No process has this number: it is above what Linux gives.
    let stale = directory.path().join("tmp-load-4294967295-0");
    let own = directory
        .path()
        .join(format!("tmp-load-{}-77", std::process::id()));
    for path in [&stale, &own] {
        std::fs::create_dir(path).unwrap();
        std::fs::write(path.join("000000"), b"rest").unwrap();
    }
    let _store = Store::open(directory.path(), Options::default()).unwrap();
    assert!(!stale.exists());
    assert!(own.exists());
}

#[test]
fn a_temporary_file_that_was_changed_is_noticed() {
    let directory = Directory::new();
    let store = Store::open(directory.path(), Options::default()).unwrap();
    let loader = started(&store, 20_000);
    let file = directory
        .path()
        .join(&temporary(&directory)[0])
        .join("000001");
    let mut bytes = std::fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let failed = store.load(loader, 1, &mut |_| Ok(()));
    assert!(matches!(failed, Err(Error::Corruption(_))), "{failed:?}");
    assert!(all(&store, TREE).is_empty());
}
