//! The native core of Lexigraph: bytes that sort like values and labels that decide who sees a
//! cell. Knows nothing of Python. Nothing in here panics on input: every failure is an [`Error`].

pub mod block;
pub mod cells;
pub mod codec;
mod error;
pub mod stages;
pub mod tree;
pub mod visibility;

pub use error::{Error, Result};
