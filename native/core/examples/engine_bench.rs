//! Commits of the engine: `cargo run --release --example engine_bench`.
#![allow(clippy::unwrap_used)]

use std::time::Instant;

use lexigraph_core::cells::{CellColumns, CellRef, KeyRef};
use lexigraph_core::engine::{Durability, Engine, MutationBatch, OpenOptions, WriteOptions};

fn columns(count: u64, seed: u64) -> CellColumns {
    let mut columns = CellColumns::default();
    let mut state = seed;
    for _ in 0..count {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let row = (state >> 20) % 4_000_000;
        columns.push(&CellRef {
            key: KeyRef {
                row: format!("v{row:08}").as_bytes(),
                family: b"edge",
                qualifier: &(state >> 33).to_be_bytes(),
                visibility: b"a|b",
                timestamp: 0,
                deleted: false,
            },
            value: b"12345678",
        });
    }
    columns
}

fn write(engine: &Engine, columns: &CellColumns, durability: Durability) {
    let timed = vec![0; columns.len()];
    let batch = MutationBatch {
        cells: columns.view(),
        timed: &timed,
    };
    let options = WriteOptions {
        durability: Some(durability),
        ..WriteOptions::default()
    };
    engine.write(&[("t", batch)], &options).unwrap();
}

fn main() {
    let path = std::env::temp_dir().join(format!("lexigraph-bench-{}", std::process::id()));
    let engine = Engine::open(&path, OpenOptions::default()).unwrap();
    engine.create_table("t", "{}", &[]).unwrap();
    let rate = |what: &str, count: u64, start: Instant| {
        let seconds = start.elapsed().as_secs_f64();
        println!("{what}: {:.0} per second", count as f64 / seconds);
    };
    let batches: Vec<CellColumns> = (0..20).map(|seed| columns(200_000, seed)).collect();
    let start = Instant::now();
    for batch in &batches {
        write(&engine, batch, Durability::Sync);
    }
    rate("cells in batches of 200,000", 4_000_000, start);
    let start = Instant::now();
    engine.compact("t", None, None).unwrap();
    rate("cells merged", 4_000_000, start);
    let start = Instant::now();
    for batch in &batches[..5] {
        write(&engine, batch, Durability::Sync);
    }
    rate("cells in batches onto the base", 1_000_000, start);
    let ones: Vec<CellColumns> = (0..50_000).map(|seed| columns(1, seed)).collect();
    let start = Instant::now();
    for one in &ones {
        write(&engine, one, Durability::Buffered);
    }
    rate("buffered commits of one cell", 50_000, start);
    let start = Instant::now();
    engine.flush().unwrap();
    rate("buffered commits flushed", 50_000, start);
    let start = Instant::now();
    for one in &ones[..300] {
        write(&engine, one, Durability::Sync);
    }
    rate("sync commits of one cell", 300, start);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for part in ones.chunks(200).take(16) {
            let engine = &engine;
            scope.spawn(move || {
                for one in part {
                    write(engine, one, Durability::Sync);
                }
            });
        }
    });
    rate("sync commits of one cell by 16 threads", 3200, start);
    println!("{:?}", engine.stats("t").unwrap());
    for report in engine.take_merge_reports() {
        println!("{report:?}");
    }
    drop(engine);
    std::fs::remove_dir_all(path).unwrap();
}
