//! The native core of Lexigraph: bytes that sort like values, labels that decide who sees a cell,
//! the stages that cells go through, and the blocks and trees that hold them on disk. Knows nothing
//! of Python. Nothing in here panics on input: every failure is an [`Error`].

#![deny(unsafe_code)]

pub mod block;
pub mod cells;
pub mod codec;
pub mod columns;
pub mod elements;
pub mod engine;
mod error;
pub mod frames;
pub mod functions;
pub mod guard;
pub mod hops;
pub mod json;
pub mod load;
mod nearest;
pub mod plan;
pub mod records;
pub mod scan;
pub mod settings;
pub mod stages;
pub mod tree;
pub mod visibility;

pub use error::{Error, Result};
