//! How many entries a page has at least, and in which order.

use super::page::Page;
use super::u64_at;
use super::walk::Kind;

/// LMDB relies on branches of two or more, except in the list of free pages.
pub(super) fn least(page: &Page<'_>, kind: Kind) -> usize {
    match (page.is_leaf, kind) {
        (false, Kind::Main | Kind::Named) => 2,
        _ => 1,
    }
}

/// Whether the keys ascend and lie in the bounds.
pub(super) fn in_order(
    page: &Page<'_>,
    kind: Kind,
    bounds: (Option<&[u8]>, Option<&[u8]>),
) -> bool {
    let skip = usize::from(!page.is_leaf);
    let keys: Vec<&[u8]> = page
        .entries
        .iter()
        .skip(skip)
        .map(|entry| entry.key)
        .collect();
    let sizes = keys.iter().all(|key| match kind {
        Kind::Free => key.len() == 8,
        _ => (1..=511).contains(&key.len()),
    });
    let before = |left: &[u8], right: &[u8]| match kind {
        Kind::Free => u64_at(left, 0) < u64_at(right, 0),
        _ => left < right,
    };
    let (first, last) = (keys.first(), keys.last());
    sizes
        && keys.is_sorted_by(|left, right| before(left, right))
        && first
            .zip(bounds.0)
            .is_none_or(|(key, low)| !before(key, low))
        && last
            .zip(bounds.1)
            .is_none_or(|(key, high)| before(key, high))
}
