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
    found: Gathered,
    /// Of trees that were read before.
    spare: Vec<At>,
}

/// What is used again from one call to the next.
#[derive(Debug, Default)]
pub struct Memory {
    found: Gathered,
    spare: Vec<At>,
}

/// What is looked for and what was found for one vertex; that counts if none of its blocks needs the stages.
#[derive(Debug, Default)]
struct Gathered {
    /// How its rows start.
    start: Vec<u8>,
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
    /// Its last row, once a further vertex was asked for.
    last: Vec<u8>,
    has_last: bool,
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
        let Memory { found, mut spare } = std::mem::take(judge.memory());
        let mut trees = Vec::new();
        for &tree in &routes.trees {
            let levels = input.snapshot.levels(tree)?;
            trees.extend(levels.iter().map(|&level| Tree {
                blocks: Blocks::new(&input.snapshot, tree, level),
                open: None,
                done: false,
                at: spare.pop().unwrap_or_default(),
            }));
        }
        Ok(Fast {
            routes,
            trees,
            shapes: RowShapes::new(&routes.ways.plan),
            judge,
            found,
            spare,
        })
    }

    /// Adds the other ends of all edges whose rows start with a vertex, which is escaped and not less than the one
    /// before; `false` where the stages must answer, and then nothing was added.
    pub fn neighbours(&mut self, vertex: &[u8], reached: &mut impl Reached) -> Result<bool> {
        self.found.ends.clear();
        self.found.lengths.clear();
        let routes = self.routes;
        for prefix in &routes.ways.prefixes {
            self.found.start.clear();
            self.found.start.extend_from_slice(vertex);
            self.found.start.extend_from_slice(prefix);
            for tree in 0..self.trees.len() {
                match self.gather(tree) {
                    Ok(true) => {}
                    // Bytes that do not fit: the stages know what to say.
                    Ok(false) | Err(Error::InvalidBytes(_)) => return Ok(false),
                    Err(error) => return Err(error),
                }
            }
        }
        let mut rest = self.found.ends.as_slice();
        for &length in &self.found.lengths {
            let (end, after) = rest.split_at_checked(length).unwrap_or_default();
            reached.add(end);
            rest = after;
        }
        Ok(true)
    }

    /// Ends it; what is known of labels goes back to the routes.
    pub fn finish(mut self) {
        self.spare
            .extend(self.trees.into_iter().map(|tree| tree.at));
        *self.judge.memory() = Memory {
            found: self.found,
            spare: self.spare,
        };
        self.judge.finish();
    }

    fn gather(&mut self, tree: usize) -> Result<bool> {
        let Some(tree) = self.trees.get_mut(tree) else {
            return Ok(true);
        };
        if tree.done {
            return Ok(true);
        }
        let Gathered {
            start,
            ends,
            lengths,
        } = &mut self.found;
        if tree.is_behind(start)? {
            let key = KeyRef {
                row: start,
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
        // How many bytes a row has in common with the last that was looked at.
        let mut common = 0;
        loop {
            let Some(open) = &tree.open else {
                return Ok(true);
            };
            let block = open.block();
            let named = |error| open.name(error);
            let mut more = match first {
                true => tree.at.rows.seek_row(&block, start).map_err(named)?,
                false => {
                    tree.at.rows.seek(&block, 0).map_err(named)?;
                    true
                }
            };
            first = false;
            while more {
                let row = tree.at.rows.row();
                if !row.starts_with(start) {
                    return Ok(true);
                }
                if block.has_deletes() {
                    return Ok(false);
                }
                if tree.at.any {
                    let code = self.shapes.after(row, common);
                    common = usize::MAX;
                    let at = tree.at.rows.index();
                    let cells = block.row_start(at)?..block.row_start(at + 1)?;
                    if let Some(shape) = code
                        .shape()
                        .filter(|&one| self.routes.ways.shapes.get(one) == Some(&true))
                    {
                        let places = (tree.at.visible.as_slice(), tree.at.places.as_mut_slice());
                        if self.judge.any(&block, cells, row, code, places)? {
                            let end = self.routes.ways.far_ends.get(shape).copied().flatten();
                            let end =
                                end.and_then(|(at, is_last)| self.shapes.part_in(row, at, is_last));
                            let end = end.unwrap_or_default();
                            ends.extend_from_slice(end);
                            lengths.push(end.len());
                        }
                    } else if code.shape().is_none() {
                        return Ok(false);
                    }
                }
                more = tree.at.rows.advance(&block)?;
                common = common.min(tree.at.rows.shared());
            }
            common = 0;
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
        let ready = judge.open(&block, &mut at.visible, &mut at.places);
        at.any = ready.map_err(|error| open.name(error))?;
        at.has_last = false;
        self.open = Some(open);
        Ok(true)
    }

    /// Whether a row lies behind the block at hand, or there is none.
    fn is_behind(&mut self, row: &[u8]) -> Result<bool> {
        let Some(open) = &self.open else {
            return Ok(true);
        };
        let at = &mut self.at;
        if !at.has_last {
            let block = open.block();
            let found = at.rows.seek(&block, block.rows() - 1);
            found.map_err(|error| open.name(error))?;
            at.last.clear();
            at.last.extend_from_slice(at.rows.row());
            at.has_last = true;
        }
        Ok(row > at.last.as_slice())
    }
}
