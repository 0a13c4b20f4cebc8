//! Stages that find documents with several terms, in a table partitioned by document.
//!
//! A row is a partition. The cursors of all terms leap to the largest document that any of them has
//! reached; where they agree there is a result. A document comes once for each cell of the first
//! term. Where terms and documents stand in a cell is the [`Index`]'s business.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::{Cursor, Families, Source};
use crate::cells::{Cell, CellRef, Key, KeyRef, Range};
use crate::Result;

/// How an index is laid out.
pub trait Index: Clone + Send + 'static {
    /// The family that holds a term's cells.
    fn family_of(&self, term: &[u8]) -> Vec<u8>;
    /// Where a document of a term would be; without one, where the term starts.
    fn key(&self, row: &[u8], term: &[u8], document: Option<&[u8]>) -> Key;
    /// Where a term's cells start in a range that starts at `start`.
    fn start_key(&self, start: &Key, term: &[u8]) -> Key;
    /// The term that a cell is about.
    fn term_of<'a>(&self, key: &KeyRef<'a>) -> Result<&'a [u8]>;
    /// The document that a cell is about, a part of its qualifier.
    fn document_of<'a>(&self, key: &KeyRef<'a>) -> Result<&'a [u8]>;
    /// The result for a document that matches; `source` is free for looking things up.
    fn result(
        &self,
        place: &DocumentPlace,
        range: &Range,
        source: &mut Source,
    ) -> Result<Option<Cell>>;
}

/// A row and a document in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DocumentPlace {
    pub row: Vec<u8>,
    pub document: Vec<u8>,
}

impl DocumentPlace {
    fn of(row: &[u8], document: &[u8]) -> DocumentPlace {
        DocumentPlace {
            row: row.to_vec(),
            document: document.to_vec(),
        }
    }
}

/// A position among the cells of one term; it only moves forward.
struct TermCursor {
    term: Vec<u8>,
    families: Families,
    cells: Source,
}

impl TermCursor {
    fn new(term: &[u8], family: Vec<u8>, cells: Source) -> TermCursor {
        TermCursor {
            term: term.to_vec(),
            families: Families {
                names: BTreeSet::from([family]),
                inclusive: true,
            },
            cells,
        }
    }

    /// Moves to the first cell at or behind `key`.
    fn seek(&mut self, key: Option<Key>) -> Result<()> {
        let range = Range {
            start: key,
            ..Range::default()
        };
        self.cells.seek(&range, &self.families)?;
        // A stage below may answer with keys before the range: a leap must not stand still.
        while self
            .cells
            .top()
            .is_some_and(|top| range.is_before(&top.key))
        {
            self.cells.advance()?;
        }
        Ok(())
    }

    fn top(&self, range: &Range) -> Option<CellRef<'_>> {
        self.cells
            .top()
            .filter(|top| !ends_before(range, top.key.row))
    }
}

/// A range ends with a row, whatever else its end says.
fn ends_before(range: &Range, row: &[u8]) -> bool {
    range
        .end
        .as_ref()
        .is_some_and(|end| match row.cmp(end.row.as_slice()) {
            Ordering::Less => false,
            Ordering::Equal => !range.end_inclusive,
            Ordering::Greater => true,
        })
}

/// The cursor over the documents that have all terms and none of the negated ones.
pub struct Intersection<I> {
    source: Source,
    index: I,
    terms: Vec<TermCursor>,
    negated: Vec<TermCursor>,
    range: Range,
    result: Option<Cell>,
}

impl<I: Index> Intersection<I> {
    pub fn new(source: Source, index: I, terms: &[Vec<u8>], negated: &[Vec<u8>]) -> Self {
        let cursors = |terms: &[Vec<u8>]| {
            terms
                .iter()
                .map(|term| TermCursor::new(term, index.family_of(term), source.fork()))
                .collect()
        };
        Intersection {
            terms: cursors(terms),
            negated: cursors(negated),
            source,
            index,
            range: Range::default(),
            result: None,
        }
    }

