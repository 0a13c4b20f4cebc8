//! What changes in a table with each commit: a small entry of `meta` of its own.

use crate::{Error, Result};

/// The state of a table. In `meta`: flags u8 (bit 0: a newest commit is known, bit 1: client-timed), the newest
/// commit i64, delete markers u64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct State {
    /// The newest commit, in the table's time unit.
    pub last: Option<i64>,
    /// Whether any cell was ever written with a timestamp of its own.
    pub client_timed: bool,
    /// How many delete markers it holds.
    pub markers: u64,
}

impl State {
    pub fn read(bytes: Option<&[u8]>) -> Result<State> {
        let Some(bytes) = bytes else {
            return Ok(State::default());
        };
        let number = |place: usize| {
            let chunk = bytes.get(place..).and_then(<[u8]>::first_chunk);
            chunk.map(|chunk| u64::from_le_bytes(*chunk))
        };
        match (bytes.first(), number(1), number(9), bytes.len()) {
            (Some(flags @ 0..=3), Some(last), Some(markers), 17) => Ok(State {
                last: (flags & 1 != 0).then_some(last as i64),
                client_timed: flags & 2 != 0,
                markers,
            }),
            _ => Err(Error::Corruption("the state of a table is damaged".into())),
        }
    }

    pub fn write(&self) -> Vec<u8> {
        let flags = u8::from(self.last.is_some()) | u8::from(self.client_timed) << 1;
        let mut bytes = vec![flags];
        bytes.extend_from_slice(&self.last.unwrap_or_default().to_le_bytes());
        bytes.extend_from_slice(&self.markers.to_le_bytes());
        bytes
    }
}

/// The key of a table's state.
pub(super) fn state_key(table: u32) -> Vec<u8> {
    [b"state/", table.to_be_bytes().as_slice()].concat()
}
