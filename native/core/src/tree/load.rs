//! Sorted cells into an empty locality group: blocks are appended, nothing is read.

use super::counters::{book, Counts};
use super::edit::Editor;
use super::keys::prefix;
use super::lmdb::{PutFlags, RwTxn};
use super::mapped::failed;
use super::overflow::{self, Reference};
use super::packer::{Packer, Piece, Sizing};
use super::{Level, Store, TreeId, INLINE};
use crate::cells::CellRef;
use crate::{Error, Result};

impl Store {
    /// Loads cells, in the order of their keys, into the base of a group that holds nothing.
    ///
    /// `next` gives a cell to the function it is handed and says whether there was one.
    pub fn bulk_load(
        &self,
        tree: TreeId,
        mut next: impl FnMut(&mut dyn FnMut(&CellRef<'_>) -> Result<()>) -> Result<bool>,
        commit: i64,
    ) -> Result<Counts> {
        let mut transaction = self.begin()?;
        let stats = self.stats(tree)?;
        if stats.base.blocks + stats.delta.blocks > 0 {
            return Err(Error::Unsupported(format!(
                "group {} of table {} is not empty: write batches and merge them instead",
                tree.group, tree.table
            )));
        }
        let mut next_id = self.next_overflow(&transaction)?;
        let mut loader = Loader::new(self, &transaction, tree)?;
        let overflow = self.databases().overflow;
        loop {
            let more = next(&mut |cell| {
                if cell.value.len() <= INLINE {
                    return loader.packer.push(cell);
                }
                let reference = Reference::new(next_id, cell.value);
                overflow::put(&mut transaction, overflow, next_id, cell.value)?;
                next_id += 1;
                let value = &reference.write();
                loader.packer.push_reference(&CellRef {
                    key: cell.key,
                    value,
                })
            })?;
            if !more {
                break;
            }
            loader.put(self, &mut transaction)?;
        }
        loader.counts.overflow = loader.packer.finish()?;
        loader.put(self, &mut transaction)?;
        let (meta, none) = (self.databases().meta, Counts::default());
        book(
            &mut transaction,
            meta,
            &loader.prefix,
            &loader.counts,
            &none,
        )?;
        self.set_next_overflow(&mut transaction, next_id)?;
        self.note_commit(&mut transaction, commit)?;
        transaction.commit().map_err(failed("commit"))?;
        Ok(loader.counts)
    }
}

/// Puts finished blocks behind one another.
struct Loader {
    prefix: [u8; 7],
    packer: Packer,
    flags: PutFlags,
    /// The last block and its key.
    last: Option<(Vec<u8>, Piece)>,
    counts: Counts,
}

impl Loader {
    fn new(store: &Store, transaction: &RwTxn<'_>, tree: TreeId) -> Result<Loader> {
        let prefix = prefix(tree, Level::Base);
        let cells = store.databases().cells;
        let last = cells.last(transaction).map_err(failed("read"))?;
        // LMDB appends behind the last key of the whole database only.
        let flags = match last {
            Some((key, _)) if key > prefix.as_slice() => PutFlags::empty(),
            _ => PutFlags::APPEND,
        };
        Ok(Loader {
            prefix,
            packer: store.packer(Sizing::Full),
            flags,
            last: None,
            counts: Counts::default(),
        })
    }

    fn put(&mut self, store: &Store, transaction: &mut RwTxn<'_>) -> Result<()> {
        let mut pieces = std::mem::take(&mut self.packer.pieces);
        if pieces.is_empty() {
            return Ok(());
        }
        self.counts.add(&Packer::counts(&pieces));
        let mut editor = Editor::new(transaction, store.databases());
        let (key, before, rest) = match self.last.take() {
            Some((key, before)) => (key, before, pieces),
            None => {
                let first = pieces.remove(0);
                editor.put(&self.prefix, &first.bytes, self.flags)?;
                (self.prefix.to_vec(), first, pieces)
            }
        };
        let key = editor.follow(&self.prefix, key, &before, &rest, self.flags)?;
        self.last = Some((key, rest.into_iter().next_back().unwrap_or(before)));
        Ok(())
    }
}
