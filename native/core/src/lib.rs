//! The native core of Lexigraph: bytes that sort like values, labels that decide who sees a cell,
//! and the stages that cells go through on their way out of a table. Knows nothing of Python.
//! Nothing in here panics on input: every failure is an [`Error`].

pub mod cells;
pub mod codec;
mod error;
pub mod functions;
pub mod json;
mod nearest;
pub mod plan;
pub mod stages;
pub mod visibility;

pub use error::{Error, Result};
