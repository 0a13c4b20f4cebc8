//! Measures load, scan, look-ups, batches and merges of trees on generated edges.
//!
//! `cargo run --release --example store_bench [cells] [directory]`; prints one line per measure.
#![allow(clippy::unwrap_used)]

use std::time::Instant;

use lexigraph_core::cells::{CellRef, Key, KeyRef, Range};
use lexigraph_core::stages::{Cursor, Families};
use lexigraph_core::tree::{sort_batch, Batch, Options, Store, TreeCursor, TreeId};

const TREE: TreeId = TreeId { table: 1, group: 0 };
const LABELS: [&[u8]; 3] = [b"", b"public", b"private&(audit|legal)"];

/// A small generator with a fixed seed, so that every run has the same edges.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A vertex; few are in many edges.
    fn vertex(&mut self, vertices: u64) -> u32 {
        let unit = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        (unit * unit * unit * vertices as f64) as u32
    }
}

struct Edge {
    row: Vec<u8>,
    qualifier: [u8; 4],
    label: &'static [u8],
    timestamp: i64,
    value: [u8; 8],
}

impl Edge {
    fn cell(&self) -> CellRef<'_> {
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
fn edges(cells: usize, vertices: u64, seed: u64, id: fn(u32) -> Vec<u8>) -> Vec<Edge> {
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

/// When a measure started: by the clock, and by what this process had used.
struct Start(Instant, f64);

impl Start {
    fn now() -> Start {
        Start(Instant::now(), used())
    }
}

/// Seconds of processor time of all threads; on a busy machine they say more than the clock.
fn used() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split(' ');
    let ticks = fields
        .skip(12)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn report(what: &str, cells: usize, started: Start) {
    let (seconds, busy) = (started.0.elapsed().as_secs_f64(), used() - started.1);
    let rate = |seconds: f64| cells as f64 / seconds.max(0.01) / 1e6;
    println!(
        "{what:<44} {seconds:>7.3} s {:>6.2} M cells/s; processor {busy:>5.2} s {:>6.2} M cells/s",
        rate(seconds),
        rate(busy)
    );
}

fn scan(store: &Store, what: &str) {
    let started = Start::now();
    let mut cursor = TreeCursor::new(&store.snapshot().unwrap(), &[TREE]);
    cursor
        .seek(&Range::default(), &Families::default())
        .unwrap();
    let (mut count, mut sum) = (0, 0usize);
    while let Some(cell) = cursor.top() {
        count += 1;
        sum += cell.key.row.len() + cell.value.len();
        cursor.advance().unwrap();
    }
    report(
        &format!("{what} ({} MB of rows, values)", sum >> 20),
        count,
        started,
    );
}

fn look_up(store: &Store, edges: &[Edge], id_length: usize) {
    let started = Start::now();
    let mut cursor = TreeCursor::new(&store.snapshot().unwrap(), &[TREE]);
    let mut random = Random(5);
    let mut found = 0;
    for _ in 0..10_000 {
        let vertex = &edges[random.next() as usize % edges.len()].row[..=id_length];
        let range = Range {
            start: Some(Key::leading(vertex, b"", b"", b"")),
            end: Some(Key::leading(
                &[&vertex[..id_length], &[1]].concat(),
                b"",
                b"",
                b"",
            )),
            ..Range::default()
        };
        cursor.seek(&range, &Families::default()).unwrap();
        for _ in 0..15 {
            found += usize::from(cursor.top().is_some());
            cursor.advance().unwrap();
        }
    }
    report("10,000 look-ups of up to 15 cells", found, started);
}

fn run(name: &str, cells: usize, directory: &std::path::Path, id: fn(u32) -> Vec<u8>) {
    println!("-- {name}");
    let _ = std::fs::remove_dir_all(directory);
    let store = Store::open(directory, Options::default()).unwrap();
    let vertices = cells as u64 / 8;
    let edges = edges(cells, vertices, 1, id);
    let started = Start::now();
    let mut loader = store.loader(Default::default());
    for edge in &edges {
        loader.push(TREE, &edge.cell()).unwrap();
    }
    store.load(loader, 1, &mut |_| Ok(())).unwrap();
    report("load, with sort and fsync", cells, started);
    let stats = store.stats(TREE).unwrap();
    let base = stats.base;
    println!(
        "{:<44} {:.1} bytes a cell, {} blocks, file {} MB",
        "size",
        base.bytes as f64 / base.cells as f64,
        base.blocks,
        stats.file >> 20
    );
    scan(&store, "scan");
    scan(&store, "scan again");
    look_up(&store, &edges, id(0).len());
    let batch_cells = 200_000.min(cells / 2);
    for number in 0..4 {
        let edges = self::edges(batch_cells, vertices, 100 + number, id);
        let mut batch: Vec<CellRef<'_>> = edges.iter().map(Edge::cell).collect();
        let started = Start::now();
        sort_batch(&mut batch);
        let batches = [Batch {
            tree: TREE,
            cells: &batch,
        }];
        store.write(&batches, 2 + number as i64).unwrap();
        report("batch, sorted, with fsync", batch_cells, started);
    }
    scan(&store, "scan with a delta");
    look_up(&store, &edges, id(0).len());
    let started = Start::now();
    let (mut start, mut steps) = (None, 0);
    loop {
        let end = store.merge_end(TREE, start.as_deref(), 256).unwrap();
        store
            .merge_range(TREE, start.as_deref(), end.as_deref(), Ok)
            .unwrap();
        steps += 1;
        match end {
            Some(end) => start = Some(end),
            None => break,
        }
    }
    report(
        &format!("merge all, {steps} transactions"),
        cells + 4 * batch_cells,
        started,
    );
    let started = Start::now();
    let verified = store.verify().unwrap();
    report("verify", verified.counts.cells as usize, started);
    println!(
        "{:<44} {} MB",
        "file",
        store.stats(TREE).unwrap().file >> 20
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let cells = arguments
        .next()
        .map_or(2_000_000, |text| text.parse().unwrap());
    let directory = arguments.next().map_or_else(
        || std::env::temp_dir().join("lexigraph-store-bench"),
        Into::into,
    );
    run("ids of 4 bytes", cells, &directory, |id| {
        (id | 1 << 30).to_be_bytes().to_vec()
    });
    let url = |id: u32| {
        format!(
            "https://www.example.org/people/{:08x}/profile/about/{id:07}",
            id.wrapping_mul(0x9e37_79b9)
        )
        .into_bytes()
    };
    run("60-byte URL ids", cells / 4, &directory, url);
    let _ = std::fs::remove_dir_all(&directory);
}
