//! A growing set of vertices, each numbered once.

use crate::block::Dictionary;

/// Vertices as they stand in rows, escaped, in the order they were reached.
#[derive(Debug, Default)]
pub struct Frontier(Dictionary);

impl Frontier {
    pub fn add(&mut self, vertex: &[u8]) {
        self.0.code(vertex);
    }

    pub fn add_all(&mut self, other: &Frontier) {
        for code in 0..other.0.len() as u32 {
            self.0.code(other.0.get(code));
        }
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The vertices from a number on, sorted; escaped bytes sort as plain ones do.
    pub fn sorted(&self, from: usize) -> Vec<Vec<u8>> {
        let codes = from as u32..self.0.len() as u32;
        let mut vertices: Vec<&[u8]> = codes.map(|code| self.0.get(code)).collect();
        vertices.sort_unstable();
        vertices.into_iter().map(<[u8]>::to_vec).collect()
    }
}
