//! Typed values as bytes that sort like the values; `docs/formats/codec.md` has every byte.
//!
//! Three forms: a **key** (ordered, canonical), a **part** (a key inside a longer key: no part is
//! a prefix of another) and a **value** (faithful, not ordered). Decoders accept exactly what the
//! encoders write, never panic and never allocate more than the input justifies.

mod any;
mod bucket;
pub(crate) mod check;
pub(crate) mod composite;
pub mod counters;
mod crc32;
pub(crate) mod decimal;
mod decode;
mod descriptor;
mod encode;
pub mod escape;
pub(crate) mod float;
mod geo;
pub(crate) mod integer;
pub mod lexicoder;
pub mod range;
pub(crate) mod reader;
mod row_ranges;
pub mod rowid;
mod scalar;
mod stream;
mod temporal;
pub(crate) mod typebytes;
pub(crate) mod uvarint;
mod value;

pub use any::MAX_DEPTH;
pub(crate) use crc32::crc32;
pub use decimal::{Decimal, EXPONENT_LIMIT};
pub use descriptor::{Codec, Nulls};
pub use integer::Integer;
pub use scalar::Scalar;
pub use stream::StreamReference;
pub use value::{Timedelta, Value};
