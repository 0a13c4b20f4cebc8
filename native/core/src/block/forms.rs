//! The forms of a block's rows: what is left of a row when one stretch of text in it is as good as another.
//!
//! The form of a row has one `*` for each longest stretch of bytes 20 to 7e, and every other byte as it is. Rows of one kind
//! nearly always have one form, so whoever cuts rows at bytes that are no text decides once for each form of a
//! block. The column is left out where rows have many forms or long ones.

use super::encoding;
use super::packed::write;
use super::span::{Span, Walk};
use super::strings::{write_entries, Strings};
use super::{corrupt, Block, RowCursor};
use crate::Result;

/// Stands for any text.
const TEXT: u8 = b'*';
/// More forms, or longer ones, are not worth their bytes.
const MOST: usize = 16;
const LONGEST: usize = 64;

/// Finds the forms of rows; keeps its buffers from block to block.
#[derive(Debug, Default)]
pub(super) struct Forms {
    /// The form of the row before, and how long the form of each start of that row is.
    form: Vec<u8>,
    lengths: Vec<u8>,
    known: Vec<Vec<u8>>,
    codes: Vec<u8>,
}

impl Forms {
    /// Appends the forms of rows, each given with the bytes that it shares with the one before; `false` and nothing
    /// appended where they are left out.
    pub fn encode<'a>(
        &mut self,
        count: usize,
        row: impl Fn(usize) -> (usize, &'a [u8]),
        out: &mut Vec<u8>,
    ) -> bool {
        self.form.clear();
        self.lengths.clear();
        self.lengths.push(0);
        self.known.clear();
        self.codes.clear();
        for index in 0..count {
            let (shared, bytes) = row(index);
            // What the first shares is with a row of another block.
            if !self.follow(shared.min(self.lengths.len() - 1), bytes) {
                return false;
            }
        }
        let start = out.len();
        out.extend_from_slice(&[0; 5]);
        let kind = match self.known.as_slice() {
            [only] => {
                out.extend_from_slice(only);
                encoding::CONSTANT
            }
            known => {
                out.extend_from_slice(&(known.len() as u32).to_le_bytes());
                let codes = self.codes.iter().map(|&code| u64::from(code));
                write(codes, known.len() as u64 - 1, out);
                let form = |form: usize| known.get(form).map_or(&[][..], Vec::as_slice);
                write_entries(known.len(), form, out);
                encoding::DICTIONARY
            }
        };
        let length = ((out.len() - start - 5) as u32).to_le_bytes();
        if let Some([place, rest @ ..]) = out.get_mut(start..start + 5) {
            *place = kind;
            rest.copy_from_slice(&length);
        }
        true
    }

    /// Takes the next row; `false` where there are too many forms or too long ones.
    fn follow(&mut self, shared: usize, row: &[u8]) -> bool {
        let held = self.lengths.get(shared).copied().unwrap_or_default();
        self.form.truncate(held.into());
        self.lengths.truncate(shared + 1);
        let before = shared.checked_sub(1).and_then(|last| row.get(last));
        let mut follows_text = before.is_some_and(|&byte| is_text(byte));
        for &byte in row.get(shared..).unwrap_or_default() {
            let text = is_text(byte);
            if !(text && follows_text) {
                if self.form.len() == LONGEST {
                    return false;
                }
                self.form.push(if text { TEXT } else { byte });
            }
            follows_text = text;
            self.lengths.push(self.form.len() as u8);
        }
        let last = self.codes.last().copied().unwrap_or_default();
        if self.known.get(usize::from(last)) == Some(&self.form) {
            self.codes.push(last);
            return true;
        }
        let code = match self.known.iter().position(|known| *known == self.form) {
            Some(code) => code,
            None if self.known.len() == MOST => return false,
            None => {
                self.known.push(self.form.clone());
                self.known.len() - 1
            }
        };
        self.codes.push(code as u8);
        true
    }
}

fn is_text(byte: u8) -> bool {
    (0x20..=0x7e).contains(&byte)
}

/// Whether no byte is text, so that a form shows all of them.
pub fn shows(bytes: &[u8]) -> bool {
    !bytes.iter().any(|&byte| is_text(byte))
}

