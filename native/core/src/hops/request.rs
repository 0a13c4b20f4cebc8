//! What an expansion is asked for.

use crate::scan::Spec;

/// Which directed edges are followed; undirected ones always are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// From source to destination.
    #[default]
    Out,
    /// From destination to source.
    In,
    Both,
}

/// An expansion.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// As whom it reads and by which stages, filters of edges among them; ranges and `after` are not looked at.
    pub spec: &'a Spec,
    /// The name of the key plan, in the spec or the table.
    pub plan: &'a str,
    /// Vertices in key form.
    pub seeds: &'a [Vec<u8>],
    pub hops: usize,
    pub direction: Direction,
    /// The edge groups to follow; all where it is nothing.
    pub groups: Option<&'a [String]>,
    /// All that is reached within that many hops, in place of exactly that many.
    pub within: bool,
}
