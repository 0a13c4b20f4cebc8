//! The native core of Lexigraph: bytes that sort like values, labels that decide who sees a cell, and
//! the blocks and trees that hold cells on disk. Knows nothing of Python. Nothing in here panics on input: every failure is an [`Error`].

#![deny(unsafe_code)]

pub mod block;
pub mod cells;
pub mod codec;
mod error;
pub mod stages;
pub mod tree;
pub mod visibility;

pub use error::{Error, Result};
