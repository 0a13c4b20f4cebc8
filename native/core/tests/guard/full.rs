//! No room left: an error, nothing stored, and the store goes on when there is room.

use std::path::Path;
use std::sync::Arc;

use lexigraph_core::cells::Cell;
use lexigraph_core::guard::Directory;
use lexigraph_core::Error;

use crate::processes::play_out;
use crate::support::*;

/// Cells that no encoding makes small.
fn large(count: u32) -> Vec<Cell> {
    let mut state = 1u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    let mut value = || (0..6000).map(|_| noise()).collect::<Vec<u8>>();
    (0..count).map(|row| cell(row, 1, &value())).collect()
}

fn is_full_and_goes_on(directory: &Arc<Directory>, make_room: impl FnOnce()) {
    write(directory, &rows(20)).unwrap();
    for _ in 0..3 {
        let answer = write(directory, &large(2000));
        assert!(matches!(&answer, Err(Error::Full(_))), "{answer:?}");
        assert_eq!(all(directory).unwrap(), rows(20));
    }
    // A small one fits, and is stored.
    write(directory, &[cell(900, 1, b"small")]).unwrap();
    assert_eq!(all(directory).unwrap().len(), 21);
    make_room();
    write(directory, &large(100)).unwrap();
    assert_eq!(all(directory).unwrap().len(), 121);
    assert!(directory.verify().unwrap().is_sound());
}

#[test]
fn a_full_map() {
    let folder = Folder::new();
    let mut options = options();
    options.store.map_size = 4 << 20;
    let directory = Directory::open(folder.path(), &options).unwrap();
    is_full_and_goes_on(&directory, || {});
}

/// Runs in a process of its own, whose files may have a length of 4 MB only.
#[allow(unsafe_code)]
pub fn fill_up(path: &Path) {
    let limit = |bytes| libc::rlimit {
        rlim_cur: bytes,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: plain calls; the signal of a file that is too long is to be an error instead.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
        assert_eq!(libc::setrlimit(libc::RLIMIT_FSIZE, &limit(4 << 20)), 0);
    }
    let directory = open(path);
    is_full_and_goes_on(&directory, || {
        // SAFETY: as above.
        unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &limit(libc::RLIM_INFINITY)) };
    });
    println!("\nwent on");
}

#[test]
fn a_file_that_may_not_grow() {
    let folder = Folder::new();
    let (_, said) = play_out("full", folder.path());
    assert!(said.contains("went on"), "{said}");
}

/// By hand, as root: `mount -t tmpfs -o size=6m none /mnt/small`, then this test with
/// `LEXIGRAPH_SMALL_DISK=/mnt/small`.
#[test]
fn a_full_disk() {
    let Ok(disk) = std::env::var("LEXIGRAPH_SMALL_DISK") else {
        return;
    };
    let path = Path::new(&disk).join("store");
    is_full_and_goes_on(&open(&path), || {});
    std::fs::remove_dir_all(&path).unwrap();
}
