//! The two meta pages: where a state of the store starts.

use std::fs::File;
use std::os::unix::fs::FileExt;

use super::{u16_at, u32_at, u64_at};
use crate::{Error, Result};

const MAGIC: u32 = 0xbeef_c0de;
const VERSION: u32 = 1;
pub(super) const HEADER: usize = 16;
pub(super) const META: u16 = 8;
/// Where a meta page has the number of its transaction.
const TRANSACTION: usize = 128;
/// The root of an empty tree.
pub(super) const NONE: u64 = u64::MAX;

/// The record of one of LMDB's databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::guard) struct Record {
    pub flags: u16,
    pub depth: u16,
    pub branches: u64,
    pub leaves: u64,
    pub overflow: u64,
    pub entries: u64,
    pub root: u64,
}

impl Record {
    pub const LENGTH: usize = 48;

    pub fn read(bytes: &[u8]) -> Record {
        Record {
            flags: u16_at(bytes, 4),
            depth: u16_at(bytes, 6),
            branches: u64_at(bytes, 8),
            leaves: u64_at(bytes, 16),
            overflow: u64_at(bytes, 24),
            entries: u64_at(bytes, 32),
            root: u64_at(bytes, 40),
        }
    }
}

/// A meta page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::guard) struct Meta {
    pub page_size: usize,
    pub free: Record,
    pub main: Record,
    /// The last page that was ever given out.
    pub last: u64,
    pub transaction: u64,
}

/// Both, as one read found them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::guard) struct Metas(pub [Meta; 2]);

impl Metas {
    /// The one that LMDB starts from.
    pub fn newest(&self) -> &Meta {
        let [first, second] = &self.0;
        if first.transaction < second.transaction {
            second
        } else {
            first
        }
    }

    /// That of a transaction, if it is still there.
    pub fn of(&self, transaction: u64) -> Option<&Meta> {
        self.0.iter().find(|meta| meta.transaction == transaction)
    }

    /// Transactions take turns in writing the two, so they are neighbours; a fresh file has 0 twice.
    fn are_neighbours(&self) -> bool {
        let [even, odd] = self.0.map(|meta| meta.transaction);
        (even, odd) == (0, 0) || (even % 2 == 0 && odd % 2 == 1 && even.abs_diff(odd) == 1)
    }
}

/// Reads and checks both meta pages. `FormatVersion` for another version of LMDB, else `Corruption`.
pub(in crate::guard) fn read_metas(file: &File) -> Result<Metas> {
    let mut last = Err(wrong("its meta pages"));
    // A commit may come between: the pages are then read again.
    for _ in 0..5 {
        last = try_read(file);
        if last.is_ok() {
            break;
        }
    }
    last
}

fn try_read(file: &File) -> Result<Metas> {
    let mut bytes = vec![0; 2 * 65_536];
    let length = read_up_to(file, &mut bytes, 0)?;
    bytes.truncate(length);
    let first = read_meta(&bytes, 0)?;
    let second = read_meta(bytes.get(first.page_size..).unwrap_or_default(), 1)?;
    let metas = Metas([first, second]);
    if first.page_size != second.page_size || !metas.are_neighbours() {
        return Err(wrong("its two meta pages do not belong together"));
    }
    Ok(metas)
}

fn read_meta(page: &[u8], number: u64) -> Result<Meta> {
    let Some(body) = page.get(HEADER..HEADER + 136) else {
        return Err(wrong("a meta page is missing: the file was cut short"));
    };
    if u32_at(body, 0) != MAGIC {
        return Err(wrong("it is not a database of this kind"));
    }
    match u32_at(body, 4) {
        VERSION => {}
        other => {
            return Err(Error::FormatVersion(format!(
                "the file is of version {other} of LMDB's format; this program reads {VERSION}"
            )))
        }
    }
    let page_size = u32_at(body, 24) as usize;
    let meta = Meta {
        page_size,
        free: Record::read(body.get(24..).unwrap_or_default()),
        main: Record::read(body.get(72..).unwrap_or_default()),
        last: u64_at(body, 120),
        transaction: u64_at(body, TRANSACTION),
    };
    let sound = page_size.is_power_of_two()
        && (512..=65_536).contains(&page_size)
        && u64_at(page, 0) == number
        && u16_at(page, 10) == META
        && meta.last >= 1
        && meta.last < 1 << 48;
    sound
        .then_some(meta)
        .ok_or_else(|| wrong("a meta page is damaged"))
}

/// Gives a compacted copy, whose transactions LMDB counts from 1 again, a number that is not less than `number`:
/// who remembers a transaction by its number is not misled.
pub(in crate::guard) fn number_from(file: &File, number: u64) -> Result<()> {
    let [even, odd] = read_metas(file)?.0;
    // An empty store has no transaction.
    if odd.transaction == 0 {
        return Ok(());
    }
    // Odd numbers belong to the second page, which is the one in use.
    let number = number | 1;
    for (place, number) in [(0, number - 1), (even.page_size, number)] {
        let place = (place + HEADER + TRANSACTION) as u64;
        file.write_all_at(&number.to_le_bytes(), place)
            .map_err(|error| Error::Store(format!("could not write the copy: {error}")))?;
    }
    Ok(())
}

/// As many bytes as there are, up to the length of `bytes`.
pub(super) fn read_up_to(file: &File, bytes: &mut [u8], place: u64) -> Result<usize> {
    let mut done = 0;
    while done < bytes.len() {
        let rest = bytes.get_mut(done..).unwrap_or_default();
        match file.read_at(rest, place + done as u64) {
            Ok(0) => break,
            Ok(length) => done += length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::Store(format!("could not read the file: {error}"))),
        }
    }
    Ok(done)
}

pub(super) fn wrong(what: &str) -> Error {
    Error::Corruption(format!("data.mdb: {what}"))
}
