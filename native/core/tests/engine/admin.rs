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
