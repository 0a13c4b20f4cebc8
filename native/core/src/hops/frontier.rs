//! A growing set of vertices, each numbered once.

use super::ends::Reached;
use crate::block::Dictionary;
use crate::cells::BytesColumn;

/// Vertices as they stand in rows, escaped, in the order they were reached.
#[derive(Debug, Default)]
pub struct Frontier(Dictionary);

impl Reached for Frontier {
    fn add(&mut self, vertex: &[u8]) {
        self.0.code(vertex);
    }
}

impl Frontier {
    pub fn add_all(&mut self, other: &Frontier) {
        for code in 0..other.0.len() as u32 {
            self.0.code(other.0.get(code));
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The vertices from a number on, sorted; escaped bytes sort as plain ones do.
    pub fn sorted(&self, from: usize) -> BytesColumn {
        let codes = from as u32..self.0.len() as u32;
        let mut vertices: Vec<(u64, &[u8])> = codes
            .map(|code| self.0.get(code))
            .map(|vertex| (start_of(vertex), vertex))
            .collect();
        // Numbers are quicker to compare than bytes, and mostly tell.
        vertices.sort_unstable();
        let mut column = BytesColumn::default();
        vertices.iter().for_each(|(_, vertex)| column.push(vertex));
        column
    }
}

/// The first bytes as a number that sorts as they do.
fn start_of(vertex: &[u8]) -> u64 {
    match vertex.first_chunk() {
        Some(first) => u64::from_be_bytes(*first),
        None => {
            let mut first = [0; 8];
            first.iter_mut().zip(vertex).for_each(|(a, b)| *a = *b);
            u64::from_be_bytes(first)
        }
    }
}
