//! The neighbours of a vertex straight from the blocks, where no cell can hide another.
//!
//! An edge is there when any tree has a visible cell of it, so trees need not be merged. Vertices come in order, so the
//! block at hand mostly holds the next one too.

use super::ends::Reached;
use super::judge::Judge;
use super::routes::Routes;
use crate::block::RowCursor;
use crate::cells::KeyRef;
use crate::plan::RowShapes;
use crate::scan::Input;
use crate::tree::{Blocks, OpenBlock};
use crate::{Error, Result};

pub struct Fast<'r> {
    routes: &'r Routes,
    trees: Vec<Tree>,
    shapes: RowShapes<'r>,
    judge: Judge<'r>,
    start: Vec<u8>,
    /// Ends found for one vertex; kept when none of its blocks needs the stages.
    ends: Vec<u8>,
    lengths: Vec<usize>,
}

/// One tree and the block of it that the last vertex was in.
struct Tree {
    blocks: Blocks,
    open: Option<OpenBlock>,
    /// Whether the last block was passed.
    done: bool,
    at: At,
}

/// What is known of a block at hand; the memory is used again.
#[derive(Debug, Default)]
pub struct At {
    /// Its last row.
    last: Vec<u8>,
    /// Whether anything of it is wanted and visible.
    any: bool,
    visible: Vec<bool>,
    /// By family and shape of a row; empty where it is not known yet.
    places: Vec<Option<bool>>,
    rows: RowCursor,
}

impl<'r> Fast<'r> {
    pub fn new(input: &Input, routes: &'r Routes) -> Result<Fast<'r>> {
        let mut judge = Judge::new(routes);
        let mut trees = Vec::new();
        let wanted = &routes.stack.families;
        // A group that holds no wanted family has no edge to follow.
        for group in input
            .groups
            .iter()
            .filter(|group| group.families.meets(wanted))
        {
            trees.extend(
                input
                    .snapshot
                    .levels(group.tree)?
                    .into_iter()
                    .map(|level| Tree {
                        blocks: Blocks::new(&input.snapshot, group.tree, level),
                        open: None,
                        done: false,
                        at: judge.spare().pop().unwrap_or_default(),
                    }),
            );
        }
        Ok(Fast {
            routes,
            trees,
            shapes: RowShapes::new(&routes.plan),
            judge,
            start: Vec::new(),
            ends: Vec::new(),
            lengths: Vec::new(),
        })
    }

    /// Adds the other ends of all edges whose rows start with a vertex, which is escaped and not less than the one
    /// before; `false` where the stages must answer, and then nothing was added.
    pub fn neighbours(&mut self, vertex: &[u8], reached: &mut impl Reached) -> Result<bool> {
        self.ends.clear();
        self.lengths.clear();
        let routes = self.routes;
        for prefix in &routes.prefixes {
            self.start.clear();
            self.start.extend_from_slice(vertex);
            self.start.extend_from_slice(prefix);
            for tree in 0..self.trees.len() {
                match self.gather(tree) {
                    Ok(true) => {}
                    // Bytes that do not fit: the stages know what to say.
                    Ok(false) | Err(Error::InvalidBytes(_)) => return Ok(false),
                    Err(error) => return Err(error),
                }
            }
        }
        let mut rest = self.ends.as_slice();
        for &length in &self.lengths {
            let (end, after) = rest.split_at_checked(length).unwrap_or_default();
            reached.add(end);
            rest = after;
        }
        Ok(true)
    }

    /// Ends it; what is known of labels goes back to the routes.
    pub fn finish(mut self) {
        let used = self.trees.into_iter().map(|tree| tree.at);
        self.judge.spare().extend(used);
        self.judge.finish();
    }

    fn gather(&mut self, tree: usize) -> Result<bool> {
        let Some(tree) = self.trees.get_mut(tree) else {
            return Ok(true);
        };
        if tree.done {
            return Ok(true);
        }
        if tree.open.is_none() || self.start > tree.at.last {
            let key = KeyRef {
                row: &self.start,
                family: b"",
                qualifier: b"",
                visibility: b"",
                timestamp: i64::MAX,
                deleted: true,
            };
            let found = tree.blocks.locate(&key)?;
            if !tree.enter(found, &mut self.judge)? {
                return Ok(true);
            }
        }
        let mut first = true;
        loop {
            let Some(open) = &tree.open else {
                return Ok(true);
            };
            let block = open.block();
            let named = |error| open.name(error);
            let mut more = match first {
                true => tree.at.rows.seek_row(&block, &self.start).map_err(named)?,
                false => {
                    tree.at.rows.seek(&block, 0).map_err(named)?;
                    true
                }
            };
            first = false;
            while more {
                let row = tree.at.rows.row();
                let Some(_) = row.strip_prefix(self.start.as_slice()) else {
                    return Ok(true);
                };
                if block.has_deletes() {
                    return Ok(false);
                }
                if tree.at.any {
                    let code = self.shapes.of(row);
                    let at = tree.at.rows.index();
                    let cells = block.row_start(at)?..block.row_start(at + 1)?;
                    if let Some(shape) = code
                        .shape()
                        .filter(|&one| self.routes.shapes.get(one) == Some(&true))
                    {
                        let places = (tree.at.visible.as_slice(), tree.at.places.as_mut_slice());
                        if self.judge.any(&block, cells, row, code, places)? {
                            let end = self.shapes.far_end(shape).unwrap_or_default();
                            self.ends.extend_from_slice(end);
                            self.lengths.push(end.len());
                        }
                    } else if code.shape().is_none() {
                        return Ok(false);
                    }
                }
                more = tree.at.rows.advance(&block)?;
            }
            let next = tree.blocks.next(open)?;
            if !tree.enter(next, &mut self.judge)? {
                return Ok(true);
            }
        }
    }
}

impl Tree {
    /// Takes a block as the one at hand; `false` where there is none.
    fn enter(&mut self, open: Option<OpenBlock>, judge: &mut Judge<'_>) -> Result<bool> {
        let Some(open) = open else {
            // Vertices come in order: every later one lies behind the last block too.
            self.open = None;
            self.done = true;
            return Ok(false);
        };
        let block = open.block();
        let at = &mut self.at;
        let ready = at
            .rows
            .seek(&block, block.rows() - 1)
            .and_then(|()| judge.open(&block, &mut at.visible, &mut at.places));
        at.any = ready.map_err(|error| open.name(error))?;
        at.last.clear();
        at.last.extend_from_slice(at.rows.row());
        self.open = Some(open);
        Ok(true)
    }
}
