//! `spec/stages` through a real store: in delta and base, by batches of any size, cut and resumed.

use lexigraph_core::cells::Cell;
use lexigraph_core::scan::{Input, ScanOptions, Spec};
use lexigraph_core::settings::Settings;
use lexigraph_core::Result;
use serde_json::Value;

use crate::common::vectors::{cells, cut_everywhere, judge, stages};
use crate::support::{read, Fixture};

fn scan(input: &Input, spec: &Value, batch: usize) -> Result<Vec<Cell>> {
    let options = ScanOptions {
        threads: 2,
        ..ScanOptions::default()
    };
    read(input, &Spec::from_json(spec)?, &options, batch)
}

fn check(case: &Value, input: &Input) -> Vec<String> {
    let spec = &case["spec"];
    let expected = match judge(case, &scan(input, spec, 1000)) {
        Ok(Some(expected)) => expected,
        Ok(None) => return Vec::new(),
        Err(wrong) => return vec![wrong],
    };
    let run = |resumed: &Value| scan(input, resumed, 1000);
    let mut wrong = cut_everywhere(spec, &expected, run);
    for batch in 1..=3 {
        if scan(input, spec, batch).as_ref() != Ok(&expected) {
            wrong.push(format!("differs by batches of {batch}"));
        }
    }
    wrong
}

#[test]
fn every_vector_gives_its_cells_from_a_store_wherever_it_is_cut() {
    let fixture = Fixture::new();
    let families = vec![vec![b"f".to_vec()], vec![b"calls".to_vec()]];
    let grouped = Settings {
        locality_groups: families,
        ..Settings::default()
    };
    let (mut table, mut wrong) = (0, Vec::new());
    for (stage, cases) in stages() {
        for case in &cases {
            if case["scope"].as_str().unwrap_or("scan") != "scan" {
                continue;
            }
            table += 1;
            // Some tables have locality groups, some are merged in whole or in part.
            let settings = if table % 2 == 0 {
                &grouped
            } else {
                &Settings::default()
            };
            let written = cells(&case["cells"]);
            let (old, new) = written.split_at(written.len() * (table as usize % 4) / 3);
            fixture.write(table, settings, old);
            fixture.merge(table, settings);
            fixture.write(table, settings, new);
            let problems = check(case, &fixture.input(table, settings));
            let name = format!("{stage}: {}", case["name"]);
            wrong.extend(problems.iter().map(|text| format!("{name}: {text}")));
        }
    }
    println!("{table} vectors");
    assert!(table > 300);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
