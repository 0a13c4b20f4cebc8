//! A database of byte strings under byte strings. What is read lives as long as the transaction is borrowed:
//! a write needs it for itself, so nothing read before is left.

use std::marker::PhantomData;
use std::ops::Bound;
use std::ptr::null_mut;

use super::{check, sys, Answer, Code, RoTxn, RwTxn};

type Pair<'t> = (&'t [u8], &'t [u8]);
type Range<'r> = (Bound<&'r [u8]>, Bound<&'r [u8]>);

/// The handle of a database; goes with any transaction of its environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Db {
    handle: sys::MDB_dbi,
}

/// How an entry is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PutFlags(u32);

impl PutFlags {
    /// The key is behind all others.
    pub const APPEND: PutFlags = PutFlags(sys::MDB_APPEND);

    pub fn empty() -> PutFlags {
        PutFlags(0)
    }
}

impl Db {
    pub(super) fn new(handle: sys::MDB_dbi) -> Db {
        Db { handle }
    }

    pub fn get<'t>(&self, transaction: &'t RoTxn, key: &[u8]) -> Answer<Option<&'t [u8]>> {
        let (mut key, mut data) = (value(key), value(&[]));
        // SAFETY: the transaction is open; `key` is only read.
        let code = unsafe { sys::mdb_get(transaction.raw, self.handle, &mut key, &mut data) };
        // SAFETY: on success, `data` is bytes of the map or of a page of this transaction.
        found(code).map(|found| found.then(|| unsafe { slice(&data) }))
    }

    pub fn put(&self, transaction: &mut RwTxn<'_>, key: &[u8], data: &[u8]) -> Answer<()> {
        self.put_with_flags(transaction, PutFlags::empty(), key, data)
    }

    pub fn put_with_flags(
        &self,
        transaction: &mut RwTxn<'_>,
        flags: PutFlags,
        key: &[u8],
        data: &[u8],
    ) -> Answer<()> {
        let (mut key, mut data) = (value(key), value(data));
        // SAFETY: the transaction is open and nothing read from it is borrowed; LMDB copies both.
        let put =
            unsafe { sys::mdb_put(transaction.raw, self.handle, &mut key, &mut data, flags.0) };
        // A large transaction writes pages before its end.
        check(put).map_err(|code| transaction.environment().explain(code))
    }

    /// Says whether the key was there.
    pub fn delete(&self, transaction: &mut RwTxn<'_>, key: &[u8]) -> Answer<bool> {
        let mut key = value(key);
        // SAFETY: as in `put_with_flags`.
        found(unsafe { sys::mdb_del(transaction.raw, self.handle, &mut key, null_mut()) })
    }

    /// Gives the number of entries removed.
    pub fn delete_range(&self, transaction: &mut RwTxn<'_>, range: &Range<'_>) -> Answer<usize> {
        let mut cursor = Cursor::open(transaction, *self)?;
        let mut entry = cursor.start(range.0)?;
        let mut removed = 0;
        while let Some((key, _)) = entry {
            if is_behind(key, range.1) {
                break;
            }
            // SAFETY: the transaction is ours alone, and `key` is not used again.
            check(unsafe { sys::mdb_cursor_del(cursor.raw, 0) })?;
            removed += 1;
            // The cursor stands on what followed; NEXT gives just that.
            entry = cursor.go(sys::MDB_NEXT, None)?;
        }
        Ok(removed)
    }

    pub fn last<'t>(&self, transaction: &'t RoTxn) -> Answer<Option<Pair<'t>>> {
        Cursor::open(transaction, *self)?.go(sys::MDB_LAST, None)
    }

    pub fn get_greater_than<'t>(
        &self,
        transaction: &'t RoTxn,
        key: &[u8],
    ) -> Answer<Option<Pair<'t>>> {
        Cursor::open(transaction, *self)?.start(Bound::Excluded(key))
    }

    pub fn get_lower_than<'t>(
        &self,
        transaction: &'t RoTxn,
        key: &[u8],
    ) -> Answer<Option<Pair<'t>>> {
        let mut cursor = Cursor::open(transaction, *self)?;
        match cursor.start(Bound::Included(key))? {
            Some(_) => cursor.go(sys::MDB_PREV, None),
            None => cursor.go(sys::MDB_LAST, None),
        }
    }

    pub fn get_lower_than_or_equal_to<'t>(
        &self,
        transaction: &'t RoTxn,
        key: &[u8],
    ) -> Answer<Option<Pair<'t>>> {
        let mut cursor = Cursor::open(transaction, *self)?;
        match cursor.start(Bound::Included(key))? {
            Some(pair) if pair.0 == key => Ok(Some(pair)),
            Some(_) => cursor.go(sys::MDB_PREV, None),
            None => cursor.go(sys::MDB_LAST, None),
        }
    }

    pub fn range<'t, 'r>(
        &self,
        transaction: &'t RoTxn,
        range: &Range<'r>,
    ) -> Answer<Entries<'t, 'r>> {
        Ok(Entries {
            cursor: Cursor::open(transaction, *self)?,
            start: Some(range.0),
            end: range.1,
        })
    }
}

