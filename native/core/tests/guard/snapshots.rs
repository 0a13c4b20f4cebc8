//! Snapshots end when they are too old or the store is closed, and never while they are being read.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lexigraph_core::guard::Directory;
use lexigraph_core::Error;

use crate::support::*;

#[test]
fn one_past_its_age_is_refused_and_a_new_one_reads() {
    let folder = Folder::new();
    let limit = Duration::from_millis(50);
    let directory = Directory::open(folder.path(), &aging(limit)).unwrap();
    in_time(|| write(&directory, &rows(10)));
    let snapshot = in_time(|| {
        let snapshot = directory.store()?.snapshot()?;
        assert_eq!(read(&snapshot)?, rows(10));
        Ok(snapshot)
    });
    while snapshot.age() <= limit {
        std::thread::sleep(Duration::from_millis(5));
    }
    let refused = snapshot.enter().unwrap_err();
    assert!(matches!(&refused, Error::SnapshotExpired(_)), "{refused}");
    assert!(matches!(read(&snapshot), Err(Error::SnapshotExpired(_))));
    assert_eq!(in_time(|| all(&directory)), rows(10));
}

#[test]
fn a_guard_keeps_one_past_its_age() {
    let folder = Folder::new();
    let directory = Directory::open(folder.path(), &aging(Duration::from_millis(30))).unwrap();
    in_time(|| write(&directory, &rows(300)));
    let (snapshot, guard) = in_time(|| {
        let snapshot = directory.store()?.snapshot()?;
        let guard = snapshot.enter()?;
        Ok((snapshot, guard))
    });
    for round in 0..20 {
        std::thread::sleep(Duration::from_millis(5));
        let again: Vec<_> = (0..300).map(|row| cell(row, 2 + round, b"new")).collect();
        in_time(|| write(&directory, &again));
    }
    // What is read under it is as it was, though the age limit passed long ago.
    assert_eq!(read(&snapshot).unwrap(), rows(300));
    assert_eq!(directory.readers().unwrap().len(), 1);
    drop(guard);
    assert!(matches!(snapshot.enter(), Err(Error::SnapshotExpired(_))));
    assert_eq!(directory.readers().unwrap().len(), 0);
}

#[test]
fn one_of_a_closed_store_is_closed() {
    let folder = Folder::new();
    let directory = open(folder.path());
    write(&directory, &rows(10)).unwrap();
    let snapshot = directory.store().unwrap().snapshot().unwrap();
    let guard = snapshot.enter().unwrap();
    drop(directory);
    drop(guard);
    assert!(matches!(snapshot.enter(), Err(Error::Closed(_))));
    assert_eq!(all(&open(folder.path())).unwrap(), rows(10));
}

#[test]
fn many_at_once_and_again() {
    let folder = Folder::new();
    let directory = open(folder.path());
    write(&directory, &rows(10)).unwrap();
    for _ in 0..3 {
        let snapshots: Vec<_> = (0..500)
            .map(|_| directory.store().unwrap().snapshot().unwrap())
            .collect();
        assert_eq!(directory.readers().unwrap().len(), 500);
        assert_eq!(read(&snapshots[499]).unwrap(), rows(10));
    }
    assert_eq!(directory.readers().unwrap().len(), 0);
}

#[test]
fn a_forgotten_one_does_not_make_the_file_grow() {
    let grown = |age: Duration| {
        let folder = Folder::new();
        let directory = Directory::open(folder.path(), &aging(age)).unwrap();
        let all_rows = |round: i64| -> Vec<_> {
            let value = round.to_le_bytes().repeat(40);
            (0..300).map(|row| cell(row, 1, &value)).collect()
        };
        in_time(|| write(&directory, &all_rows(0)));
        let forgotten = directory.store().unwrap().snapshot().unwrap();
        std::thread::sleep(Duration::from_millis(40));
        for round in 0..30 {
            // Each round replaces all blocks, so the pages of the round before are free.
            in_time(|| directory.store()?.drop_table(1));
            in_time(|| write(&directory, &all_rows(round)));
        }
        drop(forgotten);
        std::fs::metadata(folder.path().join("data.mdb"))
            .unwrap()
            .len()
    };
    let (kept, ended) = (
        grown(Duration::from_secs(600)),
        grown(Duration::from_millis(10)),
    );
    assert!(
        ended * 3 < kept,
        "{ended} bytes, and {kept} when it is kept"
    );
}

#[test]
fn threads_that_share_old_ones_read_one_state_or_are_told() {
    let folder = Folder::new();
    let directory = Directory::open(folder.path(), &aging(Duration::from_millis(2))).unwrap();
    let state = |round: u64| -> Vec<_> {
        let value = round.to_le_bytes().repeat(30);
        (0..120).map(|row| cell(row, 1, &value)).collect()
    };
    in_time(|| write(&directory, &state(0)));
    let shared = Mutex::new(directory.store().unwrap().snapshot().unwrap());
    let (read_whole, told) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while read_whole.load(Ordering::Relaxed) < 200 || told.load(Ordering::Relaxed) < 20
                {
                    let snapshot = Arc::clone(&shared.lock().unwrap());
                    match read(&snapshot) {
                        Ok(cells) => {
                            let same = cells.windows(2).all(|pair| pair[0].value == pair[1].value);
                            assert!(same && [0, 120].contains(&cells.len()));
                            read_whole.fetch_add(1, Ordering::Relaxed);
                        }
                        Err(Error::SnapshotExpired(_)) => {
                            told.fetch_add(1, Ordering::Relaxed);
                            *shared.lock().unwrap() =
                                directory.store().unwrap().snapshot().unwrap();
                        }
                        Err(error) => unreachable!("{error}"),
                    }
                }
            });
        }
        // Pages of old states are used again and again.
        let mut round = 0;
        while read_whole.load(Ordering::Relaxed) < 200 || told.load(Ordering::Relaxed) < 20 {
            round += 1;
            // On a busy machine a writer's own snapshot may be too old before it is looked at.
            let dropped = directory.store().unwrap().drop_table(1);
            let written = dropped.and_then(|_| write(&directory, &state(round)));
            if let Err(error) = written {
                assert!(matches!(error, Error::SnapshotExpired(_)), "{error}");
            }
        }
    });
}

#[test]
fn more_than_there_are_places_for_are_refused_with_what_to_do() {
    let folder = Folder::new();
    let directory = open(folder.path());
    write(&directory, &rows(10)).unwrap();
    let mut held = Vec::new();
    let error = loop {
        match directory.store().unwrap().snapshot() {
            Ok(snapshot) => held.push(snapshot),
            Err(error) => break error,
        }
        assert!(held.len() < 5000);
    };
    assert!(held.len() > 1000);
    assert!(error.to_string().contains("close those"), "{error}");
    held.clear();
    assert_eq!(all(&directory).unwrap(), rows(10));
}
