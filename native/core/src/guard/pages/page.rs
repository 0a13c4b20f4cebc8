//! One branch or leaf page: its entries, each inside of the page and none over another.

use super::meta::HEADER;
use super::{u16_at, u32_at, u64_at};

const BRANCH: u16 = 1;
const LEAF: u16 = 2;
pub(super) const OVERFLOW: u16 = 4;

/// Flags of an entry of a leaf.
const BIG: u16 = 1;
const SUB: u16 = 2;

/// A page whose entries were checked.
#[derive(Debug)]
pub(super) struct Page<'b> {
    pub is_leaf: bool,
    pub entries: Vec<Entry<'b>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'b> {
    pub key: &'b [u8],
    pub content: Content<'b>,
}

/// What an entry holds.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content<'b> {
    /// Of a branch: a page.
    Child(u64),
    Bytes(&'b [u8]),
    /// Bytes on pages of their own: the first of them and the length.
    Big {
        page: u64,
        length: usize,
    },
    /// The record of a database.
    Sub(&'b [u8]),
}

impl<'b> Page<'b> {
    /// Reads the page of this number; says what is wrong with it.
    pub fn read(bytes: &'b [u8], number: u64) -> Result<Page<'b>, &'static str> {
        if u64_at(bytes, 0) != number {
            return Err("has another page's number");
        }
        let is_leaf = match u16_at(bytes, 10) {
            BRANCH => false,
            LEAF => true,
            _ => return Err("is of a wrong kind"),
        };
        let (lower, upper) = (u16_at(bytes, 12) as usize, u16_at(bytes, 14) as usize);
        if lower < HEADER || lower > upper || upper > bytes.len() || lower % 2 != 0 {
            return Err("has damaged bounds");
        }
        let mut page = Page {
            is_leaf,
            entries: Vec::with_capacity((lower - HEADER) / 2),
        };
        let mut taken = Vec::with_capacity((lower - HEADER) / 2);
        for place in (HEADER..lower).step_by(2) {
            let start = u16_at(bytes, place) as usize;
            let (entry, length) =
                Entry::read(bytes, start, is_leaf).ok_or("has a damaged entry")?;
            taken.push((start, start + length));
            page.entries.push(entry);
        }
        taken.sort_unstable();
        let mut free = upper;
        for (start, end) in taken {
            if start < free {
                return Err("has overlapping entries");
            }
            free = end;
        }
        Ok(page)
    }
}

impl<'b> Entry<'b> {
    fn read(page: &'b [u8], start: usize, is_leaf: bool) -> Option<(Entry<'b>, usize)> {
        let node = page.get(start..)?;
        let (head, rest) = node.split_at_checked(8)?;
        let (low, flags) = (u32_at(head, 0), u16_at(head, 4));
        let (key, rest) = rest.split_at_checked(u16_at(head, 6) as usize)?;
        let length = low as usize;
        let (content, held) = match (is_leaf, flags) {
            (false, high) => (Content::Child(u64::from(low) | u64::from(high) << 32), 0),
            (true, 0) => (Content::Bytes(rest.get(..length)?), length),
            (true, SUB) => (Content::Sub(rest.get(..length)?), length),
            (true, BIG) => {
                let page = u64_at(rest.get(..8)?, 0);
                (Content::Big { page, length }, 8)
            }
            _ => return None,
        };
        Some((Entry { key, content }, 8 + key.len() + held))
    }
}
