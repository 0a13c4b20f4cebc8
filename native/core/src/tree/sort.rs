//! Sorts cells by key, looking at 24 bytes of each at a time.
//!
//! The bytes beside the place of a cell decide nearly all comparisons without a look at the cell. What all
//! cells of a stretch share, as the first bytes of URLs do, is skipped; cells that are equal in 24 bytes
//! are sorted by the next 24.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use crate::cells::{CellRef, KeyRef};

/// From this many cells on, both cores sort.
const BOTH_CORES: usize = 8192;
/// Fewer cells than this are compared whole.
const FEW: usize = 16;
/// Cells that are still alike after so many steps are compared whole, so that no keys exhaust the stack.
const STEPS: usize = 256;

/// How many bytes are looked at.
const HEAD: usize = 24;
/// The first bytes of all rows are skipped if they are so many, not worth another look at the cells if they are fewer.
const SKIPPED: usize = 8;

/// A cell to sort: where it is, and some bytes of its key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item {
    head: [u64; 3],
    place: u64,
}

impl Item {
    /// The cell with this row at a place.
    #[inline]
    pub fn new(place: u64, row: &[u8]) -> Item {
        Item {
            head: head(row),
            place,
        }
    }

    #[inline]
    pub fn place(&self) -> u64 {
        self.place
    }
}

/// Sorts cells given in the order they were written: of fully equal keys the later comes first.
pub fn sort_batch(cells: &mut Vec<CellRef<'_>>) {
    if cells.is_sorted_by(|left, right| left.key < right.key) {
        return;
    }
    // Of equal keys the smaller place comes first, so places count from the last cell.
    let last = cells.len() as u64 - 1;
    let given: &[CellRef<'_>] = cells;
    let key = |place: u64| key_of(given, last - place);
    let in_order = |places: Vec<u64>| {
        let mut places = places;
        sort_places(&mut places, &key);
        let cell = |place: &u64| given.get((last - place) as usize).copied();
        places.iter().filter_map(cell).collect::<Vec<_>>()
    };
    let places = 0..=last;
    let sorted: Vec<CellRef<'_>> = match middle(last, &key) {
        Some(pivot) if given.len() >= BOTH_CORES => {
            // Each core cuts one half of the places at the pivot, then sorts one side of it.
            let cut = |places: RangeInclusive<u64>| -> (Vec<u64>, Vec<u64>) {
                places.partition(|&place| key(place) < pivot)
            };
            let ((mut low, mut high), (low_too, high_too)) =
                both(|| cut(0..=last / 2), || cut(last / 2 + 1..=last));
            low.extend(low_too);
            high.extend(high_too);
            let (mut low, high) = both(|| in_order(low), || in_order(high));
            low.extend(high);
            low
        }
        _ => in_order(places.collect()),
    };
    *cells = sorted;
}

/// Does two things at once.
fn both<A: Send, B: Send>(here: impl FnOnce() -> A, there: impl FnOnce() -> B + Send) -> (A, B) {
    std::thread::scope(|scope| {
        let beside = scope.spawn(there);
        let first = here();
        match beside.join() {
            Ok(second) => (first, second),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn key_of<'a>(cells: &[CellRef<'a>], place: u64) -> KeyRef<'a> {
    const NONE: KeyRef<'static> = KeyRef {
        row: &[],
        family: &[],
        qualifier: &[],
        visibility: &[],
        timestamp: 0,
        deleted: false,
    };
    cells.get(place as usize).map_or(NONE, |cell| cell.key)
}

/// A key with about as many keys before it as behind it, of those at places up to the last.
fn middle<'a>(last: u64, key: &impl Fn(u64) -> KeyRef<'a>) -> Option<KeyRef<'a>> {
    let step = (last as usize + 1).div_ceil(63).max(1);
    let mut sample: Vec<KeyRef<'a>> = (0..=last).step_by(step).map(key).collect();
    sample.sort_unstable();
    sample.get(sample.len() / 2).copied()
}

/// Sorts places by the keys they stand for; of equal keys the smaller place comes first.
pub(crate) fn sort_places<'a>(places: &mut [u64], key: &impl Fn(u64) -> KeyRef<'a>) {
    let item = |place: &u64| Item::new(*place, key(*place).row);
    let mut items: Vec<Item> = places.iter().map(item).collect();
    sort_items(&mut items, key);
    for (place, item) in places.iter_mut().zip(items) {
        *place = item.place;
    }
}

