//! The neighbours of a vertex by the stages of a scan: exact whatever the table holds.

use std::sync::Arc;

use super::ends::Reached;
use super::routes::Routes;
use crate::cells::{Key, Range};
use crate::codec::escape::escape;
use crate::codec::range::following_prefix;
use crate::plan::Reader;
use crate::scan::Input;
use crate::stages::{Families, Source};
use crate::tree::Watch;
use crate::Result;

pub struct Staged<'r> {
    routes: &'r Routes,
    stack: Source,
    families: Families,
    reader: Reader,
    scratch: Vec<u8>,
    escaped: Vec<u8>,
}

impl<'r> Staged<'r> {
    pub fn new(input: &Input, routes: &'r Routes, watch: &Arc<Watch>) -> Result<Staged<'r>> {
        let mut context = routes.stack.context(input.now);
        let stack = routes
            .stack
            .build_lower(input.cursor(watch), &mut context)?;
        Ok(Staged {
            routes,
            stack,
            families: routes.stack.families.clone(),
            reader: Reader::new(routes.ways.plan.clone()),
            scratch: Vec::new(),
            escaped: Vec::new(),
        })
    }

    /// Adds the other ends of all edges whose rows start with a vertex, which is escaped.
    pub fn neighbours(&mut self, vertex: &[u8], reached: &mut impl Reached) -> Result<()> {
        for prefix in &self.routes.ways.prefixes {
            let start = [vertex, prefix].concat();
            let end = following_prefix(&start).map(|end| Key::leading(&end, b"", b"", b""));
            let range = Range {
                start: Some(Key::leading(&start, b"", b"", b"")),
                end,
                end_inclusive: false,
                ..Range::default()
            };
            self.stack.seek(&range, &self.families)?;
            while let Some(cell) = self.stack.top() {
                if !cell.key.deleted {
                    if let Some(element) = self.reader.read(cell)? {
                        let place = element.place();
                        let follows = self.routes.ways.follows(place);
                        let first = element.first_end(&mut self.scratch)?;
                        self.escaped.clear();
                        escape(first.unwrap_or_default(), &mut self.escaped);
                        let follows = follows && self.escaped == vertex;
                        if let Some(end) = element.far_end(&mut self.scratch)?.filter(|_| follows) {
                            self.escaped.clear();
                            escape(end, &mut self.escaped);
                            reached.add(&self.escaped);
                        }
                    }
                }
                self.stack.advance()?;
            }
        }
        Ok(())
    }
}