/// Entries one after the other.
#[derive(Debug)]
pub(crate) struct Entries<'t, 'r> {
    cursor: Cursor<'t>,
    start: Option<Bound<&'r [u8]>>,
    end: Bound<&'r [u8]>,
}

impl<'t> Iterator for Entries<'t, '_> {
    type Item = Answer<Pair<'t>>;

    fn next(&mut self) -> Option<Self::Item> {
        let entry = match self.start.take() {
            Some(start) => self.cursor.start(start),
            None => self.cursor.go(sys::MDB_NEXT, None),
        };
        match entry.transpose()? {
            Ok((key, _)) if is_behind(key, self.end) => None,
            entry => Some(entry),
        }
    }
}

/// A cursor of LMDB. Closed before its transaction ends, since it borrows it.
#[derive(Debug)]
struct Cursor<'t> {
    raw: *mut sys::MDB_cursor,
    transaction: PhantomData<&'t RoTxn>,
}

impl<'t> Cursor<'t> {
    fn open(transaction: &'t RoTxn, database: Db) -> Answer<Cursor<'t>> {
        let mut raw = null_mut();
        // SAFETY: the transaction is open and outlives the cursor.
        check(unsafe { sys::mdb_cursor_open(transaction.raw, database.handle, &mut raw) })?;
        Ok(Cursor {
            raw,
            transaction: PhantomData,
        })
    }

    fn start(&mut self, bound: Bound<&[u8]>) -> Answer<Option<Pair<'t>>> {
        match bound {
            Bound::Unbounded => self.go(sys::MDB_FIRST, None),
            // LMDB has no empty keys and refuses to look for one; all others are behind it.
            Bound::Included([]) | Bound::Excluded([]) => self.go(sys::MDB_FIRST, None),
            Bound::Included(key) => self.go(sys::MDB_SET_RANGE, Some(key)),
            Bound::Excluded(key) => match self.go(sys::MDB_SET_RANGE, Some(key))? {
                Some(pair) if pair.0 == key => self.go(sys::MDB_NEXT, None),
                other => Ok(other),
            },
        }
    }

    fn go(&mut self, to: sys::MDB_cursor_op, key: Option<&[u8]>) -> Answer<Option<Pair<'t>>> {
        let (mut key, mut data) = (value(key.unwrap_or_default()), value(&[]));
        // SAFETY: the cursor is open; LMDB sets both values on success.
        let code = unsafe { sys::mdb_cursor_get(self.raw, &mut key, &mut data, to) };
        // SAFETY: on success both are bytes of the map or of a page of the transaction.
        found(code).map(|found| found.then(|| unsafe { (slice(&key), slice(&data)) }))
    }
}

impl Drop for Cursor<'_> {
    fn drop(&mut self) {
        // SAFETY: opened once, closed once, before its transaction.
        unsafe { sys::mdb_cursor_close(self.raw) };
    }
}

fn is_behind(key: &[u8], end: Bound<&[u8]>) -> bool {
    match end {
        Bound::Unbounded => false,
        Bound::Included(end) => key > end,
        Bound::Excluded(end) => key >= end,
    }
}

fn found(code: i32) -> Answer<bool> {
    match code {
        sys::MDB_SUCCESS => Ok(true),
        sys::MDB_NOTFOUND => Ok(false),
        code => Err(Code(code)),
    }
}

fn value(bytes: &[u8]) -> sys::MDB_val {
    sys::MDB_val {
        mv_size: bytes.len() as _,
        mv_data: bytes.as_ptr().cast_mut().cast(),
    }
}

/// The caller says for how long the bytes live.
unsafe fn slice<'t>(value: &sys::MDB_val) -> &'t [u8] {
    if value.mv_size == 0 {
        return &[];
    }
    // SAFETY: LMDB gave place and size; the caller bounds the life.
    unsafe { std::slice::from_raw_parts(value.mv_data.cast(), value.mv_size) }
}
