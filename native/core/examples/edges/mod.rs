//! Edges for benchmarks: the same in every run, few vertices in many of them.

use lexigraph_core::cells::{CellRef, KeyRef};

const LABELS: [&[u8]; 3] = [b"", b"public", b"private&(audit|legal)"];

/// Ids of 4 bytes.
pub fn short_id(id: u32) -> Vec<u8> {
    (id | 1 << 30).to_be_bytes().to_vec()
}

/// Ids as long as URLs are, 60 bytes.
pub fn url_id(id: u32) -> Vec<u8> {
    let mixed = id.wrapping_mul(0x9e37_79b9);
    format!("https://www.example.org/people/{mixed:08x}/profile/about/{id:07}").into_bytes()
}

/// A small generator with a fixed seed, so that every run has the same edges.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A vertex; few are in many edges.
    pub fn vertex(&mut self, vertices: u64) -> u32 {
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (unit * unit * unit * vertices as f64) as u32
    }
}

pub struct Edge {
    pub row: Vec<u8>,
    qualifier: [u8; 4],
    label: &'static [u8],
    timestamp: i64,
    value: [u8; 8],
}

impl Edge {
    pub fn cell(&self) -> CellRef<'_> {
        CellRef {
            key: KeyRef {
                row: &self.row,
                family: b"CALLS",
                qualifier: &self.qualifier,
                visibility: self.label,
                timestamp: self.timestamp,
                deleted: false,
            },
            value: &self.value,
        }
    }
}

/// Each edge under both of its ends, as a table of elements has it.
pub fn edges(cells: usize, vertices: u64, seed: u64, id: fn(u32) -> Vec<u8>) -> Vec<Edge> {
    let mut random = Random(seed);
    let mut edges = Vec::with_capacity(cells);
    for _ in 0..cells / 2 {
        let (from, to) = (random.vertex(vertices), random.vertex(vertices));
        let day = (random.next() % 30) as u32;
        let label = LABELS[(random.next() % 3) as usize];
        let weight = (random.next() % 1000) as u16;
        for (first, flag, second) in [(from, 2u8, to), (to, 3, from)] {
            let row = [&id(first)[..], &[0, flag, 0], &id(second), &[0, flag]].concat();
            let [high, low] = weight.to_be_bytes();
            edges.push(Edge {
                row,
                qualifier: (day ^ 1 << 31).to_be_bytes(),
                label,
                timestamp: i64::from(day) * 86_400_000_000,
                value: [1, 1, 1, 1, 2, 2, high, low],
            });
        }
    }
    edges
}
