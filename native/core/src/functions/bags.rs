//! What lists, top values, samples and joined texts share: a bag of values in one order.
//!
//! The order decides what stays where only some can: no order of arrival is kept, so any order of
//! merging gives the same bytes.

use std::cmp::Ordering;

use super::kind::{Aggregate, Kind};
use super::murmur3::murmur3_32;
use crate::codec::reader::Reader;
use crate::codec::{uvarint, Codec};
use crate::{Error, Result};

/// A value in a bag.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    /// The hash for a sample, else nothing.
    hash: u32,
    /// Empty where the value is its own key.
    key: Vec<u8>,
    value: Vec<u8>,
}

impl Item {
    fn rank(&self) -> &[u8] {
        if self.key.is_empty() {
            &self.value
        } else {
            &self.key
        }
    }
}

/// Values, not yet in order: they are put there when somebody looks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bag {
    items: Vec<Item>,
}

/// How a bag is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules<'a> {
    aggregate: &'a Aggregate,
    codec: &'a Codec,
}

impl<'a> Rules<'a> {
    pub(crate) fn new(aggregate: &'a Aggregate, codec: &'a Codec) -> Self {
        Rules { aggregate, codec }
    }

    fn limit(&self) -> usize {
        match self.aggregate.kind {
            Kind::TopN | Kind::Reservoir => self.aggregate.size,
            _ => usize::MAX,
        }
    }

    fn is_distinct(&self) -> bool {
        match self.aggregate.kind {
            Kind::Reservoir => true,
            Kind::Concat => self.aggregate.distinct,
            _ => false,
        }
    }

    fn compare_ranks(&self, a: &Item, b: &Item) -> Ordering {
        match self.aggregate.kind {
            Kind::TopN => b.rank().cmp(a.rank()),
            Kind::Reservoir => a.hash.cmp(&b.hash).then_with(|| a.rank().cmp(b.rank())),
            _ => a.rank().cmp(b.rank()),
        }
    }

    fn compare(&self, a: &Item, b: &Item) -> Ordering {
        self.compare_ranks(a, b).then_with(|| a.value.cmp(&b.value))
    }

    fn item(&self, value: &[u8]) -> Result<Item> {
        let mut key = Vec::new();
        if !self.codec.stores_keys() {
            self.codec.key_of_value(value, &mut key)?;
        }
        let mut item = Item {
            hash: 0,
            key,
            value: value.to_vec(),
        };
        if self.aggregate.kind == Kind::Reservoir {
            item.hash = murmur3_32(item.rank());
        }
        Ok(item)
    }

    /// Adds one value in its stored form.
    pub(crate) fn add(&self, bag: &mut Bag, value: &[u8]) -> Result<()> {
        let separator = self.aggregate.separator.as_bytes();
        if self.aggregate.kind == Kind::Concat && self.aggregate.distinct && !separator.is_empty() {
            let mut rest = value;
            while let Some(at) = memchr::memmem::find(rest, separator) {
                let (part, behind) = rest.split_at(at);
                bag.items.push(self.item(part)?);
                rest = behind.get(separator.len()..).unwrap_or_default();
            }
            bag.items.push(self.item(rest)?);
        } else {
            bag.items.push(self.item(value)?);
        }
        self.trim(bag);
        Ok(())
    }

    pub(crate) fn unite(&self, bag: &mut Bag, other: Bag) {
        bag.items.extend(other.items);
        self.trim(bag);
    }

    /// Adds all values of a state; refuses what is not in order.
    pub(crate) fn fold(&self, bag: &mut Bag, data: &[u8]) -> Result<()> {
        let before = bag.items.len();
        self.read(data, |item| bag.items.push(item))?;
        if before > 0 {
            self.trim(bag);
        }
        Ok(())
    }

    /// Refuses what is no state.
    pub(crate) fn check(&self, data: &[u8]) -> Result<()> {
        self.read(data, drop)
    }

    fn read(&self, data: &[u8], mut each: impl FnMut(Item)) -> Result<()> {
        let name = self.aggregate.kind.name();
        let refused = |why: &str| Err(Error::InvalidBytes(format!("a state of '{name}': {why}")));
        let separator = self.aggregate.separator.as_bytes();
        let cuts =
            self.aggregate.kind == Kind::Concat && self.aggregate.distinct && !separator.is_empty();
        let mut reader = Reader::new(data, 0);
        let mut last: Option<Item> = None;
        let mut count = 0;
        while !reader.is_at_end() {
            let length = uvarint::read(&mut reader, name)?;
            let value = reader.slice(length, name)?;
            self.codec.check_value(value)?;
            if cuts && memchr::memmem::find(value, separator).is_some() {
                return refused("a part holds the separator");
            }
            let item = self.item(value)?;
            let least = match self.is_distinct() {
                true => Ordering::Greater,
                false => Ordering::Equal,
            };
            let in_order = |last: &Item| match self.is_distinct() {
                true => self.compare_ranks(&item, last) >= least,
                false => self.compare(&item, last) >= least,
            };
            if !last.as_ref().is_none_or(in_order) {
                return refused("its values are not in order");
            }
            count += 1;
            if count > self.limit() {
                return refused("it has too many values");
            }
            if let Some(before) = last.replace(item) {
                each(before);
            }
        }
        if let Some(before) = last {
            each(before);
        }
        Ok(())
    }

    /// Drops what cannot stay, now and then: so that adding one by one costs little.
    fn trim(&self, bag: &mut Bag) {
        let limit = self.limit();
        if limit < usize::MAX && bag.items.len() >= limit.saturating_mul(2).max(16) {
            bag.items = self.settled(bag).into_iter().cloned().collect();
        }
    }

    fn settled<'b>(&self, bag: &'b Bag) -> Vec<&'b Item> {
        let mut items: Vec<&Item> = bag.items.iter().collect();
        items.sort_by(|a, b| self.compare(a, b));
        if self.is_distinct() {
            items.dedup_by(|later, first| self.compare_ranks(later, first).is_eq());
        }
        items.truncate(self.limit());
        items
    }

    pub(crate) fn write(&self, bag: &Bag, out: &mut Vec<u8>) -> Result<()> {
        for item in self.settled(bag) {
            uvarint::write(item.value.len(), out)?;
            out.extend_from_slice(&item.value);
        }
        Ok(())
    }

    /// The stored forms in order.
    pub(crate) fn values<'b>(&self, bag: &'b Bag) -> Vec<&'b [u8]> {
        let items = self.settled(bag).into_iter();
        items.map(|item| item.value.as_slice()).collect()
    }
}
