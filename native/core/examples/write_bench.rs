//! Measures durable batches onto a loaded table with the merges that start by themselves.
//!
//! `cargo run --release --example write_bench [cells] [share] [batches] [keys]`; with `keys` the batches are events over
//! so many keys, few of which have most of them, otherwise new edges. Prints processor time beside the clock,
//! because the clock depends on what else the machine does.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)]
mod edges;

use std::time::Instant;

use edges::{edges, short_id};
use lexigraph_core::cells::CellColumns;
use lexigraph_core::engine::{
    Engine, LoadBatch, LoadOptions, MergePolicy, MutationBatch, OpenOptions, WriteOptions,
};

/// Seconds of processor time of all threads.
fn used() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(')').next().unwrap_or_default().split(' ');
    let ticks = fields
        .skip(12)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn columns(cells: usize, vertices: u64, seed: u64) -> CellColumns {
    let mut out = CellColumns::default();
    for edge in edges(cells, vertices, seed, short_id) {
        out.push(&edge.cell());
    }
    out
}

/// Events over a fixed number of keys: both cells of an edge again and again, of few edges most often.
fn events(cells: usize, pool: &[edges::Edge], seed: u64) -> CellColumns {
    let mut random = edges::Random::new(seed);
    let mut out = CellColumns::default();
    for _ in 0..cells / 2 {
        let key = random.vertex(pool.len() as u64 / 2) as usize;
        out.push(&pool[2 * key].cell());
        out.push(&pool[2 * key + 1].cell());
    }
    out
}

fn write(engine: &Engine, cells: &CellColumns) {
    let timed = vec![1; cells.len()];
    let batch = MutationBatch {
        cells: cells.view(),
        timed: &timed,
    };
    engine
        .write(&[("t", batch)], &WriteOptions::default())
        .unwrap();
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse().unwrap());
    let cells: usize = numbers.next().unwrap_or(8_000_000);
    let share = numbers.next().unwrap_or(1) as u64;
    let count = numbers.next().unwrap_or(25);
    let keys = numbers.next().unwrap_or(0);
    let vertices = cells as u64 / 8;
    let path = std::env::temp_dir().join(format!("lexigraph-writes-{}", std::process::id()));
    let options = |automatic| OpenOptions {
        merge: MergePolicy {
            automatic,
            delta_cells: cells as u64 / 8,
            base_share: share,
            ..MergePolicy::default()
        },
        ..OpenOptions::default()
    };
    let measure = |what: &str, cells: usize, work: &mut dyn FnMut()| {
        let (clock, busy) = (Instant::now(), used());
        work();
        let (clock, busy) = (clock.elapsed().as_secs_f64(), used() - busy);
        let each = busy * 1e9 / cells as f64;
        println!("{what:<40} {clock:>7.2} s; processor {busy:>6.2} s, {each:>5.0} ns a cell");
    };
    let pool = edges(2 * keys, vertices, 1, short_id);
    let batches: Vec<CellColumns> = (0..count)
        .map(|number| match keys {
            0 => columns(cells / 40, vertices, 100 + number as u64),
            _ => events(cells / 40, &pool, 100 + number as u64),
        })
        .collect();
    let all = count * cells / 40;
    let load = |engine: &Engine| {
        engine.create_table("t", "{}", &[]).unwrap();
        let cells = columns(cells, vertices, 1);
        let mut one = Some(LoadBatch {
            timed: vec![1; cells.len()],
            cells,
        });
        engine
            .load(
                "t",
                &mut || Ok(one.take()),
                &LoadOptions::default(),
                &mut |_| Ok(()),
            )
            .unwrap();
    };

    let engine = Engine::open(&path, options(false)).unwrap();
    load(&engine);
    let few = count.min(5);
    measure("first batches, no merge", few * cells / 40, &mut || {
        batches
            .iter()
            .take(few)
            .for_each(|batch| write(&engine, batch))
    });
    measure("a merge, for each cell of the base", cells, &mut || {
        engine.compact("t", None, None).unwrap();
    });
    engine.drop_table("t").unwrap();
    engine.close().unwrap();
    drop(engine);
    std::fs::remove_dir_all(&path).unwrap();

    let engine = Engine::open(&path, options(true)).unwrap();
    load(&engine);
    measure("all batches with their merges", all, &mut || {
        batches.iter().for_each(|batch| write(&engine, batch))
    });
    for report in engine.take_merge_reports() {
        let report = report.unwrap();
        println!(
            "  a merge of {} cells, {} transactions",
            report.cells_in, report.transactions
        );
    }
    println!("{:?}", engine.stats("t").unwrap());
    engine.close().unwrap();
    drop(engine);
    std::fs::remove_dir_all(path).unwrap();
}
