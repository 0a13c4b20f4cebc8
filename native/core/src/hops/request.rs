//! What is asked for: which edges are followed, and how far.

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

/// Which edges are followed and as whom, wherever it starts.
#[derive(Debug, Clone)]
pub struct Follow {
    /// As whom it reads and by which stages, filters of edges among them; ranges and `after` are not looked at.
    pub spec: Spec,
    /// The name of the key plan, in the spec or the table.
    pub plan: String,
    pub direction: Direction,
    /// The edge groups to follow; all where it is nothing.
    pub groups: Option<Vec<String>>,
}

/// How far to go, and from where.
#[derive(Debug, Clone, Copy)]
pub struct Reach<'a> {
    /// Vertices in key form.
    pub seeds: &'a [Vec<u8>],
    pub hops: usize,
    /// All that is reached within that many hops, in place of exactly that many.
    pub within: bool,
}
