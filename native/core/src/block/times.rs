//! The column of timestamps: one for all, differences to the smallest, or codes.

use super::packed::{round_width, tight_width, write, Packed};
use super::span::{read_number, Span, Walk};
use super::{corrupt, encoding};
use crate::Result;

/// Where the timestamps of a block stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    Constant(i64),
    Deltas { base: i64, deltas: Packed },
    Dictionary { codes: Packed, entries: Span },
}

impl Times {
    pub(super) fn read(body: &[u8], kind: u8, place: Span, count: usize) -> Result<Times> {
        let mut walk = Walk::new(body, place)?;
        match kind {
            encoding::CONSTANT => Ok(Times::Constant(walk.i64()?)),
            encoding::DELTAS => Ok(Times::Deltas {
                base: walk.i64()?,
                deltas: Packed::read(&mut walk, count)?,
            }),
            encoding::TIMES => {
                let distinct = walk.u32()?;
                let codes = Packed::read(&mut walk, count)?;
                let length = distinct
                    .checked_mul(8)
                    .ok_or_else(|| corrupt("a dictionary has too many entries"))?;
                Ok(Times::Dictionary {
                    codes,
                    entries: walk.take(length)?,
                })
            }
            _ => Err(corrupt("the timestamps have an unknown encoding")),
        }
    }

    /// The timestamp of a cell.
    #[inline]
    pub fn get(&self, body: &[u8], cell: usize) -> Result<i64> {
        match self {
            Times::Constant(time) => Ok(*time),
            Times::Deltas { base, deltas } => Ok(base.wrapping_add(deltas.get(body, cell)? as i64)),
            Times::Dictionary { codes, entries } => {
                let at = entries.start + 8 * codes.get(body, cell)? as usize;
                match body.get(at..at + 8) {
                    Some(bytes) if at + 8 <= entries.end => Ok(read_number(bytes) as i64),
                    _ => Err(corrupt("a code has no timestamp")),
                }
            }
        }
    }

    /// The timestamps of `cells` cells, in place of what `out` held.
    pub fn copy_to(&self, body: &[u8], cells: usize, out: &mut Vec<i64>) -> Result<()> {
        out.clear();
        match self {
            Times::Constant(time) => out.resize(cells, *time),
            Times::Deltas { .. } => {
                for cell in 0..cells {
                    out.push(self.get(body, cell)?);
                }
            }
            Times::Dictionary { codes, entries } => {
                let entries: Vec<i64> = entries
                    .of(body)
                    .chunks_exact(8)
                    .map(|bytes| read_number(bytes) as i64)
                    .collect();
                let missing = || corrupt("a code has no timestamp");
                if let Some(codes) = codes.bytes(body) {
                    // Nearly always: every code is there, so it is asked once and not for each cell.
                    let most = codes.iter().copied().max().map_or(0, usize::from);
                    let last = entries.get(most).copied().ok_or_else(missing)?;
                    let time = |&code: &u8| entries.get(usize::from(code)).copied().unwrap_or(last);
                    out.extend(codes.iter().map(time));
                    return Ok(());
                }
                let mut numbers = Vec::new();
                codes.copy_to(body, &mut numbers)?;
                for code in numbers {
                    out.push(*entries.get(code as usize).ok_or_else(missing)?);
                }
            }
        }
        Ok(())
    }
}

/// Appends the timestamps in the smallest encoding and returns it.
pub(super) fn encode(times: &[i64], out: &mut Vec<u8>) -> u8 {
    let least = times.iter().copied().min().unwrap_or_default();
    let most = times.iter().copied().max().unwrap_or_default();
    out.extend_from_slice(&least.to_le_bytes());
    if least == most {
        return encoding::CONSTANT;
    }
    let width = tight_width(most.wrapping_sub(least) as u64);
    if width > 1 {
        if let Some((codes, entries)) = intern(times, times.len() * width) {
            out.truncate(out.len() - 8);
            out.extend_from_slice(&(entries.len() as u32).to_le_bytes());
            let code_width = round_width(entries.len() as u64 - 1);
            write(codes.iter().map(|&code| u64::from(code)), code_width, out);
            for time in entries {
                out.extend_from_slice(&time.to_le_bytes());
            }
            return encoding::TIMES;
        }
    }
    let deltas = times.iter().map(|time| time.wrapping_sub(least) as u64);
    write(deltas, width, out);
    encoding::DELTAS
}

/// Codes and entries, or nothing once they would take `most` bytes or more.
fn intern(times: &[i64], most: usize) -> Option<(Vec<u32>, Vec<i64>)> {
    let (mut codes, mut entries) = (Vec::with_capacity(times.len()), Vec::new());
    // Open addressing: 0 is free, otherwise the number of the entry plus one.
    let size = (2 * times.len()).next_power_of_two();
    let mut slots = vec![0u32; size];
    let mut before = None;
    for &time in times {
        let code = match before {
            // Neighbours often have one commit's time: no look-up for them.
            Some((last, code)) if last == time => code,
            _ => {
                let mixed = (time as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let mut slot = (mixed >> 32) as usize & (size - 1);
                loop {
                    let held = slots.get_mut(slot)?;
                    let found = held.checked_sub(1);
                    match found {
                        None => {
                            entries.push(time);
                            *held = entries.len() as u32;
                            break entries.len() as u32 - 1;
                        }
                        Some(code) if entries.get(code as usize) == Some(&time) => break code,
                        Some(_) => slot = (slot + 1) & (size - 1),
                    }
                }
            }
        };
        before = Some((time, code));
        codes.push(code);
        if 8 * entries.len() + times.len() * round_width(entries.len() as u64 - 1) >= most {
            return None;
        }
    }
    Some((codes, entries))
}
