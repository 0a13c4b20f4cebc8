//! Writers take turns, and one that waits too long is told for whom.

use std::sync::Arc;
use std::time::Duration;

use lexigraph_core::guard::Directory;
use lexigraph_core::Error;

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
