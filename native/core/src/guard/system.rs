//! Calls of the system that the standard library does not have: record locks and the kind of a file system.
//!
//! Record locks (`fcntl`) and not `flock`: the kernel ends both with their process, but a forked child has
//! no part in a record lock, while a `flock` lives on in every child. Their price: closing any file handle
//! of the lock file ends all locks of the process on it. So each process opens it once, in `lock.rs`.

use std::fs::File;
use std::io::{Error, Result};
use std::os::fd::AsRawFd;

/// What is wanted of a byte of a lock file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Shared,
    Alone,
    Free,
}

fn region(byte: i64, want: Want) -> libc::flock {
    // SAFETY: a struct of numbers.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    let kind = match want {
        Want::Shared => libc::F_RDLCK,
        Want::Alone => libc::F_WRLCK,
        Want::Free => libc::F_UNLCK,
    };
    lock.l_type = kind as _;
    lock.l_whence = libc::SEEK_SET as _;
    lock.l_start = byte as _;
    lock.l_len = 1;
    lock
}

/// Locks or frees a byte without waiting; false where another process is in the way.
pub(super) fn lock_byte(file: &File, byte: i64, want: Want) -> Result<bool> {
    let lock = region(byte, want);
    loop {
        // SAFETY: the file is open and the struct lives through the call.
        if unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETLK, &lock) } == 0 {
            return Ok(true);
        }
        let error = Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::EINTR) => {}
            Some(libc::EAGAIN | libc::EACCES) => return Ok(false),
            _ => return Err(error),
        }
    }
}

/// A process that is in the way of `want`; 0 where it is of another machine or container.
pub(super) fn in_the_way(file: &File, byte: i64, want: Want) -> Option<u32> {
    let mut lock = region(byte, want);
    // SAFETY: as above; the call fills the struct.
    let code = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_GETLK, &mut lock) };
    let free = lock.l_type == libc::F_UNLCK as libc::c_short;
    (code == 0 && !free).then(|| u32::try_from(lock.l_pid).unwrap_or_default())
}

/// The number of the kind of file system that a path is on.
#[cfg(target_os = "linux")]
pub(super) fn file_system(path: &std::path::Path) -> Option<u64> {
    let path = std::ffi::CString::new(path.as_os_str().as_encoded_bytes()).ok()?;
    // SAFETY: a struct of numbers.
    let mut found: libc::statfs = unsafe { std::mem::zeroed() };
    // SAFETY: the path ends in 0; the call fills the struct.
    let code = unsafe { libc::statfs(path.as_ptr(), &mut found) };
    // The type is signed on some machines: the lower 32 bits are the number.
    (code == 0).then_some(found.f_type as u64 & 0xffff_ffff)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn file_system(_path: &std::path::Path) -> Option<u64> {
    None
}

/// The greatest length that this process may give a file.
pub(crate) fn longest_file() -> u64 {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the call fills the struct.
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &mut limit) };
    limit.rlim_cur
}