/// The same of items.
pub(crate) fn sort_items<'a>(items: &mut [Item], key: &impl Fn(u64) -> KeyRef<'a>) {
    let sorter = Sorter { key };
    let Some(first) = items.first().map(|item| item.head) else {
        return;
    };
    let differ = items.iter().fold([0; 3], |mut differ, item| {
        for ((differ, own), first) in differ.iter_mut().zip(item.head).zip(first) {
            *differ |= own ^ first;
        }
        differ
    });
    let [shared, ..] = differ.map(|bits: u64| bits.leading_zeros() as usize / 8);
    match items.len() <= FEW || shared >= SKIPPED {
        true => sorter.sort(items, 0, 0, 0),
        false => sorter.sort_headed(items, 0, 0, 0, false),
    }
}

struct Sorter<'k, F> {
    key: &'k F,
}

impl<'a, F: Fn(u64) -> KeyRef<'a>> Sorter<'_, F> {
    /// Sorts items whose parts before `part`, and the first `depth` bytes of that one, are the same.
    fn sort(&self, items: &mut [Item], mut part: usize, mut depth: usize, steps: usize) {
        if items.len() <= FEW || steps >= STEPS {
            return items.sort_unstable_by(|left, right| self.compare(left, right));
        }
        while part < 4 {
            match self.shared(items, part, depth) {
                Some(shared) => {
                    depth = shared;
                    break;
                }
                None => {
                    part += 1;
                    depth = 0;
                }
            }
        }
        if part == 4 {
            return items.sort_unstable_by(|left, right| self.compare(left, right));
        }
        // A part that ends within these bytes is filled with zeros: it may equal a longer one.
        let mut whole = true;
        for item in &mut *items {
            let bytes = bytes_of(&(self.key)(item.place), part);
            let rest = bytes.get(depth..).unwrap_or_default();
            whole &= rest.len() >= HEAD;
            item.head = head(rest);
        }
        self.sort_headed(items, part, depth, steps, whole);
    }

    /// Sorts items that have the bytes of a part behind `depth`; `whole` if none of these parts ends within them.
    fn sort_headed(
        &self,
        items: &mut [Item],
        part: usize,
        depth: usize,
        steps: usize,
        whole: bool,
    ) {
        items.sort_unstable_by_key(|item| item.head);
        let same = |left: &Item, right: &Item| left.head == right.head;
        for group in items.chunk_by_mut(same) {
            if group.len() < 2 {
                continue;
            }
            let ends_within = !whole
                && group
                    .iter()
                    .any(|item| bytes_of(&(self.key)(item.place), part).len() < depth + HEAD);
            if !ends_within {
                self.sort(group, part, depth + HEAD, steps + 1);
            } else if self.shared(group, part, depth).is_none() {
                self.sort(group, part + 1, 0, steps + 1);
            } else {
                group.sort_unstable_by(|left, right| self.compare(left, right));
            }
        }
    }

    /// How many bytes all items have in common in a part that starts alike up to `depth`; none where the
    /// whole part is the same.
    fn shared(&self, items: &[Item], part: usize, depth: usize) -> Option<usize> {
        let bytes = |item: &Item| {
            bytes_of(&(self.key)(item.place), part)
                .get(depth..)
                .unwrap_or_default()
        };
        let first = bytes(items.first()?);
        let (mut shared, mut same) = (first.len(), true);
        for item in items {
            let other = bytes(item);
            let common = first
                .get(..shared)
                .unwrap_or_default()
                .iter()
                .zip(other)
                .take_while(|(a, b)| a == b)
                .count();
            shared = common;
            same &= common == first.len() && other.len() == first.len();
            if shared == 0 && !same {
                break;
            }
        }
        (!same).then_some(depth + shared)
    }

    fn compare(&self, left: &Item, right: &Item) -> Ordering {
        let order = (self.key)(left.place).cmp(&(self.key)(right.place));
        order.then_with(|| left.place.cmp(&right.place))
    }
}

fn bytes_of<'a>(key: &KeyRef<'a>, part: usize) -> &'a [u8] {
    match part {
        0 => key.row,
        1 => key.family,
        2 => key.qualifier,
        _ => key.visibility,
    }
}

/// The first bytes as numbers, filled up with zeros.
#[inline]
fn head(bytes: &[u8]) -> [u64; 3] {
    [0, 8, 16].map(|at| {
        let rest = bytes.get(at..).unwrap_or_default();
        match rest.first_chunk() {
            Some(whole) => u64::from_be_bytes(*whole),
            None => (rest.iter().zip(1..)).fold(0, |number, (byte, at)| {
                number | u64::from(*byte) << (64 - 8 * at)
            }),
        }
    })
}
