//! The shapes of a block's rows by their forms, where blocks store these and the plan's shapes follow from them.

use crate::block::{corrupt, Block};
use crate::plan::{Plan, RowCode, RowShapes};
use crate::Result;

/// How many forms are remembered.
const MOST: usize = 64;

/// The codes of rows by form; keeps what it knows from block to block.
#[derive(Debug)]
pub struct FormCodes {
    suits: bool,
    known: Vec<(Vec<u8>, RowCode)>,
    /// For each form of the block at hand.
    codes: Vec<RowCode>,
    /// The form of each row.
    forms: Vec<u8>,
}

impl FormCodes {
    pub fn new(plan: &Plan) -> FormCodes {
        FormCodes {
            suits: RowShapes::follow_forms(plan),
            known: Vec::new(),
            codes: Vec::new(),
            forms: Vec::new(),
        }
    }

    /// Takes the next block; `false` where its rows must be read.
    pub fn open(&mut self, block: &Block<'_>, shapes: &mut RowShapes<'_>) -> Result<bool> {
        let Some(forms) = block.row_forms().filter(|_| self.suits) else {
            return Ok(false);
        };
        let (body, count) = (block.body(), forms.entries().unwrap_or_default());
        match count {
            1 => {
                self.forms.clear();
                self.forms.resize(block.rows(), 0);
            }
            _ if forms.copy_byte_codes(body, &mut self.forms) => {}
            _ => return Ok(false),
        }
        self.codes.clear();
        for form in 0..count {
            let form = forms.entry(body, form)?.of(body);
            let code = self.code(form, shapes);
            if shapes.compares(code) {
                return Ok(false);
            }
            self.codes.push(code);
        }
        let most = self.forms.iter().fold(0, |most, &form| form.max(most));
        match usize::from(most) < count {
            true => Ok(true),
            false => Err(corrupt("a code has no entry")),
        }
    }

    /// The code that rows from `row` on have in common, and how many they are; nothing behind the last row.
    pub fn run(&self, row: usize) -> Option<(RowCode, usize)> {
        let rest = self.forms.get(row..)?;
        let form = *rest.first()?;
        let code = self.codes.get(usize::from(form)).copied();
        Some((code.unwrap_or(RowCode::MISFIT), run_of(rest, form)))
    }

    fn code(&mut self, form: &[u8], shapes: &mut RowShapes<'_>) -> RowCode {
        if let Some((_, code)) = self.known.iter().find(|(known, _)| known == form) {
            return *code;
        }
        // A form is itself a row of this form.
        let code = shapes.whole(form);
        if self.known.len() == MOST {
            self.known.clear();
        }
        self.known.push((form.to_vec(), code));
        code
    }
}

/// How many bytes from the first on are this one.
fn run_of(bytes: &[u8], byte: u8) -> usize {
    let all = u64::from_le_bytes([byte; 8]);
    let mut length = 0;
    for word in bytes.chunks_exact(8).filter_map(<[u8]>::first_chunk) {
        let differ = u64::from_le_bytes(*word) ^ all;
        if differ != 0 {
            return length + differ.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let rest = bytes.get(length..).unwrap_or_default();
    length + rest.iter().take_while(|&&one| one == byte).count()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::block::form_of;

    #[test]
    fn rows_have_the_shape_of_their_form() {
        let text = include_str!("../../../../spec/plans/byte-entity.json");
        let plan = Plan::parse(&serde_json::from_str(text).unwrap(), "plan").unwrap();
        assert!(RowShapes::follow_forms(&plan));
        let mut shapes = RowShapes::new(&plan);
        let pieces: [&[u8]; 16] = [
            b"u1",
            b"*",
            b" ~",
            b"\x7f",
            b"\0",
            b"\0\x01",
            b"\0\x02\0",
            b"\0\x02",
            b"\0\x03\0",
            b"\0\x03",
            b"\0\x04\0",
            b"\0\x04",
            b"\x01\x01",
            b"\x01",
            "\u{e9}".as_bytes(),
            b"\xc3",
        ];
        let (mut fitting, mut seed) = (0, 1u64);
        for _ in 0..200_000 {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let mut draw = seed >> 20;
            let mut row = Vec::new();
            for _ in 0..1 + draw % 6 {
                draw /= 7;
                row.extend_from_slice(pieces[(draw % 16) as usize]);
            }
            let whole = shapes.whole(&row).shape();
            fitting += usize::from(whole.is_some());
            assert_eq!(shapes.whole(&form_of(&row)).shape(), whole, "{row:x?}");
        }
        assert!(fitting > 1000);
    }

    #[test]
    fn a_run_ends_where_another_byte_stands() {
        for length in 1..40 {
            for end in 1..=length {
                let mut bytes = vec![3; length];
                if let Some(byte) = bytes.get_mut(end) {
                    *byte = 2;
                }
                assert_eq!(run_of(&bytes, 3), end);
            }
        }
    }
}
