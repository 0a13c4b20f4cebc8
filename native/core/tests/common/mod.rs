//! What the tests of several parts share. Each uses some of it.
#![allow(dead_code)]

pub mod cells;
pub mod folder;
pub mod vectors;
