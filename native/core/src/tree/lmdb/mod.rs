//! LMDB as the trees use it: environments, transactions, databases of byte strings. All `unsafe` code stands in
//! this folder and in `mapped.rs`.
//!
//! Why not a ready wrapper: a process that was forked must be able to open a store again that its parent
//! had open, must never touch the parent's reader slots, and an environment must be able to close and reopen
//! under its user (vacuum, a failed disk). LMDB allows all three; the caller has to keep count of what is open.

mod database;
mod environment;
pub(crate) mod fork;
mod transaction;

pub(crate) use database::{Db, PutFlags};
pub(crate) use environment::{identity, Environment, Flags, Reader};
pub(crate) use transaction::{ReadTxn, RoTxn, RwTxn};

use lmdb_master_sys as sys;

/// A return code of LMDB: its own are negative, those of the system positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code(pub i32);

pub(crate) type Answer<T> = Result<T, Code>;

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let words = match self.0 {
            code if code > 0 => return write!(f, "{}", std::io::Error::from_raw_os_error(code)),
            sys::MDB_KEYEXIST => "the key is there already",
            sys::MDB_PAGE_NOTFOUND => "a page is missing",
            sys::MDB_CORRUPTED => "a page is of the wrong kind",
            sys::MDB_PANIC => "an earlier write failed on the disk",
            sys::MDB_VERSION_MISMATCH => "the file is of another version of LMDB",
            sys::MDB_INVALID => "the file is not of LMDB",
            sys::MDB_MAP_FULL => "the map is full",
            sys::MDB_READERS_FULL => "all reader slots are taken",
            sys::MDB_MAP_RESIZED => "the file has grown past the map",
            code => return write!(f, "LMDB's error {code}"),
        };
        f.write_str(words)
    }
}

fn check(code: i32) -> Answer<()> {
    match code {
        sys::MDB_SUCCESS => Ok(()),
        code => Err(Code(code)),
    }
}
