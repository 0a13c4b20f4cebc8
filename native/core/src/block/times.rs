//! The column of timestamps: one for all, steps from the smallest, or codes.

use super::packed::{size, write, Packed};
use super::span::{read_number, Span, Walk};
use super::{corrupt, encoding};
use crate::Result;

/// Where the timestamps of a block stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    Constant(i64),
    Deltas {
        base: i64,
        step: u64,
        deltas: Packed,
    },
    Dictionary {
        codes: Packed,
        entries: Span,
    },
}

impl Times {
    pub(super) fn read(body: &[u8], kind: u8, place: Span, count: usize) -> Result<Times> {
        let mut walk = Walk::new(body, place)?;
        match kind {
            encoding::CONSTANT => Ok(Times::Constant(walk.i64()?)),
            encoding::DELTAS => Ok(Times::Deltas {
                base: walk.i64()?,
                step: walk.i64()? as u64,
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
            Times::Deltas { base, step, deltas } => {
                let more = deltas.get(body, cell)?.wrapping_mul(*step);
                Ok(base.wrapping_add(more as i64))
            }
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
            Times::Deltas { base, step, deltas } => {
                let time = |steps: u64| base.wrapping_add(steps.wrapping_mul(*step) as i64);
                let mut small = Vec::new();
                if deltas.copy_bytes(body, &mut small) {
                    out.extend(small.iter().map(|&steps| time(steps.into())));
                    return Ok(());
                }
                for cell in 0..cells {
                    out.push(time(deltas.get(body, cell)?));
                }
            }
            Times::Dictionary { codes, entries } => {
                let entries: Vec<i64> = entries
                    .of(body)
                    .chunks_exact(8)
                    .map(|bytes| read_number(bytes) as i64)
                    .collect();
                let missing = || corrupt("a code has no timestamp");
                let mut small = Vec::new();
                if codes.copy_bytes(body, &mut small) {
                    // Nearly always: every code is there, so it is asked once and not for each cell.
                    let most = small.iter().copied().max().map_or(0, usize::from);
                    let last = entries.get(most).copied().ok_or_else(missing)?;
                    let time = |&code: &u8| entries.get(usize::from(code)).copied().unwrap_or(last);
                    out.extend(small.iter().map(time));
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
    if least == most {
        out.extend_from_slice(&least.to_le_bytes());
        return encoding::CONSTANT;
    }
    let widest = most.wrapping_sub(least) as u64;
    let codes = match widest {
        0..=0xff => None,
        _ => intern(times, size(times.len(), widest)),
    };
    let step = step(least, codes.as_ref().map_or(times, |(_, entries)| entries));
    let farthest = widest / step;
    if let Some((codes, entries)) = codes {
        let last = entries.len() as u64 - 1;
        if 8 * entries.len() + size(times.len(), last) < size(times.len(), farthest) {
            out.extend_from_slice(&(entries.len() as u32).to_le_bytes());
            write(codes.iter().map(|&code| u64::from(code)), last, out);
            for time in entries {
                out.extend_from_slice(&time.to_le_bytes());
            }
            return encoding::TIMES;
        }
    }
    out.extend_from_slice(&least.to_le_bytes());
    out.extend_from_slice(&step.to_le_bytes());
    let deltas = times.iter().map(|time| time.wrapping_sub(least) as u64);
    match step {
        1 => write(deltas, farthest, out),
        _ => write(deltas.map(|delta| delta / step), farthest, out),
    }
    encoding::DELTAS
}

/// The greatest number that divides all differences to the smallest, which are not all 0: a day, say.
fn step(least: i64, times: &[i64]) -> u64 {
    let mut step = 0;
    for time in times {
        let (mut rest, mut divisor) = (time.wrapping_sub(least) as u64, step);
        while divisor != 0 {
            (rest, divisor) = (divisor, rest % divisor);
        }
        step = rest;
        if step == 1 {
            break;
        }
    }
    step.max(1)
}

/// Codes and entries, or nothing once they would take `most` bytes or more.
fn intern(times: &[i64], most: usize) -> Option<(Vec<u32>, Vec<i64>)> {
    let (mut codes, mut entries) = (Vec::with_capacity(times.len()), Vec::new());
    // Open addressing: 0 is free, otherwise the number of the entry plus one.
    let many = (2 * times.len()).next_power_of_two();
    let mut slots = vec![0u32; many];
    let mut before = None;
    for &time in times {
        let code = match before {
            // Neighbours often have one commit's time: no look-up for them.
            Some((last, code)) if last == time => code,
            _ => {
                let mixed = (time as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let mut slot = (mixed >> 32) as usize & (many - 1);
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
                        Some(_) => slot = (slot + 1) & (many - 1),
                    }
                }
            }
        };
        before = Some((time, code));
        codes.push(code);
        if 8 * entries.len() + size(times.len(), entries.len() as u64 - 1) >= most {
            return None;
        }
    }
    Some((codes, entries))
}
