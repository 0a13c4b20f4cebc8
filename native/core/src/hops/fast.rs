//! The neighbours of a vertex straight from the blocks, where no cell can hide another.
//!
//! An edge is there when any tree has a visible cell of it, so trees need not be merged. Vertices come in order, so the block at
//! hand mostly holds the next one too.

use super::frontier::Frontier;
use super::routes::Routes;
use crate::block::{Block, CellCursor, RowCursor};
use crate::cells::KeyRef;
use crate::plan::{Reader, RowShapes};
use crate::scan::Input;
use crate::stages::Families;
use crate::tree::{Blocks, Level, OpenBlock};
use crate::visibility::LabelCache;
use crate::{Error, Result};

pub struct Fast<'r> {
    routes: &'r Routes,
    families: &'r Families,
    levels: Vec<Reached>,
    shapes: RowShapes<'r>,
    judge: Judge<'r>,
    row: Vec<u8>,
    /// Ends found for one vertex; kept only when no block of it needs the stages.
    ends: Frontier,
}

/// One tree and where in it the last vertex was.
struct Reached {
    blocks: Blocks,
    open: Option<OpenBlock>,
    last: Vec<u8>,
    rows: RowCursor,
    visible: Vec<bool>,
    wanted: Vec<bool>,
    any: bool,
}

/// Decides about cells.
struct Judge<'r> {
    routes: &'r Routes,
    labels: LabelCache,
    reader: Reader,
    cursor: CellCursor,
    scratch: Vec<u8>,
    /// Whether a cell must be asked for itself, because there are filters or groups are chosen.
    asks: bool,
}
