//! Writers take turns, and one that waits too long is told for whom.

use std::sync::Arc;
use std::time::Duration;

use lexigraph_core::guard::Directory;
use lexigraph_core::Error;

use crate::processes::{hear, start};
use crate::support::*;

#[test]
fn one_directory_is_open_once_in_a_process() {
    let folder = Folder::new();
    let first = open(folder.path());
    let around = folder
        .path()
        .join("../")
        .join(folder.path().file_name().unwrap());
    let second = Directory::open(&around, &options()).unwrap();
    assert!(Arc::ptr_eq(&first, &second));
    drop(first);
    write(&second, &rows(3)).unwrap();
    drop(second);
    assert_eq!(all(&open(folder.path())).unwrap(), rows(3));
}

#[test]
fn a_thread_that_waits_too_long_is_told_for_whom() {
    let folder = Folder::new();
    let directory = open(folder.path());
    let turn = directory
        .lock_writer(Duration::from_secs(1), "a long load")
        .unwrap();
    let other = Arc::clone(&directory);
    let answer = std::thread::spawn(move || {
        other
            .lock_writer(Duration::from_millis(20), "nothing")
            .map(|_| ())
    });
    let Err(Error::Locked(message)) = answer.join().unwrap() else {
        unreachable!("it was not locked");
    };
    let pid = format!("process {}", std::process::id());
    assert!(
        message.contains(&pid) && message.contains("a long load"),
        "{message}"
    );
    drop(turn);
    drop(
        directory
            .lock_writer(Duration::ZERO, "now it is free")
            .unwrap(),
    );
}

#[test]
fn a_process_that_waits_too_long_is_told_for_whom_until_that_one_is_killed() {
    let folder = Folder::new();
    let directory = open(folder.path());
    write(&directory, &rows(1)).unwrap();
    let mut holder = start("hold", folder.path());
    hear(&mut holder, "holding").unwrap();
    let answer = directory.lock_writer(Duration::from_millis(30), "nothing");
    let Err(Error::Locked(message)) = answer else {
        unreachable!("it was not locked");
    };
    let pid = format!("process {}", holder.id());
    assert!(
        message.contains(&pid) && message.contains("a very long load"),
        "{message}"
    );
    let readers = directory.readers().unwrap();
    assert_eq!(readers.len(), 1);
    assert_eq!((readers[0].pid, readers[0].age), (holder.id(), None));
    holder.kill().unwrap();
    holder.wait().unwrap();
    write(&directory, &rows(2)).unwrap();
    // Its reader goes too, at the latest with a new start.
    drop(directory);
    assert_eq!(open(folder.path()).readers().unwrap(), []);
}

#[test]
fn opening_for_writing_what_is_open_for_reading_is_refused() {
    let folder = Folder::new();
    write(&open(folder.path()), &rows(3)).unwrap();
    let mut reading = options();
    reading.store.read_only = true;
    let directory = Directory::open(folder.path(), &reading).unwrap();
    assert_eq!(all(&directory).unwrap(), rows(3));
    assert!(matches!(
        write(&directory, &rows(1)),
        Err(Error::ReadOnly(_))
    ));
    assert!(matches!(
        put(directory.store().unwrap(), &rows(1)),
        Err(Error::ReadOnly(_))
    ));
    assert!(matches!(
        Directory::open(folder.path(), &options()),
        Err(Error::Usage(_))
    ));
}

#[test]
fn a_new_directory_is_not_taken_for_one_that_was_removed() {
    let (first, second) = (Folder::new(), Folder::new());
    let old = open(first.path());
    write(&old, &rows(5)).unwrap();
    std::fs::remove_dir_all(first.path()).unwrap();
    // With luck, it has the number of the one that was removed.
    for folder in [&first, &second] {
        let new = open(folder.path());
        assert!(!Arc::ptr_eq(&old, &new));
        assert_eq!(all(&new).unwrap(), []);
    }
    assert_eq!(all(&old).unwrap(), rows(5));
}
