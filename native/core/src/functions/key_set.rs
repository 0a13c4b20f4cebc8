//! Sets of keys that a scan brings along, for predicates that ask whether a field is in one.
//!
//! A set has its keys, sorted, or a filter of bits, which is smaller and now and then holds a key
//! that is none of it. `spec/scan.md` section 2 has both.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::codec::crc32;
use crate::json::Node;
use crate::{Error, Result};

/// The sets of one scan by name.
pub type Sets = BTreeMap<String, Arc<KeySet>>;

/// A set of byte strings, or a filter that lets all of them through and few others.
#[derive(Debug, PartialEq, Eq)]
pub enum KeySet {
    /// Sorted keys one behind the other, and where each ends.
    Keys { ends: Vec<usize>, data: Vec<u8> },
    /// A power of two of bits; that at the checksum of each key is set.
    Bits(Vec<u8>),
    /// A set of which only the name is known, as long as nobody looks into it.
    Unknown,
}

impl KeySet {
    /// A set of these keys.
    pub fn of(mut keys: Vec<Vec<u8>>) -> KeySet {
        keys.sort();
        keys.dedup();
        let mut end = 0;
        let ends = keys.iter().map(|key| {
            end += key.len();
            end
        });
        KeySet::Keys {
            ends: ends.collect(),
            data: keys.concat(),
        }
    }

    /// A set of keys that are sorted, as Arrow lays them out: each from one offset to the next.
    pub fn sorted(offsets: &[i64], data: &[u8]) -> Result<KeySet> {
        let refused = || Error::InvalidOption("the offsets of a set do not fit its data".into());
        let place = |offset: &i64| usize::try_from(*offset).map_err(|_| refused());
        let places = offsets.iter().map(place).collect::<Result<Vec<_>>>()?;
        let (first, last) = (places.first().copied(), places.last().copied());
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
        let data = data.get(first..last).ok_or_else(refused)?;
        let end = |place: &usize| place.checked_sub(first).ok_or_else(refused);
        let ends = places.iter().skip(1).map(end);
        let set = KeySet::Keys {
            ends: ends.collect::<Result<_>>()?,
            data: data.to_vec(),
        };
        match set.is_sorted() {
            true => Ok(set),
            false => Err(Error::InvalidOption("the keys of a set are sorted".into())),
        }
    }

    /// A filter of bits.
    pub fn filter(bits: Vec<u8>) -> Result<KeySet> {
        if bits.len() < 8 || !bits.len().is_power_of_two() {
            let size = bits.len();
            return Err(Error::InvalidOption(format!(
                "a filter has a power of two of bytes, at least 8, not {size}"
            )));
        }
        Ok(KeySet::Bits(bits))
    }

    /// Reads `{"keys": [bytes, ...]}` or `{"bits": bytes}`; null stands for a set that nobody looks
    /// into.
    pub fn parse(node: &Node<'_>) -> Result<KeySet> {
        if node.value() == &Json::Null {
            return Ok(KeySet::Unknown);
        }
        if let Some(bits) = node.optional("bits")? {
            node.expect(&["bits"], &[])?;
            return KeySet::filter(bits.bytes()?);
        }
        node.expect(&["keys"], &[])?;
        let keys = node.member("keys")?.items()?;
        let keys: Result<Vec<_>> = keys.iter().map(Node::bytes).collect();
        Ok(KeySet::of(keys?))
    }

    /// Whether a key is in the set, or let through by the filter.
    pub fn contains(&self, key: &[u8]) -> Result<bool> {
        match self {
            KeySet::Keys { ends, .. } => {
                let (mut low, mut high) = (0, ends.len());
                while low < high {
                    let middle = low + (high - low) / 2;
                    match self.key(middle).cmp(key) {
                        std::cmp::Ordering::Equal => return Ok(true),
                        std::cmp::Ordering::Less => low = middle + 1,
                        std::cmp::Ordering::Greater => high = middle,
                    }
                }
                Ok(false)
            }
            KeySet::Bits(bits) => {
                let place = crc32(key) as usize & (bits.len() * 8 - 1);
                let byte = bits.get(place >> 3).copied().unwrap_or_default();
                Ok(byte >> (place & 7) & 1 == 1)
            }
            KeySet::Unknown => Err(Error::InvalidOption(
                "a set of the scan was named but not given".into(),
            )),
        }
    }

    fn key(&self, at: usize) -> &[u8] {
        let KeySet::Keys { ends, data } = self else {
            return &[];
        };
        let start = at.checked_sub(1).and_then(|before| ends.get(before));
        let span = start.copied().unwrap_or(0)..ends.get(at).copied().unwrap_or(0);
        data.get(span).unwrap_or_default()
    }

    fn is_sorted(&self) -> bool {
        let KeySet::Keys { ends, .. } = self else {
            return true;
        };
        ends.windows(2).all(|pair| matches!(pair, [a, b] if a <= b))
            && (1..ends.len()).all(|at| self.key(at - 1) < self.key(at))
    }
}

#[cfg(test)]
mod tests {
    use super::{KeySet, Result};

    #[test]
    fn a_set_holds_its_keys_and_no_others() -> Result<()> {
        let keys = ["b", "", "ab", "b"].map(|key| key.as_bytes().to_vec());
        let set = KeySet::of(keys.to_vec());
        for (key, held) in [
            ("", true),
            ("a", false),
            ("ab", true),
            ("b", true),
            ("c", false),
        ] {
            assert_eq!(set.contains(key.as_bytes())?, held, "{key}");
        }
        assert_eq!(KeySet::sorted(&[3, 3, 5, 6], b"xyzabb")?, set);
        assert!(!KeySet::of(Vec::new()).contains(b"")?);
        Ok(())
    }

    #[test]
    fn what_is_no_set_is_refused() {
        for (offsets, data) in [
            (vec![0, 2], "a"),
            (vec![-1, 1], "a"),
            (vec![0, 1, 0], "ab"),
            (vec![0, 1, 2], "ba"),
            (vec![0, 1, 2], "aa"),
            (vec![2, 1], "abc"),
            (vec![2, 1, 3], "abc"),
        ] {
            let set = KeySet::sorted(&offsets, data.as_bytes());
            assert!(set.is_err(), "{offsets:?}");
        }
        assert!(KeySet::filter(vec![0; 9]).is_err());
        assert!(KeySet::Unknown.contains(b"").is_err());
    }

    #[test]
    fn a_filter_lets_its_keys_through() -> Result<()> {
        let place = super::crc32(b"ann") as usize % 64;
        let byte = |at: usize| u8::from(at == place / 8) << (place % 8);
        let filter = KeySet::filter((0..8).map(byte).collect())?;
        assert!(filter.contains(b"ann")?);
        assert!(!filter.contains(b"bob")?);
        Ok(())
    }
}
