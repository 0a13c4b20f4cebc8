//! Visibility in the core: our own vectors, the outside ones, and expressions of any depth.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod accumulo;
mod deep;
mod label_cache;
mod spec;
mod vectors;
