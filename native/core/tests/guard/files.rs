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
fn data_that_is_lost_is_not_replaced_by_an_empty_store() {
    let folder = store_of(&sample());
    let path = folder.path().to_path_buf();
    let file = path.join("data.mdb");
    let whole = std::fs::read(&file).unwrap();
    let refused = |why: &str| {
        for (create, read_only) in [(true, false), (false, false), (false, true)] {
            let mut options = options();
            options.store.create = create;
            options.store.read_only = read_only;
            match Directory::open(&path, &options) {
                Err(Error::Corruption(what)) => assert!(what.contains(why), "{what}"),
                other => unreachable!("{other:?}"),
            }
        }
        assert!(!verify(&path).unwrap().is_sound());
    };
    for marker in [true, false] {
        // A store of before the marker has none.
        if !marker {
            std::fs::remove_file(path.join("lexigraph.store")).unwrap();
        }
        std::fs::write(&file, b"").unwrap();
        refused("data.mdb is empty");
        std::fs::remove_file(&file).unwrap();
        refused("data.mdb is missing");
        assert!(!file.exists());
    }
    std::fs::write(&file, &whole).unwrap();
    assert_eq!(all(&open(&path)).unwrap(), sample());
    assert!(path.join("lexigraph.store").exists());
}

#[test]
fn a_creation_that_was_cut_short_is_done_again() {
    for left in [
        &[][..],
        &["guard.lock"],
        &["guard.lock", "lock.mdb"],
        &["guard.lock", "data.mdb"],
    ] {
        for length in [0, 4096] {
            let folder = Folder::new();
            std::fs::create_dir_all(folder.path()).unwrap();
            std::fs::write(folder.path().join("lexigraph.store"), b"").unwrap();
            for name in left {
                std::fs::write(folder.path().join(name), vec![0; length]).unwrap();
            }
            assert!(matches!(verify(folder.path()), Err(Error::Store(_))));
            write(&open(folder.path()), &rows(10)).unwrap();
            assert_eq!(all(&open(folder.path())).unwrap(), rows(10));
            std::fs::remove_file(folder.path().join("data.mdb")).unwrap();
            let answer = Directory::open(folder.path(), &options());
            assert!(matches!(answer, Err(Error::Corruption(_))), "{answer:?}");
        }
    }
}

#[test]
fn a_directory_with_other_files_does_not_become_a_store() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("src")).unwrap();
    std::fs::write(folder.path().join("main.c"), b"int main").unwrap();
    let answer = Directory::open(folder.path(), &options());
    let Err(Error::Usage(message)) = answer else {
        unreachable!("{answer:?}");
    };
    assert!(message.contains("it contains main.c, src"), "{message}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
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
