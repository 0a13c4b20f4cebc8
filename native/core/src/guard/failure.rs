//! What a failure of LMDB or of the system means to a person.

use std::path::Path;

use lmdb_master_sys as sys;

use crate::tree::lmdb::Code;
use crate::Error;

/// The kind of a failure by its code, in the words of `what`.
pub(crate) fn failure(code: i32, what: &str) -> Error {
    match code {
        libc::ENOSPC | libc::EDQUOT | libc::EFBIG => Error::Full(format!(
            "{what}; nothing of this write was stored: make room and write again"
        )),
        sys::MDB_MAP_FULL => Error::Full(format!(
            "{what}; nothing of this write was stored: open the store with a larger map_size_bytes"
        )),
        libc::EROFS | libc::EACCES | libc::EPERM => Error::ReadOnly(what.into()),
        sys::MDB_VERSION_MISMATCH => Error::FormatVersion(what.into()),
        sys::MDB_INVALID | sys::MDB_CORRUPTED | sys::MDB_PAGE_NOTFOUND => {
            Error::Corruption(format!("{what}: run verify"))
        }
        sys::MDB_READERS_FULL => Error::Store(format!(
            "{what}: each open snapshot and each running scan of all processes takes one; close those that are \
             no longer needed, and share one snapshot among its readers"
        )),
        _ => Error::Store(what.into()),
    }
}

/// Why an environment could not be opened.
pub(crate) fn open_failure(path: &Path, read_only: bool) -> impl Fn(Code) -> Error + '_ {
    move |code| {
        let path = path.display();
        match code.0 {
            libc::EBUSY => Error::Usage(format!(
                "{path} is open in this process already: use the one that is open"
            )),
            libc::EROFS | libc::EACCES | libc::EPERM if read_only => Error::Store(format!(
                "could not open {path} for reading: {code}; lock.mdb in it must be writable, since readers \
                 say there what they read"
            )),
            libc::EROFS | libc::EACCES | libc::EPERM => Error::ReadOnly(format!(
                "could not open {path} for writing: {code}; open it with read_only"
            )),
            sys::MDB_INVALID => Error::Corruption(format!(
                "{path} holds no database, or one whose first pages are damaged: {code}"
            )),
            other => failure(other, &format!("could not open {path}: {code}")),
        }
    }
}
