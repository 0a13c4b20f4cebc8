//! The walk over all pages of one state of a file.

use std::fs::File;

use super::account::{Account, Pages};
use super::meta::{read_up_to, Meta, Record, HEADER, NONE};
use super::order::{in_order, least};
use super::page::{Content, Page, OVERFLOW};
use super::{u16_at, u32_at, u64_at};
use crate::Result;

/// As deep as LMDB itself can go.
const DEEPEST: u16 = 32;

/// How much is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::guard) enum Depth {
    /// Branches and leaves: is every page inside of the file?
    Places,
    /// The first page of each long entry as well.
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Free,
    Main,
    Named,
}

struct Walk<'f> {
    file: &'f File,
    size: usize,
    depth: Depth,
    account: Account,
    named: Vec<(String, Record)>,
}

/// Walks over the state that a meta page starts. Errors are those of reading the file; what is wrong in it
/// stands in the answer.
pub(in crate::guard) fn walk(file: &File, meta: &Meta, depth: Depth) -> Result<Pages> {
    let length = file.metadata().map_or(0, |held| held.len());
    let mut walk = Walk {
        file,
        size: meta.page_size,
        depth,
        account: Account::new(length / meta.page_size as u64, meta.last),
        named: Vec::new(),
    };
    walk.database("the list of free pages", &meta.free, Kind::Free)?;
    walk.database("the main database", &meta.main, Kind::Main)?;
    for (name, record) in std::mem::take(&mut walk.named) {
        walk.database(&name, &record, Kind::Named)?;
    }
    Ok(walk.account.close())
}

/// What a database was found to hold.
#[derive(Default)]
struct Tally {
    branches: u64,
    leaves: u64,
    overflow: u64,
    entries: u64,
}

impl Walk<'_> {
    fn database(&mut self, name: &str, record: &Record, kind: Kind) -> Result<()> {
        let mut tally = Tally::default();
        // Bit 3: numbers as keys, as the list of free pages has them.
        let flags = record.flags & 0x7fff;
        if flags != 0 && !(kind == Kind::Free && flags == 8) {
            self.account
                .problem(format!("{name} has unknown flags {flags:#x}"));
        }
        if record.root != NONE {
            let depth = record.depth;
            if depth == 0 || depth > DEEPEST {
                self.account
                    .problem(format!("{name} has a depth of {depth}"));
                return Ok(());
            }
            self.tree(name, kind, record.root, depth, (None, None), &mut tally)?;
        }
        let held = (tally.branches, tally.leaves, tally.overflow, tally.entries);
        let told = (
            record.branches,
            record.leaves,
            record.overflow,
            record.entries,
        );
        if held != told {
            self.account.problem(format!(
                "{name} has {held:?} branches, leaves, long pages and entries, but its record says {told:?}"
            ));
        }
        Ok(())
    }

    /// A page and all below it; its keys lie in `bounds`, the first included.
    fn tree(
        &mut self,
        name: &str,
        kind: Kind,
        number: u64,
        depth: u16,
        bounds: (Option<&[u8]>, Option<&[u8]>),
        tally: &mut Tally,
    ) -> Result<()> {
        if !self.account.take(name, number, 1) {
            return Ok(());
        }
        let mut bytes = vec![0; self.size];
        read_up_to(self.file, &mut bytes, number * self.size as u64)?;
        let page = match Page::read(&bytes, number) {
            Ok(page) if page.is_leaf != (depth == 1) => Err("is at the wrong depth"),
            Ok(page) if page.entries.len() < least(&page, kind) => Err("has too few entries"),
            other => other,
        };
        let page = match page {
            Ok(page) => page,
            Err(what) => {
                self.account
                    .problem(format!("page {number} of {name} {what}"));
                return Ok(());
            }
        };
        if !in_order(&page, kind, bounds) {
            self.account
                .problem(format!("page {number} of {name} has keys out of order"));
        }
        match page.is_leaf {
            true => {
                tally.leaves += 1;
                self.leaf(name, kind, number, &page, tally)
            }
            false => {
                tally.branches += 1;
                self.branch(name, kind, depth, &page, bounds, tally)
            }
        }
    }

    fn branch(
        &mut self,
        name: &str,
        kind: Kind,
        depth: u16,
        page: &Page<'_>,
        bounds: (Option<&[u8]>, Option<&[u8]>),
        tally: &mut Tally,
    ) -> Result<()> {
        for (place, entry) in page.entries.iter().enumerate() {
            let Content::Child(child) = entry.content else {
                continue;
            };
            // The first key of a branch is not used.
            let from = if place == 0 {
                bounds.0
            } else {
                Some(entry.key)
            };
            let next = page.entries.get(place + 1).map(|next| next.key);
            let inside = (from, next.or(bounds.1));
            self.tree(name, kind, child, depth - 1, inside, tally)?;
        }
        Ok(())
    }

    fn leaf(
        &mut self,
        name: &str,
        kind: Kind,
        number: u64,
        page: &Page<'_>,
        tally: &mut Tally,
    ) -> Result<()> {
        for entry in &page.entries {
            tally.entries += 1;
            match (kind, entry.content) {
                (Kind::Main, Content::Sub(record)) if record.len() == Record::LENGTH => {
                    let name = format!("the database {:?}", String::from_utf8_lossy(entry.key));
                    self.named.push((name, Record::read(record)));
                }
                (Kind::Free, Content::Bytes(bytes)) => self.account.free_list(bytes),
                (_, Content::Bytes(_)) => {}
                (_, Content::Big { page, length }) => {
                    self.long(name, kind, page, length, tally)?;
                }
                _ => self.account.problem(format!(
                    "page {number} of {name} has an entry of a wrong kind"
                )),
            }
        }
        Ok(())
    }

    /// An entry on pages of its own.
    fn long(
        &mut self,
        name: &str,
        kind: Kind,
        first: u64,
        length: usize,
        tally: &mut Tally,
    ) -> Result<()> {
        let pages = ((HEADER - 1 + length) / self.size + 1) as u64;
        tally.overflow += pages;
        if !self.account.take(name, first, pages)
            || (self.depth == Depth::Places && kind != Kind::Free)
        {
            return Ok(());
        }
        let mut head = [0; HEADER];
        let place = first * self.size as u64;
        read_up_to(self.file, &mut head, place)?;
        let held = (u64_at(&head, 0), u16_at(&head, 10), u32_at(&head, 12));
        if held != (first, OVERFLOW, pages as u32) {
            self.account.problem(format!(
                "page {first} of {name} is not the long entry that it should be"
            ));
            return Ok(());
        }
        if kind == Kind::Free {
            let mut bytes = vec![0; length];
            read_up_to(self.file, &mut bytes, place + HEADER as u64)?;
            self.account.free_list(&bytes);
        }
        Ok(())
    }
}
