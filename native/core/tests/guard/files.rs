//! Files that are no store, of another version, or cut short.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use lexigraph_core::guard::{verify, Directory};
use lexigraph_core::Error;

use crate::damage::{sample, store_of};
use crate::processes::play_out;
use crate::support::*;

#[test]
fn a_file_of_another_kind_is_refused_and_left_alone() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path()).unwrap();
    let file = folder.path().join("data.mdb");
    for content in [b"hello".to_vec(), vec![0; 8192], vec![0xab; 20_000]] {
        std::fs::write(&file, &content).unwrap();
        let answer = Directory::open(folder.path(), &options());
        assert!(matches!(answer, Err(Error::Corruption(_))));
        assert!(!verify(folder.path()).unwrap().is_sound());
        assert_eq!(std::fs::read(&file).unwrap(), content);
    }
}

#[test]
fn another_version_of_lmdb_is_named() {
    let folder = store_of(&rows(10));
    let file = folder.path().join("data.mdb");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[20] = 2;
    std::fs::write(&file, bytes).unwrap();
    let answer = Directory::open(folder.path(), &options());
    assert!(matches!(answer, Err(Error::FormatVersion(message)) if message.contains("version 2")));
}

#[test]
fn a_file_cut_short_is_found_when_it_is_opened() {
    let folder = store_of(&sample());
    let file = folder.path().join("data.mdb");
    let whole = std::fs::read(&file).unwrap();
    let mut found = 0;
    for length in (1..whole.len()).step_by(4096).chain([whole.len() - 1]) {
        std::fs::write(&file, &whole[..length]).unwrap();
        match Directory::open(folder.path(), &options()) {
            Err(Error::Corruption(message)) => {
                assert!(
                    message.contains(&*folder.path().to_string_lossy()),
                    "{message}"
                );
                found += 1;
            }
            Err(error) => unreachable!("{length}: {error}"),
            // The pages at the end may be free ones.
            Ok(directory) => assert_eq!(all(&directory).unwrap(), sample(), "{length}"),
        }
    }
    assert!(found > whole.len() / 4096 / 2, "{found}");
}

#[test]
fn a_missing_store_is_not_made_by_reading() {
    let folder = Folder::new();
    let mut options = options();
    options.store.create = false;
    let answer = Directory::open(folder.path(), &options);
    assert!(matches!(answer, Err(Error::Store(_))));
    assert!(!folder.path().exists());
    std::fs::create_dir(folder.path()).unwrap();
    let answer = Directory::open(folder.path(), &options);
    assert!(matches!(answer, Err(Error::Store(_))));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_directory_that_is_being_used_reports_sound() {
    let folder = store_of(&sample());
    let directory = open(folder.path());
    let snapshot = directory.store().unwrap().snapshot().unwrap();
    for row in 0..50 {
        write(&directory, &[cell(row, 7, &[7; 9000])]).unwrap();
        let report = directory.verify().unwrap();
        assert!(report.is_sound(), "{:?}", report.problems());
        assert_eq!(report.cells.long_values, u64::from(row) + 1 + 3);
    }
    assert_eq!(read(&snapshot).unwrap(), sample());
    let oldest = directory.readers().unwrap()[0];
    assert_eq!((oldest.pid, oldest.behind), (std::process::id(), 50));
    assert!(oldest.age.is_some_and(|age| age > Duration::ZERO));
}

/// Runs in a process of its own, without the rights of root.
#[allow(unsafe_code)]
pub fn read_only(path: &Path) {
    // SAFETY: plain calls; they fail where this is not root, who alone needs them.
    unsafe {
        libc::setgid(65534);
        libc::setuid(65534);
    }
    let mut reading = options();
    reading.store.read_only = true;
    let answer = Directory::open(path, &options());
    assert!(matches!(&answer, Err(Error::ReadOnly(_))), "{answer:?}");
    let directory = Directory::open(path, &reading).unwrap();
    assert_eq!(all(&directory).unwrap(), rows(10));
    assert!(matches!(
        write(&directory, &rows(1)),
        Err(Error::ReadOnly(_))
    ));
    assert!(directory.verify().unwrap().is_sound());
    println!("\nread");
}

#[test]
fn a_directory_without_the_right_to_write_can_be_read() {
    let folder = store_of(&rows(10));
    for (file, mode) in [
        ("data.mdb", 0o444),
        ("guard.lock", 0o444),
        ("lock.mdb", 0o666),
        ("", 0o555),
    ] {
        let permissions = Permissions::from_mode(mode);
        std::fs::set_permissions(folder.path().join(file), permissions).unwrap();
    }
    let (_, said) = play_out("restricted", folder.path());
    std::fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    assert!(said.contains("\nread"), "{said}");
}
