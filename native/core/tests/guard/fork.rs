//! A forked child: what its parent opened is not its own, but it may open the store again.

use std::sync::Arc;

use lexigraph_core::cells::CellColumns;
use lexigraph_core::engine::{Durability, Engine, MutationBatch, OpenOptions, WriteOptions};
use lexigraph_core::guard::Directory;
use lexigraph_core::{Error, Result};

use crate::support::*;

/// Runs a function in a forked child; gives the number that it returns.
#[allow(unsafe_code)]
fn in_child(run: impl FnOnce() -> i32) -> i32 {
    // SAFETY: the child runs only what it is given here and ends without unwinding into the test's threads.
    unsafe {
        match libc::fork() {
            0 => libc::_exit(run()),
            child => {
                let mut status = 0;
                assert_eq!(libc::waitpid(child, &mut status, 0), child);
                assert!(libc::WIFEXITED(status), "the child died: {status}");
                libc::WEXITSTATUS(status)
            }
        }
    }
}

fn is_refused<T>(answer: Result<T>) -> bool {
    matches!(answer, Err(Error::Usage(message)) if message.contains("before a fork"))
}

#[test]
fn a_child_is_told_to_open_again_and_can() {
    let folder = Folder::new();
    let directory = open(folder.path());
    write(&directory, &rows(100)).unwrap();
    let snapshot = directory.store().unwrap().snapshot().unwrap();
    let guard = snapshot.enter().unwrap();
    let turn = directory
        .lock_writer(std::time::Duration::ZERO, "forking")
        .unwrap();
    let mut inherited = Some((Arc::clone(&directory), turn, guard, snapshot));
    let (path, old) = (folder.path(), Arc::clone(&directory));
    let code = in_child(|| {
        let Some((directory, turn, guard, snapshot)) = inherited.take() else {
            return 1;
        };
        if !is_refused(directory.store().map(|_| ())) || !is_refused(snapshot.enter()) {
            return 2;
        }
        if !is_refused(directory.readers()) || !is_refused(write(&directory, &rows(1))) {
            return 3;
        }
        // Dropping all of it takes nothing away from the parent.
        drop((directory, turn, guard, snapshot, old));
        // The parent still has its turn to write.
        let Ok(again) = Directory::open(path, &options()) else {
            return 4;
        };
        if all(&again) != Ok(rows(100)) {
            return 5;
        }
        let waited = again.lock_writer(std::time::Duration::from_millis(20), "child");
        if !matches!(waited, Err(Error::Locked(_))) {
            return 6;
        }
        0
    });
    assert_eq!(code, 0);
    let Some((_, turn, guard, snapshot)) = inherited.take() else {
        unreachable!("only the child took it");
    };
    assert_eq!(directory.readers().unwrap().len(), 1);
    // The child's end neither ended the reader nor the turn of its parent.
    put(directory.store().unwrap(), &[cell(0, 9, b"later")]).unwrap();
    assert_eq!(read(&snapshot).unwrap(), rows(100));
    drop((turn, guard, snapshot));
    let code = in_child(|| {
        let again = Directory::open(path, &options());
        let written = again.and_then(|again| write(&again, &[cell(500, 1, b"child")]));
        i32::from(written.is_err())
    });
    assert_eq!(code, 0);
    assert_eq!(all(&directory).unwrap().len(), 102);
    write(&directory, &rows(3)).unwrap();
    assert!(directory.verify().unwrap().is_sound());
}

#[test]
fn a_child_closes_an_engine_of_its_parent_quietly() {
    let folder = Folder::new();
    let engine = Engine::open(folder.path(), OpenOptions::default()).unwrap();
    engine.create_table("t", "{}", &[]).unwrap();
    let mut cells = CellColumns::default();
    cells.push(&cell(1, 0, b"buffered").as_ref());
    let batch = MutationBatch {
        cells: cells.view(),
        timed: &[0],
    };
    let buffered = WriteOptions {
        durability: Some(Durability::Buffered),
        ..WriteOptions::default()
    };
    engine.write(&[("t", batch)], &buffered).unwrap();
    let code = in_child(|| {
        let closed = engine.close();
        let again = engine.close();
        let used = engine.tables(None);
        i32::from(closed.is_err() || again.is_err() || !matches!(used, Err(Error::Closed(_))))
    });
    assert_eq!(code, 0);
    // The parent's commit was not stored by the child, and is still the parent's.
    let stats = engine.stats("t").unwrap();
    assert_eq!((stats.buffered_cells, stats.delta.cells), (1, 0));
    engine.close().unwrap();
    let engine = Engine::open(folder.path(), OpenOptions::default()).unwrap();
    assert_eq!(engine.stats("t").unwrap().delta.cells, 1);
}
