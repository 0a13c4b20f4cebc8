//! The shard of an element: a number that follows from its ids, or chance.

use super::keys::Pieces;
use crate::codec::crc32;
use crate::json::Node;
use crate::Result;

/// How a layout finds the shard of an element.
#[derive(Debug)]
pub struct Shard {
    count: u32,
    /// The pieces that hold the escaped ids; none where elements take turns.
    ids: Vec<usize>,
}

impl Shard {
    /// Reads `{"field", "count", "ids"}`, ids as numbers of pieces.
    pub fn parse(node: &Node<'_>, pieces: usize) -> Result<Shard> {
        node.expect(&["field", "count", "ids"], &[])?;
        let last = pieces.saturating_sub(1) as u64;
        let mut ids = Vec::new();
        for one in node.member("ids")?.items()? {
            ids.push(one.integer(0, last)? as usize);
        }
        Ok(Shard {
            count: node.member("count")?.integer(1, 128)? as u32,
            ids,
        })
    }

    /// Whether elements take turns.
    pub fn takes_turns(&self) -> bool {
        self.ids.is_empty()
    }

    /// The shard of the element whose pieces these are, or whose turn it is.
    pub fn find(&self, pieces: &Pieces, turn: u64, scratch: &mut Vec<u8>) -> i64 {
        if self.takes_turns() {
            return (turn % u64::from(self.count)) as i64;
        }
        // Both rows of an edge have one shard, so the smaller id comes first.
        let (mut first, mut second) = (None, None);
        for id in &self.ids {
            let bytes = pieces.get(*id);
            match first {
                None => first = Some(bytes),
                Some(held) if bytes < held => (first, second) = (Some(bytes), first),
                _ => second = Some(bytes),
            }
        }
        scratch.clear();
        scratch.extend_from_slice(first.unwrap_or_default());
        if let Some(second) = second {
            scratch.push(0);
            scratch.extend_from_slice(second);
        }
        i64::from(crc32(scratch) % self.count)
    }
}
