//! A backup and a vacuum of a whole engine, with commits before, buffered and after.

use lexigraph_core::engine::{Durability, Engine, WriteOptions};
use lexigraph_core::Error;

use crate::support::*;

fn buffered() -> WriteOptions<'static> {
    WriteOptions {
        durability: Some(Durability::Buffered),
        ..WriteOptions::default()
    }
}

#[test]
fn a_backup_holds_buffered_commits_and_opens_as_an_engine() {
    let (directory, target) = (Directory::new(), Directory::new());
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    write(&engine, "t", &[put("a", "f", "stored")]);
    write_with(&engine, "t", &[put("b", "f", "buffered")], &buffered()).unwrap();
    engine.backup(target.path()).unwrap();
    write(&engine, "t", &[put("c", "f", "later")]);
    let copy = Engine::open(target.path(), small()).unwrap();
    assert_eq!(scan(&copy, "t", None).len(), 2);
    assert!(copy.verify().unwrap().is_sound());
}

#[test]
fn an_engine_goes_on_after_a_vacuum() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    for round in 0..20 {
        let puts: Vec<Put> = (0..200)
            .map(|row| put(&format!("row{row}"), "f", &format!("value {round}")))
            .collect();
        write(&engine, "t", &puts);
    }
    engine.compact("t", None, None).unwrap();
    write_with(&engine, "t", &[put("x", "f", "buffered")], &buffered()).unwrap();
    let before = scan(&engine, "t", None);
    let done = engine.vacuum().unwrap();
    assert!(done.after < done.before, "{done:?}");
    assert_eq!(scan(&engine, "t", None), before);
    // What was read after a vacuum and changed since is a conflict, as before one.
    let snapshot = engine.snapshot().unwrap();
    write(&engine, "t", &[put("row1", "f", "new")]);
    let ranges = [("t".to_string(), lexigraph_core::cells::Range::default())];
    let options = WriteOptions {
        unchanged: Some((&snapshot, &ranges)),
        ..WriteOptions::default()
    };
    let answer = write_with(&engine, "t", &[put("row1", "f", "lost")], &options);
    assert!(matches!(answer, Err(Error::Conflict(_))), "{answer:?}");
    write_with(&engine, "t", &[put("y", "f", "buffered")], &buffered()).unwrap();
    assert_eq!(scan(&engine, "t", None).len(), 202);
    assert!(engine.verify().unwrap().is_sound());
}

#[test]
fn a_vacuum_and_a_writing_thread_do_not_wait_for_each_other() {
    let directory = Directory::new();
    let engine = open(&directory);
    engine.create_table("t", "{}", &[]).unwrap();
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        // A commit of many cells takes a turn of its own, one of few waits in the queue.
        for cells in [1, 2000] {
            let (engine, stop) = (&engine, &stop);
            scope.spawn(move || {
                let puts: Vec<Put> = (0..cells)
                    .map(|row| put(&format!("{cells}-{row}"), "f", "1"))
                    .collect();
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    write(engine, "t", &puts);
                }
            });
        }
        let vacuums: Vec<_> = (0..10).map(|_| engine.vacuum()).collect();
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        for vacuum in vacuums {
            assert!(vacuum.is_ok(), "{vacuum:?}");
        }
    });
}
