//! Transactions. Each holds its environment, so that it cannot be closed below one.

use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::null_mut;
use std::sync::Arc;

use super::{check, sys, Answer, Db, Environment};

/// The handle of the database that holds the names of the others.
const MAIN: sys::MDB_dbi = 1;

/// What can be read from: a transaction of either kind, as long as it is borrowed.
#[derive(Debug)]
pub(crate) struct RoTxn {
    pub(super) raw: *mut sys::MDB_txn,
}

/// A read transaction. It may be ended ([`ReadTxn::reset`]) and started again, which takes no lock.
#[derive(Debug)]
pub(crate) struct ReadTxn {
    inner: RoTxn,
    environment: Arc<Environment>,
}

// SAFETY: with MDB_NOTLS a read transaction may be used by any thread, one at a time.
unsafe impl Send for ReadTxn {}

impl ReadTxn {
    pub fn begin(environment: &Arc<Environment>) -> Answer<ReadTxn> {
        let inner = begin(environment, sys::MDB_RDONLY)?;
        Ok(ReadTxn {
            inner,
            environment: Arc::clone(environment),
        })
    }

    /// Lets go of the state that it saw. Until [`ReadTxn::renew`], every read through it fails.
    pub fn reset(&mut self) {
        if !self.environment.is_inherited() {
            // SAFETY: the transaction is ours; LMDB refuses all but renew and abort from here on.
            unsafe { sys::mdb_txn_reset(self.inner.raw) };
        }
    }

    /// Starts again at the newest state, after [`ReadTxn::reset`].
    pub fn renew(&mut self) -> Answer<()> {
        // SAFETY: LMDB itself refuses one that was not reset.
        check(unsafe { sys::mdb_txn_renew(self.inner.raw) })
    }

    /// The number of the state that it sees.
    pub fn id(&self) -> u64 {
        // SAFETY: the transaction is there.
        unsafe { sys::mdb_txn_id(self.inner.raw) as u64 }
    }

    /// Ends it so that the handles of databases opened in it stay.
    pub fn commit(self) -> Answer<()> {
        let raw = self.inner.raw;
        let this = std::mem::ManuallyDrop::new(self);
        // SAFETY: `drop` does not run any more, so it is ended once; the environment is read out of
        // a value that nobody sees again.
        unsafe {
            let _environment = std::ptr::read(&this.environment);
            check(sys::mdb_txn_commit(raw))
        }
    }
}

impl Deref for ReadTxn {
    type Target = RoTxn;
    fn deref(&self) -> &RoTxn {
        &self.inner
    }
}

impl Drop for ReadTxn {
    fn drop(&mut self) {
        // The slot of an inherited transaction is the parent's, and may be in use.
        if !self.environment.is_inherited() {
            // SAFETY: it was begun and not committed.
            unsafe { sys::mdb_txn_abort(self.inner.raw) };
        }
    }
}

/// The write transaction; it belongs to the thread that began it.
#[derive(Debug)]
pub(crate) struct RwTxn<'e> {
    inner: RoTxn,
    environment: Arc<Environment>,
    store: PhantomData<&'e Environment>,
}

impl<'e> RwTxn<'e> {
    /// Waits for the writer before.
    pub fn begin(environment: &Arc<Environment>) -> Answer<RwTxn<'e>> {
        let inner = begin(environment, 0)?;
        Ok(RwTxn {
            inner,
            environment: Arc::clone(environment),
            store: PhantomData,
        })
    }

    /// The number of the state that it makes.
    pub fn id(&self) -> u64 {
        // SAFETY: the transaction is there.
        unsafe { sys::mdb_txn_id(self.inner.raw) as u64 }
    }

    /// Says whether its commit may leave the sync of the meta page to a later one. It holds the only right to
    /// write, so no other commit of this process reads the flag meanwhile.
    pub fn relax(&self, relaxed: bool) -> Answer<()> {
        let (env, on) = (self.environment.raw(), i32::from(relaxed));
        // SAFETY: the environment is open, and NOMETASYNC never damages a store.
        check(unsafe { sys::mdb_env_set_flags(env, sys::MDB_NOMETASYNC, on) })
    }

    /// Makes everything that was written part of the store, or nothing.
    pub fn commit(self) -> Answer<()> {
        let raw = self.inner.raw;
        let this = std::mem::ManuallyDrop::new(self);
        // SAFETY: as in `ReadTxn::commit`; LMDB frees the transaction also when the commit fails.
        unsafe {
            let environment = std::ptr::read(&this.environment);
            if environment.is_inherited() {
                return Err(super::Code(libc::EINVAL));
            }
            check(sys::mdb_txn_commit(raw)).map_err(|code| environment.explain(code))
        }
    }
}

impl RwTxn<'_> {
    pub(super) fn environment(&self) -> &Environment {
        &self.environment
    }
}

impl Deref for RwTxn<'_> {
    type Target = RoTxn;
    fn deref(&self) -> &RoTxn {
        &self.inner
    }
}

impl Drop for RwTxn<'_> {
    fn drop(&mut self) {
        if !self.environment.is_inherited() {
            // SAFETY: it was begun and not committed.
            unsafe { sys::mdb_txn_abort(self.inner.raw) };
        }
    }
}

impl RoTxn {
    /// The handle of a database; none where it is not there. `create` needs a write transaction.
    pub fn database(&self, name: &std::ffi::CStr, create: bool) -> Answer<Option<Db>> {
        let flags = if create { sys::MDB_CREATE } else { 0 };
        let mut handle = 0;
        // SAFETY: the transaction is open and the name ends in 0.
        let code = unsafe { sys::mdb_dbi_open(self.raw, name.as_ptr(), flags, &mut handle) };
        match code {
            sys::MDB_NOTFOUND => Ok(None),
            code => check(code).map(|()| Some(Db::new(handle))),
        }
    }

    /// How many entries the main database has: the names of the others, and what other programs put there.
    /// `mdb_env_stat` would tell of a commit that transactions do not see yet.
    pub fn entries(&self) -> Answer<usize> {
        // SAFETY: a struct of numbers, which LMDB fills.
        let mut stat: sys::MDB_stat = unsafe { std::mem::zeroed() };
        // SAFETY: the transaction is open, and the main database always is.
        check(unsafe { sys::mdb_stat(self.raw, MAIN, &mut stat) })?;
        Ok(stat.ms_entries as usize)
    }
}

fn begin(environment: &Environment, flags: u32) -> Answer<RoTxn> {
    let mut raw = null_mut();
    // SAFETY: the environment is open, and held by the transaction from here on.
    check(unsafe { sys::mdb_txn_begin(environment.raw(), null_mut(), flags, &mut raw) })?;
    Ok(RoTxn { raw })
}
