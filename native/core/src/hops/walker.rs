//! One thread's walk: straight from the blocks where that is right, else by the stages; or along references.

use std::sync::Arc;

use super::ends::Reached;
use super::fast::Fast;
use super::references::ReferenceWalk;
use super::routes::Routes;
use super::staged::Staged;
use super::Roads;
use crate::scan::Input;
use crate::tree::Watch;
use crate::Result;

pub enum Walker<'r> {
    Edges(Box<EdgeWalk<'r>>),
    References(ReferenceWalk<'r>),
}

pub struct EdgeWalk<'r> {
    input: &'r Input,
    routes: &'r Routes,
    watch: &'r Arc<Watch>,
    fast: Option<Fast<'r>>,
    staged: Option<Staged<'r>>,
    /// How many vertices went through the stages.
    count: u64,
}

impl<'r> Walker<'r> {
    pub(super) fn new(
        input: &'r Input,
        routes: &'r Roads,
        watch: &'r Arc<Watch>,
    ) -> Result<Walker<'r>> {
        Ok(match routes {
            Roads::References(routes) => {
                Walker::References(ReferenceWalk::new(input, routes, watch)?)
            }
            Roads::Edges(routes) => Walker::Edges(Box::new(EdgeWalk {
                input,
                routes,
                watch,
                fast: match routes.is_fast() {
                    true => Some(Fast::new(input, routes)?),
                    false => None,
                },
                staged: None,
                count: 0,
            })),
        })
    }

    /// Adds the neighbours of a vertex, which is escaped and not less than the one before.
    pub fn neighbours(&mut self, vertex: &[u8], reached: &mut impl Reached) -> Result<()> {
        match self {
            Walker::Edges(walk) => walk.neighbours(vertex, reached),
            Walker::References(walk) => walk.neighbours(vertex, reached),
        }
    }

    /// Ends it; gives how many vertices went through the stages.
    pub fn finish(self) -> u64 {
        match self {
            Walker::Edges(walk) => {
                walk.fast.map(Fast::finish).unwrap_or_default();
                walk.count
            }
            Walker::References(walk) => {
                walk.finish();
                0
            }
        }
    }
}

impl EdgeWalk<'_> {
    fn neighbours(&mut self, vertex: &[u8], reached: &mut impl Reached) -> Result<()> {
        let done = match &mut self.fast {
            Some(fast) => fast.neighbours(vertex, reached)?,
            None => false,
        };
        if done {
            return Ok(());
        }
        self.count += 1;
        let stack = match &mut self.staged {
            Some(stack) => stack,
            None => self
                .staged
                .insert(Staged::new(self.input, self.routes, self.watch)?),
        };
        stack.neighbours(vertex, reached)
    }
}
