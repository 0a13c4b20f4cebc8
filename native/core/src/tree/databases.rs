//! The databases of a store's environment, and the entry that says what they are.

use std::sync::Arc;

use super::lmdb::{Environment, ReadTxn, RwTxn};
use super::mapped::{failed, Databases};
use crate::{Error, Result};

const MAGIC: [u8; 4] = *b"LXGS";
const VERSION: u32 = 1;

/// Always in this order: the handles then have the same numbers in every environment.
const DATABASES: [&std::ffi::CStr; 4] = [c"cells", c"overflow", c"meta", c"log"];

/// What an environment holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A store of ours.
    Ours(Databases),
    /// Nothing yet.
    Nothing,
    /// What another program put there.
    Foreign,
}

/// The databases of an environment that has them. All of it is read in one transaction: another process may be
/// making them, and then they are all there or none is.
pub(super) fn find_databases(environment: &Arc<Environment>) -> Result<Holds> {
    let transaction = ReadTxn::begin(environment).map_err(failed("start to read"))?;
    let [cells, overflow, meta, log] = DATABASES.map(|name| transaction.database(name, false));
    let opened = failed("open a database");
    let found = (
        cells.map_err(&opened)?,
        overflow.map_err(&opened)?,
        meta.map_err(&opened)?,
        log.map_err(&opened)?,
    );
    let (Some(cells), Some(overflow), Some(meta), Some(log)) = found else {
        let entries = transaction.entries().map_err(failed("read"))?;
        return Ok(match entries {
            0 => Holds::Nothing,
            _ => Holds::Foreign,
        });
    };
    let held = meta.get(&transaction, b"format").map_err(failed("read"))?;
    check_format(held)?;
    // The handles belong to the environment from here on.
    transaction.commit().map_err(failed("open a database"))?;
    Ok(Holds::Ours(Databases {
        cells,
        overflow,
        meta,
        log,
    }))
}

/// Makes those of a new environment.
pub(super) fn make_databases(environment: &Arc<Environment>) -> Result<Databases> {
    let mut transaction = RwTxn::begin(environment).map_err(failed("start to write"))?;
    let database = |name| {
        let made = transaction.database(name, true);
        made.map_err(failed("make a database"))?
            .ok_or_else(|| Error::Store("could not make a database".into()))
    };
    let [cells, overflow, meta, log] = DATABASES.map(database);
    let databases = Databases {
        cells: cells?,
        overflow: overflow?,
        meta: meta?,
        log: log?,
    };
    // Another process may have been faster.
    let held = databases
        .meta
        .get(&transaction, b"format")
        .map_err(failed("read"))?;
    match held {
        Some(_) => check_format(held)?,
        None => databases
            .meta
            .put(&mut transaction, b"format", &format_entry())
            .map_err(failed("write"))?,
    }
    transaction.commit().map_err(failed("commit"))?;
    Ok(databases)
}

fn format_entry() -> Vec<u8> {
    [MAGIC, VERSION.to_le_bytes()].concat()
}

fn check_format(held: Option<&[u8]>) -> Result<()> {
    match held {
        Some(bytes) if bytes == format_entry() => Ok(()),
        Some(bytes) => Err(Error::FormatVersion(format!(
            "this directory holds another format ({bytes:02x?}); this version reads format {VERSION}"
        ))),
        None => Err(Error::Corruption("the store does not say its format".into())),
    }
}