/// The form of a row, as the documentation says it.
pub fn form_of(row: &[u8]) -> Vec<u8> {
    let mut form = Vec::new();
    let mut follows_text = false;
    for &byte in row {
        let text = is_text(byte);
        match text {
            true if follows_text => {}
            true => form.push(TEXT),
            false => form.push(byte),
        }
        follows_text = text;
    }
    form
}

/// Reads where the forms of so many rows stand.
pub(super) fn read(body: &[u8], walk: &mut Walk<'_>, rows: usize) -> Result<Strings> {
    let kind = walk.byte()?;
    let length = walk.u32()?;
    let place: Span = walk.take(length)?;
    match Strings::read(body, kind, place, rows)? {
        forms if forms.entries().is_some() => Ok(forms),
        _ => Err(corrupt("the forms of rows are not codes")),
    }
}

impl<'a> Block<'a> {
    /// The form of each row, where they are stored: always codes.
    pub fn row_forms(&self) -> Option<&'a Strings> {
        self.layout().rows.forms.as_ref()
    }

    /// Refuses stored forms that are not those of the rows; a reader relies on the checksum for that.
    pub(crate) fn check_forms(&self) -> Result<()> {
        let Some(forms) = self.row_forms() else {
            return Ok(());
        };
        let mut rows = RowCursor::default();
        rows.seek(self, 0)?;
        loop {
            let code = forms.code(self.body(), rows.index())?;
            let held = forms.entry(self.body(), code)?.of(self.body());
            if held != form_of(rows.row()) {
                return Err(corrupt("a row has another form than it says"));
            }
            if !rows.advance(self)? {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::block::{header, BlockBuilder, Compression, Page};
    use crate::cells::{CellRef, KeyRef};

    fn page(rows: &[Vec<u8>]) -> Page<Vec<u8>> {
        let mut builder = BlockBuilder::new(Compression::Never);
        for row in rows {
            let key = KeyRef {
                row,
                family: b"f",
                qualifier: b"q",
                visibility: b"",
                timestamp: 0,
                deleted: false,
            };
            builder.push(&CellRef { key, value: b"" }).unwrap();
        }
        Page::open(builder.finish().unwrap()).unwrap()
    }

    #[test]
    fn every_row_has_its_form() {
        let ends = [
            "", "a", "~ !", "\u{7f}", "abc", "u\0\x02", "*", "**", "\x01\x01", "é",
        ];
        for flags in [&[2u8][..], &[2, 3], &[1, 2, 3, 4, 9]] {
            let mut rows: Vec<Vec<u8>> = Vec::new();
            for first in ["u1", "u12", "z"] {
                for (flag, end) in flags.iter().flat_map(|flag| ends.map(|end| (*flag, end))) {
                    rows.push(
                        [first.as_bytes(), &[0, flag, 0], end.as_bytes(), &[0, flag]].concat(),
                    );
                }
            }
            rows.sort();
            rows.dedup();
            // The forms of one flag fit; those of five do not.
            let page = page(&rows);
            let block = page.block();
            let Some(forms) = block.row_forms() else {
                assert!(flags.len() > 1);
                continue;
            };
            for (number, row) in rows.iter().enumerate() {
                let code = forms.code(block.body(), number).unwrap();
                let found = forms.entry(block.body(), code).unwrap().of(block.body());
                assert_eq!(found, form_of(row), "{row:x?}");
            }
        }
    }

    #[test]
    fn forms_of_other_rows_are_found() {
        let rows: Vec<Vec<u8>> = [&b"a\0\x02"[..], b"b\0\x02", b"c\0\x03"]
            .map(Into::into)
            .into();
        page(&rows).block().check_forms().unwrap();
        let page = page(&rows);
        let mut body = page.block().body().to_vec();
        let form = body
            .windows(3)
            .position(|bytes| bytes == b"*\0\x03")
            .unwrap();
        body[form + 2] = 4;
        let wrong = Page::open(header::seal(&body, None).unwrap()).unwrap();
        assert!(wrong.block().check_forms().is_err());
    }

    #[test]
    fn rows_without_a_common_form_are_stored_as_before() {
        let row = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
        let mut rows: Vec<Vec<u8>> = (1..100).map(|number| row(number).to_vec()).collect();
        rows.sort();
        assert!(page(&rows).block().row_forms().is_none());
        assert!(page(&[vec![3; 100]]).block().row_forms().is_none());
        assert!(page(&[vec![b'x'; 100]]).block().row_forms().is_some());
    }
}
