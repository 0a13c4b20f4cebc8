//! Cells on their way into a load: their times, their trees, and what has to be known of them all at the end.

use super::constraints::check_batch;
use super::definition::Definition;
use super::load::unknown;
use super::{EngineLoader, MutationBatch};
use crate::cells::{CellRef, Key};
use crate::elements::Encoded;
use crate::load::{Finder, Records};
use crate::tree::TreeId;
use crate::{Error, Result};

/// So many families are compared one after the other.
const FAMILIES: usize = 8;

/// What is known of the cells that a load took.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The provisional time of the load in the table's unit; no commit has it yet.
    pub time: i64,
    /// The oldest time that a client gave a cell and that is not before the provisional one.
    pub ahead: Option<i64>,
    /// Whether any cell takes the time of the load.
    pub untimed: bool,
    /// The first and the last key so far.
    pub span: Option<(Key, Key)>,
    /// The families of the newest cells and their trees: a table has few.
    routes: Vec<(Vec<u8>, TreeId)>,
}

impl Seen {
    /// No cell yet, of a load with this provisional time.
    pub fn new(time: i64) -> Seen {
        Seen {
            time,
            ..Seen::default()
        }
    }

    /// Takes note of a cell, and gives it the time of the load if it has none; gives its tree.
    #[inline]
    pub fn take(&mut self, definition: &Definition, cell: &mut CellRef<'_>, timed: bool) -> TreeId {
        if !timed {
            cell.key.timestamp = self.time;
            self.untimed = true;
        } else if cell.key.timestamp >= self.time {
            self.look_ahead(cell.key.timestamp);
        }
        match &mut self.span {
            None => self.span = Some((cell.key.to_owned(), cell.key.to_owned())),
            Some((first, _)) if cell.key < first.as_ref() => first.assign(&cell.key),
            Some((_, last)) if cell.key > last.as_ref() => last.assign(&cell.key),
            Some(_) => {}
        }
        let known = |(family, _): &&(Vec<u8>, TreeId)| family == cell.key.family;
        match self.routes.iter().find(known) {
            Some((_, tree)) => *tree,
            None => {
                let tree = definition.tree_of(cell.key.family);
                self.routes.truncate(FAMILIES - 1);
                self.routes.insert(0, (cell.key.family.to_vec(), tree));
                tree
            }
        }
    }

    /// Adds what is known of others.
    fn join(&mut self, others: Seen) {
        self.untimed |= others.untimed;
        if let Some(ahead) = others.ahead {
            self.look_ahead(ahead);
        }
        self.span = match (self.span.take(), others.span) {
            (Some((first, last)), Some((first_too, last_too))) => {
                let first = std::cmp::min_by(first, first_too, |a, b| a.as_ref().cmp(&b.as_ref()));
                let last = std::cmp::max_by(last, last_too, |a, b| a.as_ref().cmp(&b.as_ref()));
                Some((first, last))
            }
            (span, others) => span.or(others),
        };
    }

    fn look_ahead(&mut self, given: i64) {
        self.ahead = Some(self.ahead.map_or(given, |ahead| ahead.min(given)));
    }
}

/// Records by tree, and what is known of them.
struct Taken {
    trees: Vec<(TreeId, Records)>,
    seen: Seen,
}

impl EngineLoader {
    /// Takes the cells of elements for a table as they were made, each part in a thread of its own: as if they had
    /// been put together and pushed.
    pub fn push_encoded(&mut self, table: usize, encoded: &Encoded) -> Result<()> {
        let number = table;
        let table = self.tables.get_mut(table).ok_or_else(unknown)?;
        let definition = &table.definition;
        let fits = |batch: &MutationBatch<'_>| {
            check_batch(&definition.name, &definition.settings, batch, &self.writer).is_ok()
        };
        let parts: Vec<MutationBatch<'_>> = encoded.parts().collect();
        if self.loader.is_sorted() || !parts.iter().all(fits) {
            // Says which cell it is by its number among all.
            let (cells, timed) = encoded.to_columns();
            let batch = MutationBatch {
                cells: cells.view(),
                timed: &timed,
            };
            return self.push_to(number, &batch);
        }
        table.client_timed |= parts.iter().any(MutationBatch::is_client_timed);
        let (definition, time) = (&*table.definition, table.seen.time);
        // Memory is taken here: threads that end leave what they took in pieces.
        let mut room = |made: &MutationBatch<'_>| self.loader.new_records(made.record_bytes());
        let rooms: Vec<(Records, usize, Finder)> = parts.iter().map(&mut room).collect();
        let taken: Vec<Result<Taken>> = std::thread::scope(|scope| {
            let mut work = rooms.into_iter().enumerate();
            let here = work.next();
            let started: Vec<_> = work
                .map(|(part, room)| {
                    scope.spawn(move || take(definition, encoded, part, time, room))
                })
                .collect();
            let here = here.map(|(part, room)| Ok(take(definition, encoded, part, time, room)));
            let died = |_| Error::Store("a thread that took cells to load has died".into());
            let beside = started.into_iter().map(|one| one.join().map_err(died));
            here.into_iter().chain(beside).collect()
        });
        for taken in taken {
            let taken = taken?;
            table.seen.join(taken.seen);
            for (tree, records) in taken.trees {
                self.loader.push_records(tree, records)?;
            }
        }
        Ok(())
    }
}

/// The cells of one part that stay.
fn take(
    definition: &Definition,
    encoded: &Encoded,
    part: usize,
    time: i64,
    (room, sample, mut finder): (Records, usize, Finder),
) -> Taken {
    let mut taken = Taken {
        trees: Vec::new(),
        seen: Seen::new(time),
    };
    // As a rule all go into one tree.
    let mut room = Some(room);
    encoded.each_cell(part, |mut cell, timed| {
        let tree = taken.seen.take(definition, &mut cell, timed);
        let place = taken.trees.iter().position(|(held, _)| *held == tree);
        let place = place.unwrap_or_else(|| {
            taken.trees.push((tree, room.take().unwrap_or_default()));
            taken.trees.len() - 1
        });
        if let Some((_, records)) = taken.trees.get_mut(place) {
            records.push(&cell, sample, &mut finder);
        }
    });
    taken
}
