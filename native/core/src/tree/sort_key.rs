//! Sort keys: one byte string per key, compared like the keys themselves.

use crate::cells::KeyRef;
use crate::codec::escape::escape;

/// Writes the sort key of `key`, in place of what `out` held.
///
/// ```
/// use lexigraph_core::{cells::Key, tree::sort_key};
/// let (mut small, mut large) = (Vec::new(), Vec::new());
/// sort_key(&Key::leading(b"a", b"z", b"", b"").as_ref(), &mut small);
/// sort_key(&Key::leading(b"a\x00", b"", b"", b"").as_ref(), &mut large);
/// assert!(small < large);
/// ```
pub fn sort_key(key: &KeyRef<'_>, out: &mut Vec<u8>) {
    out.clear();
    append_sort_key(key, out);
}

/// Writes the sort key of `key` behind what `out` holds.
pub(super) fn append_sort_key(key: &KeyRef<'_>, out: &mut Vec<u8>) {
    for part in [key.row, key.family, key.qualifier, key.visibility] {
        escape(part, out);
        out.push(0);
    }
    let flipped = key.timestamp as u64 ^ 1 << 63;
    out.extend_from_slice(&(!flipped).to_be_bytes());
    out.push(u8::from(!key.deleted));
}

/// The shortest bytes behind `last` and not behind `first`, which is greater.
pub fn separator<'a>(last: &[u8], first: &'a [u8]) -> &'a [u8] {
    let shared = last.iter().zip(first).take_while(|(a, b)| a == b).count();
    first.get(..=shared).unwrap_or(first)
}
