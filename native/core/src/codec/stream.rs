//! References to streaming values: where the bytes of a large value are, and how many.
//!
//! One form of 29 bytes: the place, the id, the size, the size of chunks (0 in a file). The bytes
//! themselves lie elsewhere; the core never reads them.

use super::reader::Reader;
use crate::{Error, Result};

/// How many bytes a reference has.
const LENGTH: usize = 29;
const CHUNKS: u8 = 1;
const FILE: u8 = 2;

/// The bytes of a reference, which are sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamReference([u8; LENGTH]);

impl StreamReference {
    /// Reads a reference that takes up all of `data`.
    pub fn read(data: &[u8]) -> Result<StreamReference> {
        let mut reader = Reader::new(data, 0);
        let bytes = reader.array::<LENGTH>("stream")?;
        reader.finish("stream")?;
        let [place, ..] = bytes;
        let is_negative = bytes.get(17).is_some_and(|byte| *byte >= 0x80);
        let has_chunks = bytes.iter().skip(25).any(|byte| *byte != 0);
        match place {
            CHUNKS | FILE if has_chunks == (place == CHUNKS) && !is_negative => {
                Ok(StreamReference(bytes))
            }
            _ => Err(Error::InvalidBytes(format!(
                "place {place:02x}, size and size of chunks do not make a stream"
            ))),
        }
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}
