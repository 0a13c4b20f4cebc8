//! Measures load, scan, look-ups, batches and merges of trees on generated edges.
//!
//! `cargo run --release --example store_bench [cells] [directory]`; prints one line per measure.
#![allow(clippy::unwrap_used)]

mod edges;
#[allow(dead_code)]
mod measure;

use edges::{edges, short_id, url_id, Edge, Random};
use lexigraph_core::cells::{CellRef, Key, Range};
use lexigraph_core::stages::{Cursor, Families};
use lexigraph_core::tree::{sort_batch, Batch, Options, Store, TreeCursor, TreeId};
use measure::Start;

const TREE: TreeId = TreeId { table: 1, group: 0 };

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
    started.report(&format!("{what} ({} MB of rows, values)", sum >> 20), count);
}

fn look_up(store: &Store, edges: &[Edge], id_length: usize) {
    let started = Start::now();
    let mut cursor = TreeCursor::new(&store.snapshot().unwrap(), &[TREE]);
    let mut random = Random::new(5);
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
    started.report("10,000 look-ups of up to 15 cells", found);
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
    started.report("load, with sort and fsync", cells);
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
        let edges = edges::edges(batch_cells, vertices, 100 + number, id);
        let mut batch: Vec<CellRef<'_>> = edges.iter().map(Edge::cell).collect();
        let started = Start::now();
        sort_batch(&mut batch);
        let batches = [Batch {
            tree: TREE,
            cells: &batch,
        }];
        store.write(&batches, 2 + number as i64).unwrap();
        started.report("batch, sorted, with fsync", batch_cells);
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
    started.report(
        &format!("merge all, {steps} transactions"),
        cells + 4 * batch_cells,
    );
    let started = Start::now();
    let verified = store.verify().unwrap();
    started.report("verify", verified.counts.cells as usize);
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
    run("ids of 4 bytes", cells, &directory, short_id);
    run("60-byte URL ids", cells / 4, &directory, url_id);
    let _ = std::fs::remove_dir_all(&directory);
}
