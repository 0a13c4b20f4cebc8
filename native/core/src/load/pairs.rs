//! Families and labels of cells: each pair once, under a number, for as long as there are few of them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

/// So many pairs have a number.
const MOST: usize = 255;
/// So few pairs are compared one after the other.
const FEW: usize = 6;

#[derive(Debug, Clone)]
struct Pair {
    family: Vec<u8>,
    visibility: Vec<u8>,
}

impl Pair {
    #[inline]
    fn is(&self, family: &[u8], visibility: &[u8]) -> bool {
        self.visibility == visibility && self.family == family
    }
}

/// What records need to be read. It only grows, so later ones read all records of earlier ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pairs {
    /// The time of cells that have none of their own.
    pub time: i64,
    list: Vec<Pair>,
}

impl Pairs {
    /// The family and the label that a number stands for.
    #[inline]
    pub fn get(&self, number: u8) -> Option<(&[u8], &[u8])> {
        let pair = self.list.get(usize::from(number))?;
        Some((&pair.family, &pair.visibility))
    }
}

/// The pairs of one load, which threads add to.
#[derive(Debug)]
pub(super) struct SharedPairs(Arc<Mutex<Pairs>>);

impl SharedPairs {
    pub fn new(time: i64) -> SharedPairs {
        SharedPairs(Arc::new(Mutex::new(Pairs {
            time,
            list: Vec::new(),
        })))
    }

    /// All pairs so far.
    pub fn now(&self) -> Pairs {
        lock(&self.0).clone()
    }

    /// For one thread.
    pub fn finder(&self) -> Finder {
        Finder {
            known: self.now(),
            shared: Arc::clone(&self.0),
            last: 0,
            slots: Vec::new(),
        }
    }
}

/// Finds the numbers of pairs, in one thread.
#[derive(Debug)]
pub(crate) struct Finder {
    shared: Arc<Mutex<Pairs>>,
    /// The first of the shared pairs, or all.
    known: Pairs,
    last: usize,
    /// By the hash of a pair: the number that one with this hash has.
    slots: Vec<u8>,
}

impl Finder {
    /// The pairs that this thread has met.
    #[inline]
    pub fn known(&self) -> &Pairs {
        &self.known
    }

    /// The number of a pair; none if all numbers are taken.
    #[inline]
    pub fn find(&mut self, family: &[u8], visibility: &[u8]) -> Option<u8> {
        let list = &self.known.list;
        let is = |number: usize| {
            list.get(number)
                .is_some_and(|pair| pair.is(family, visibility))
        };
        if is(self.last) {
            return Some(self.last as u8);
        }
        let found = match list.len() {
            0..=FEW => (0..list.len()).find(|number| is(*number)),
            _ => {
                let slot = self.slots.get(slot(family, visibility));
                slot.map(|number| usize::from(*number))
                    .filter(|number| is(*number))
            }
        };
        match found {
            Some(number) => {
                self.last = number;
                Some(number as u8)
            }
            None => self.search(family, visibility),
        }
    }

    #[cold]
    fn search(&mut self, family: &[u8], visibility: &[u8]) -> Option<u8> {
        let is = |pair: &Pair| pair.is(family, visibility);
        let mut found = self.known.list.iter().position(is);
        if found.is_none() && self.known.list.len() < MOST {
            let mut shared = lock(&self.shared);
            found = shared.list.iter().position(is);
            if found.is_none() && shared.list.len() < MOST {
                found = Some(shared.list.len());
                shared.list.push(Pair {
                    family: family.to_vec(),
                    visibility: visibility.to_vec(),
                });
            }
            let known = self.known.list.len();
            let new = shared.list.get(known..).unwrap_or_default();
            self.known.list.extend_from_slice(new);
        }
        let number = found?;
        self.last = number;
        self.slots.resize(256, 0);
        if let Some(slot) = self.slots.get_mut(slot(family, visibility)) {
            *slot = number as u8;
        }
        Some(number as u8)
    }
}

fn slot(family: &[u8], visibility: &[u8]) -> usize {
    let hash = xxh3_64(visibility) ^ xxh3_64(family).rotate_left(1);
    (hash & 0xff) as usize
}

fn lock(shared: &Mutex<Pairs>) -> MutexGuard<'_, Pairs> {
    // Nothing is left half done under the lock.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