    /// Finds the next result from a place that was reached.
    fn settle(&mut self, mut place: DocumentPlace) -> Result<()> {
        self.result = None;
        while let Some(agreed) = self.agree(place)? {
            if !self.is_negated(&agreed)? {
                self.result = self.index.result(&agreed, &self.range, &mut self.source)?;
                if self.result.is_some() {
                    return Ok(());
                }
            }
            self.leave()?;
            place = agreed;
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<()> {
        match self.terms.first_mut() {
            Some(first) => first.cells.advance(),
            None => Ok(()),
        }
    }

    fn agree(&mut self, mut place: DocumentPlace) -> Result<Option<DocumentPlace>> {
        let mut agreed = 0;
        while let Some(cursor) = self.terms.get_mut(agreed) {
            let Some(reached) = leap(&self.index, cursor, &place, &self.range)? else {
                return Ok(None);
            };
            agreed = if reached == place { agreed + 1 } else { 0 };
            place = reached;
        }
        Ok(Some(place))
    }

    fn is_negated(&mut self, place: &DocumentPlace) -> Result<bool> {
        for cursor in &mut self.negated {
            if stands_at(&self.index, cursor, place, &self.range)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn leap(
    index: &impl Index,
    cursor: &mut TermCursor,
    place: &DocumentPlace,
    range: &Range,
) -> Result<Option<DocumentPlace>> {
    let (mut row, mut document) = (place.row.clone(), place.document.as_slice());
    while let Some(top) = cursor.top(range) {
        let target = match top.key.row.cmp(row.as_slice()) {
            Ordering::Less => index.key(&row, &cursor.term, None),
            Ordering::Greater => {
                (row, document) = (top.key.row.to_vec(), b"");
                continue;
            }
            Ordering::Equal => match index.term_of(&top.key)?.cmp(cursor.term.as_slice()) {
                Ordering::Less => index.key(&row, &cursor.term, Some(document)),
                Ordering::Greater => Key::following(&[&row]),
                Ordering::Equal => {
                    let found = index.document_of(&top.key)?;
                    if found >= document {
                        return Ok(Some(DocumentPlace::of(&row, found)));
                    }
                    index.key(&row, &cursor.term, Some(document))
                }
            },
        };
        cursor.seek(Some(target))?;
    }
    Ok(None)
}

fn stands_at(
    index: &impl Index,
    cursor: &mut TermCursor,
    place: &DocumentPlace,
    range: &Range,
) -> Result<bool> {
    while let Some(top) = cursor.top(range) {
        let target = match top.key.row.cmp(place.row.as_slice()) {
            Ordering::Greater => return Ok(false),
            Ordering::Less => index.key(&place.row, &cursor.term, None),
            Ordering::Equal => {
                match index.term_of(&top.key)?.cmp(cursor.term.as_slice()) {
                    Ordering::Greater => return Ok(false),
                    Ordering::Less => {}
                    Ordering::Equal => {
                        let found = index.document_of(&top.key)?;
                        if found >= place.document.as_slice() {
                            return Ok(found == place.document);
                        }
                    }
                }
                index.key(&place.row, &cursor.term, Some(&place.document))
            }
        };
        cursor.seek(Some(target))?;
    }
    Ok(false)
}

impl<I: Index> Cursor for Intersection<I> {
    /// Families are those of the terms, whatever is asked for.
    fn seek(&mut self, range: &Range, _: &Families) -> Result<()> {
        self.range.clone_from(range);
        self.result = None;
        for cursor in self.terms.iter_mut().chain(&mut self.negated) {
            let start = range.start.as_ref();
            let key = start.map(|start| self.index.start_key(start, &cursor.term));
            cursor.seek(key)?;
        }
        self.settle(DocumentPlace::default())
    }

    fn top(&self) -> Option<CellRef<'_>> {
        self.result.as_ref().map(Cell::as_ref)
    }

    fn advance(&mut self) -> Result<()> {
        if self.result.is_none() {
            return Ok(());
        }
        // The place of the result: the cursor of the first term stands there.
        let place = match self.terms.first().and_then(|first| first.cells.top()) {
            Some(top) => DocumentPlace::of(top.key.row, self.index.document_of(&top.key)?),
            None => return Ok(()),
        };
        self.leave()?;
        self.settle(place)
    }

    fn fork(&self) -> Source {
        let list = |cursors: &[TermCursor]| -> Vec<Vec<u8>> {
            cursors.iter().map(|cursor| cursor.term.clone()).collect()
        };
        Box::new(Intersection::new(
            self.source.fork(),
            self.index.clone(),
            &list(&self.terms),
            &list(&self.negated),
        ))
    }
}
