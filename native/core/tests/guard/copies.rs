//! Backups while others write, and vacuums.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lexigraph_core::guard::verify;
use lexigraph_core::Error;

use crate::damage::{sample, store_of};
use crate::processes::{hear, start};
use crate::support::*;

fn length(folder: &Folder) -> u64 {
    let file = folder.path().join("data.mdb");
    std::fs::metadata(file).unwrap().len()
}

#[test]
fn a_backup_is_one_state_of_a_store_that_is_written() {
    let folder = Folder::new();
    let directory = open(folder.path());
    write(&directory, &rows(1)).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for row in 1.. {
                write(&directory, &[cell(row, 1, &row.to_le_bytes())]).unwrap();
                if stop.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        for _ in 0..5 {
            let target = Folder::new();
            directory.backup(target.path()).unwrap();
            assert!(verify(target.path()).unwrap().is_sound());
            let held = all(&open(target.path())).unwrap();
            // Commits come in the order of rows: a state is the first so many.
            assert_eq!(held, rows(held.len() as u32));
            let again = directory.backup(target.path());
            assert!(matches!(again, Err(Error::Usage(_))));
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_vacuum_gives_space_back_and_keeps_all_cells() {
    let folder = store_of(&sample());
    let directory = open(folder.path());
    let large: Vec<_> = (0..500).map(|row| cell(row, 9, &[1; 5000])).collect();
    write(&directory, &large).unwrap();
    directory.store().unwrap().drop_table(1).unwrap();
    write(&directory, &sample()).unwrap();
    let snapshot = directory.store().unwrap().snapshot().unwrap();
    let answer = directory.vacuum(Duration::from_millis(20));
    assert!(matches!(answer, Err(Error::Locked(_))), "{answer:?}");
    assert_eq!(read(&snapshot).unwrap(), sample());
    let number = snapshot.transaction_id();
    drop(snapshot);
    let done = directory.vacuum(Duration::from_secs(5)).unwrap();
    // Numbers of states only grow.
    let snapshot = directory.store().unwrap().snapshot().unwrap();
    assert!(snapshot.transaction_id() >= number);
    drop(snapshot);
    assert_eq!(done.after, length(&folder));
    assert!(done.after * 2 < done.before, "{done:?}");
    assert_eq!(all(&directory).unwrap(), sample());
    write(&directory, &[cell(9999, 1, b"after")]).unwrap();
    assert_eq!(all(&directory).unwrap().len(), 2501);
    assert!(directory.verify().unwrap().is_sound());
}

#[test]
fn a_vacuum_waits_for_other_processes() {
    let folder = store_of(&rows(10));
    let mut other = start("hold", folder.path());
    hear(&mut other, "holding").unwrap();
    let directory = open(folder.path());
    // It writes, and has the store open.
    let answer = directory.vacuum(Duration::from_millis(20));
    let Err(Error::Locked(message)) = answer else {
        unreachable!("{answer:?}");
    };
    assert!(
        message.contains(&format!("process {}", other.id())),
        "{message}"
    );
    drop(other.stdin.take());
    other.wait().unwrap();
    directory.vacuum(Duration::from_secs(5)).unwrap();
}

#[test]
fn a_vacuum_that_is_killed_leaves_the_store_whole() {
    let folder = store_of(&sample());
    for round in 0..12 {
        let mut child = start("vacuum", folder.path());
        hear(&mut child, "going").unwrap();
        std::thread::sleep(Duration::from_micros(700 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let directory = open(folder.path());
        assert_eq!(all(&directory).unwrap(), sample());
        assert!(directory.verify().unwrap().is_sound());
    }
    assert!(!folder.path().join("data.mdb.vacuum").exists());
}
