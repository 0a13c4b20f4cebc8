//! Family, label and qualifier of each cell of a block as one number.

use std::ops::Range;

use super::memo::{Memo, NONE};
use crate::block::Block;
use crate::Result;

/// The numbers, and buffers that blocks use one after the other.
#[derive(Debug)]
pub struct Combined {
    /// For each cell; [`NONE`] where it is not asked for or not visible.
    pub all: Vec<u32>,
    codes: Vec<u32>,
    /// What labels and qualifiers add, by codes of one byte, and what every cell has.
    tables: [[u32; 256]; 2],
    bytes: [Vec<u8>; 2],
    /// How many places of the tables have a term.
    filled: [usize; 2],
    constant: u32,
    /// Whether `all` is made of these only when it is asked for.
    is_apart: bool,
}

/// The numbers of some neighbouring cells.
pub enum Numbers<'a> {
    Made(&'a [u32]),
    /// Codes of labels and qualifiers, with what each adds.
    Apart {
        codes: [&'a [u8]; 2],
        tables: &'a [[u32; 256]; 2],
        constant: u32,
    },
}

impl Default for Combined {
    fn default() -> Self {
        Combined {
            all: Vec::new(),
            codes: Vec::new(),
            tables: [[NONE; 256]; 2],
            bytes: Default::default(),
            filled: [0; 2],
            constant: 0,
            is_apart: false,
        }
    }
}

impl Combined {
    /// Takes a block whose columns the memo has loaded, some of it asked for.
    pub fn load(&mut self, block: &Block<'_>, memo: &Memo) -> Result<()> {
        self.load_apart(block, memo)?;
        self.make();
        Ok(())
    }

    /// The same, without numbers for cells that nobody may ask about: `all` is empty until they are made, where the codes
    /// of the block allow that.
    pub fn load_apart(&mut self, block: &Block<'_>, memo: &Memo) -> Result<()> {
        let (body, count) = (block.body(), block.cells());
        self.is_apart = false;
        let columns = [
            (block.families(), &memo.families.terms),
            (block.visibilities(), &memo.labels.terms),
            (block.qualifiers(), &memo.qualifiers.terms),
        ];
        // A constant was wanted and visible, or the block would have been passed over.
        let mut constant = 0;
        let mut varied = 0;
        for (_, terms) in &columns {
            match terms.as_slice() {
                [term] => constant |= term,
                _ => varied += 1,
            }
        }
        let [_, (label_column, _), (qualifier_column, _)] = columns;
        let [labels, qualifiers] = &mut self.bytes;
        // Nearly always: one family, few labels and qualifiers.
        if varied == 2
            && label_column.copy_byte_codes(body, labels)
            && qualifier_column.copy_byte_codes(body, qualifiers)
        {
            let [labels_of, qualifiers_of] = &mut self.tables;
            let [labels_held, qualifiers_held] = &mut self.filled;
            fill(labels_of, &memo.labels.terms, labels_held);
            fill(qualifiers_of, &memo.qualifiers.terms, qualifiers_held);
            (self.constant, self.is_apart) = (constant, true);
            self.all.clear();
            return Ok(());
        }
        self.all.clear();
        self.all.resize(count, constant);
        for (column, terms) in columns {
            if terms.len() == 1 {
                continue;
            }
            column.copy_codes(body, count, &mut self.codes)?;
            for (one, &code) in self.all.iter_mut().zip(&self.codes) {
                *one |= terms.get(code as usize).copied().unwrap_or(NONE);
            }
        }
        Ok(())
    }

    /// Makes the numbers of all cells.
    pub fn make(&mut self) {
        if !std::mem::take(&mut self.is_apart) {
            return;
        }
        let [labels, qualifiers] = &self.bytes;
        self.all.resize(labels.len(), 0);
        let codes = labels.iter().zip(qualifiers);
        for (one, (&label, &qualifier)) in self.all.iter_mut().zip(codes) {
            *one = self.constant | combine(&self.tables, label, qualifier);
        }
    }

    /// The number of a cell.
    pub fn get(&self, cell: usize) -> u32 {
        let [labels, qualifiers] = &self.bytes;
        match (self.is_apart, labels.get(cell).zip(qualifiers.get(cell))) {
            (true, Some((&label, &qualifier))) => {
                self.constant | combine(&self.tables, label, qualifier)
            }
            (true, None) => NONE,
            (false, _) => self.all.get(cell).copied().unwrap_or(NONE),
        }
    }

    /// The numbers of neighbouring cells.
    #[inline(always)]
    pub fn numbers(&self, cells: Range<usize>) -> Numbers<'_> {
        let [labels, qualifiers] = &self.bytes;
        match self.is_apart {
            true => Numbers::Apart {
                codes: [
                    labels.get(cells.clone()).unwrap_or_default(),
                    qualifiers.get(cells).unwrap_or_default(),
                ],
                tables: &self.tables,
                constant: self.constant,
            },
            false => Numbers::Made(self.all.get(cells).unwrap_or_default()),
        }
    }
}

/// What a label and a qualifier add: terms have no bit in common, and NONE has all.
#[inline(always)]
pub fn combine([labels, qualifiers]: &[[u32; 256]; 2], label: u8, qualifier: u8) -> u32 {
    labels[usize::from(label)] | qualifiers[usize::from(qualifier)]
}

/// Lays terms out so that any byte finds one; `held` is how many stood there before, and stand there then.
fn fill(table: &mut [u32; 256], terms: &[u32], held: &mut usize) {
    let (own, behind) = table.split_at_mut(terms.len().min(256));
    for (place, &term) in own.iter_mut().zip(terms) {
        *place = term;
    }
    // Behind these is nothing already.
    let left = held.saturating_sub(own.len());
    behind.iter_mut().take(left).for_each(|place| *place = NONE);
    *held = own.len();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_holds_the_terms_of_the_last_block_alone() {
        let (mut table, mut held) = ([NONE; 256], 0);
        for count in [5, 2, 0, 256, 3, 4] {
            let terms: Vec<u32> = (0..count).map(|term| 1000 * count + term).collect();
            fill(&mut table, &terms, &mut held);
            let (own, behind) = table.split_at(count as usize);
            assert_eq!(own, terms);
            assert!(behind.iter().all(|&term| term == NONE));
        }
    }
}
