//! `_native.Engine`: tables in a directory. Arguments are read, the lock let go, the core asked.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lexigraph_core::cells::Range;
use lexigraph_core::engine::{
    self, Durability, LoadOptions, MergePolicy, MutationBatch, OpenOptions, WriteOptions,
};
use lexigraph_core::frames::{self, Asked};
use lexigraph_core::hops::{self as core_hops, Follow, FollowReferences};
use lexigraph_core::scan::{self, ScanOptions};
use lexigraph_core::tree::{Ask, Reader};
use lexigraph_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyIterator, PyTuple};

use crate::admin;
use crate::arguments::{self, stages, RangeParts, SetParts};
use crate::cells::HeldBatch;
use crate::conditional::ConditionalParts;
use crate::errors::to_python;
use crate::frames::{EndsParts, PreparedFrames};
use crate::guarded::{attached, detached};
use crate::hops::{self, EdgeReader};
use crate::interrupt::Interrupt;
use crate::offer::{map, offer, Offer};
use crate::record_reader::RecordReader;
use crate::records::PreparedRecords;
use crate::rows::RowReader;
use crate::scan::{PreparedScan, Scan};
use crate::snapshot::Snapshot;

/// A snapshot, and the ranges of tables that were read from it.
type Unchanged<'py> = (PyRef<'py, Snapshot>, Vec<(String, RangeParts)>);

/// An open directory.
#[pyclass(frozen, module = "lexigraph._native")]
pub struct Engine(engine::Engine);

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (path, *, create, read_only, force, durability, lock_timeout_s, max_snapshot_age_s,
        map_size_bytes, merge_cells))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        path: &str,
        create: bool,
        read_only: bool,
        force: bool,
        durability: &str,
        lock_timeout_s: f64,
        max_snapshot_age_s: f64,
        map_size_bytes: usize,
        merge_cells: Option<u64>,
    ) -> PyResult<Engine> {
        detached(py, || {
            let options = OpenOptions {
                create,
                read_only,
                force,
                durability: level(durability)?,
                lock_timeout: Duration::from_secs_f64(lock_timeout_s),
                max_snapshot_age: Duration::from_secs_f64(max_snapshot_age_s),
                map_size: map_size_bytes,
                merge: MergePolicy {
                    automatic: merge_cells.is_some(),
                    delta_cells: merge_cells.unwrap_or(u64::MAX),
                    ..MergePolicy::default()
                },
                ..OpenOptions::default()
            };
            Ok(Engine(engine::Engine::open(Path::new(path), options)?))
        })
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.0.close())
    }

    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.0.flush())
    }

    fn tables(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let tables = detached(py, || self.0.tables(None))?;
        Ok(tables.iter().map(|table| table.name.clone()).collect())
    }

    /// Settings as JSON text, and splits.
    #[pyo3(signature = (name, at = None))]
    fn table(
        &self,
        py: Python<'_>,
        name: &str,
        at: Option<&Snapshot>,
    ) -> PyResult<(String, Vec<Vec<u8>>)> {
        let table = detached(py, || self.0.table(name, at.map(|at| &at.0)))?;
        Ok((table.settings_json.clone(), table.splits.to_vec()))
    }

    fn create_table(
        &self,
        py: Python<'_>,
        name: &str,
        settings: &str,
        splits: Vec<PyBackedBytes>,
    ) -> PyResult<()> {
        detached(py, || self.0.create_table(name, settings, &owned(&splits)))
    }

    fn drop_table(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        detached(py, || self.0.drop_table(name))
    }

    fn rename_table(&self, py: Python<'_>, name: &str, new_name: &str) -> PyResult<()> {
        detached(py, || self.0.rename_table(name, new_name))
    }

    fn clone_table(&self, py: Python<'_>, name: &str, new_name: &str) -> PyResult<()> {
        detached(py, || self.0.clone_table(name, new_name))
    }

    fn configure_table(&self, py: Python<'_>, name: &str, settings: &str) -> PyResult<()> {
        detached(py, || self.0.configure_table(name, settings))
    }

    fn add_splits(&self, py: Python<'_>, name: &str, rows: Vec<PyBackedBytes>) -> PyResult<()> {
        detached(py, || self.0.add_splits(name, &owned(&rows)))
    }

    /// Writes batches by table; gives the commit timestamp.
    fn write(
        &self,
        py: Python<'_>,
        batches: Vec<(String, Bound<'_, PyTuple>)>,
        writer: Option<Vec<PyBackedBytes>>,
        durability: Option<&str>,
        unchanged: Option<Unchanged<'_>>,
        now: Option<i64>,
    ) -> PyResult<i64> {
        let held = batches
            .iter()
            .map(|(name, parts)| Ok((name.as_str(), HeldBatch::read(parts)?)))
            .collect::<PyResult<Vec<_>>>()?;
        let reads: Option<(engine::EngineSnapshot, Vec<(String, Range)>)> =
            unchanged.map(|(snapshot, reads)| {
                let reads = reads.into_iter().map(|(name, item)| (name, item.range()));
                (snapshot.0.clone(), reads.collect())
            });
        detached(py, || {
            let mut ready = Vec::with_capacity(held.len());
            for (name, batch) in &held {
                ready.push((*name, mutations(batch)?));
            }
            let options = WriteOptions {
                now,
                unchanged: reads.as_ref().map(|(at, reads)| (at, reads.as_slice())),
                durability: durability.map(level).transpose()?,
                writer: arguments::view(writer.as_deref())?,
            };
            self.0.write(&ready, &options)
        })
    }

    /// Writes what a function makes of the timestamp of the commit; gives the timestamp.
    #[allow(clippy::too_many_arguments)]
    fn write_made(
        &self,
        py: Python<'_>,
        tables: Vec<String>,
        make: &Bound<'_, PyAny>,
        writer: Option<Vec<PyBackedBytes>>,
        durability: Option<&str>,
        unchanged: Option<Unchanged<'_>>,
        now: Option<i64>,
    ) -> PyResult<i64> {
        let reads: Option<(engine::EngineSnapshot, Vec<(String, Range)>)> =
            unchanged.map(|(snapshot, reads)| {
                let reads = reads.into_iter().map(|(name, item)| (name, item.range()));
                (snapshot.0.clone(), reads.collect())
            });
        let options = WriteOptions {
            now,
            unchanged: reads.as_ref().map(|(at, reads)| (at, reads.as_slice())),
            durability: durability
                .map(level)
                .transpose()
                .map_err(|error| to_python(py, error))?,
            writer: arguments::view(writer.as_deref()).map_err(|error| to_python(py, error))?,
        };
        crate::made::write(py, &self.0, &tables, &make.clone().unbind(), &options)
    }

    /// Writes rows whose conditions hold; gives the outcome of each as a word.
    fn conditional_write(
        &self,
        py: Python<'_>,
        table: &str,
        mutations: Vec<ConditionalParts<'_>>,
        writer: Option<Vec<PyBackedBytes>>,
        now: Option<i64>,
    ) -> PyResult<Vec<&'static str>> {
        crate::conditional::write(py, &self.0, table, &mutations, writer.as_deref(), now)
    }

    /// Loads what an iterator of batches gives; returns how many cells and the timestamp.
    #[allow(clippy::too_many_arguments)]
    fn load(
        &self,
        py: Python<'_>,
        table: &str,
        batches: &Bound<'_, PyIterator>,
        sorted: bool,
        memory: usize,
        progress: Option<Py<PyAny>>,
        writer: Option<Vec<PyBackedBytes>>,
        now: Option<i64>,
    ) -> PyResult<(u64, i64)> {
        let writer = attached(py, || arguments::view(writer.as_deref()))?;
        let options = LoadOptions {
            memory,
            sorted,
            now,
            writer,
        };
        crate::load::load(py, &self.0, table, batches, &options, progress.as_ref())
    }

    /// Makes a scan ready, or says why the core does not run it whole.
    fn prepare_scan(
        &self,
        py: Python<'_>,
        table: &str,
        spec: &str,
        ranges: Vec<RangeParts>,
        sets: Vec<SetParts>,
        at: Option<&Snapshot>,
    ) -> PyResult<Offer<PreparedScan>> {
        let made = detached(py, || {
            let settings = &self.0.table(table, at.map(|at| &at.0))?.settings;
            offer(
                arguments::spec(spec, &ranges, &sets)
                    .and_then(|spec| scan::Prepared::new(settings, spec)),
            )
        })?;
        Ok(map(made, |scan| {
            PreparedScan::new(self.0.clone(), table, scan)
        }))
    }

    /// Makes a scan ready whose elements, read by the plan of its output, come out as columns; or says why not.
    #[allow(clippy::too_many_arguments)]
    fn prepare_frames(
        &self,
        py: Python<'_>,
        table: &str,
        spec: &str,
        ranges: Vec<RangeParts>,
        sets: Vec<SetParts>,
        plan: &str,
        columns: &str,
        ends: Option<EndsParts>,
        at: Option<&Snapshot>,
    ) -> PyResult<Offer<PreparedFrames>> {
        let made = detached(py, || {
            let settings = &self.0.table(table, at.map(|at| &at.0))?.settings;
            let prepare = || {
                let spec = arguments::spec(spec, &ranges, &sets)?;
                let asked = Asked::from_json(&arguments::json(columns)?)?;
                let ends = ends.as_ref().map(EndsParts::ends);
                frames::Prepared::new(settings, spec, plan, asked, ends)
            };
            offer(prepare())
        })?;
        Ok(map(made, |scan| {
            PreparedFrames::new(self.0.clone(), table, scan)
        }))
    }

    /// Starts a scan, of the given stages alone where they are given.
    #[allow(clippy::too_many_arguments)]
    fn scan(
        &self,
        py: Python<'_>,
        table: &str,
        spec: &str,
        ranges: Vec<RangeParts>,
        sets: Vec<SetParts>,
        only: Option<&str>,
        at: Option<&Snapshot>,
        timeout_s: Option<f64>,
        now: Option<i64>,
        threads: usize,
    ) -> PyResult<Scan> {
        let interrupt = Arc::new(Interrupt::default());
        let asked = Arc::clone(&interrupt);
        detached(py, || {
            let spec = arguments::spec(spec, &ranges, &sets)?;
            let input = self.0.scan_input_at(table, at.map(|at| &at.0), now)?;
            let options = ScanOptions {
                deadline: timeout_s.and_then(deadline),
                stages: only.map(stages).transpose()?,
                threads,
                ask: Some(Ask::new(move || asked.is_due())),
                ..ScanOptions::default()
            };
            let scan = scan::open(input, &spec, &options)?;
            Ok(Scan::new(scan, interrupt))
        })
    }

    /// Prepares to follow edges, or says why the core does not; `is_text` says that vertices are text.
    #[allow(clippy::too_many_arguments)]
    fn edge_reader(
        &self,
        py: Python<'_>,
        table: &str,
        spec: &str,
        plan: &str,
        direction: &str,
        groups: Option<Vec<String>>,
        at: Option<&Snapshot>,
        is_text: bool,
        threads: usize,
    ) -> PyResult<Offer<EdgeReader>> {
        let made = attached(py, || {
            let direction = hops::direction(direction)?;
            let input = self.0.scan_input(table, at.map(|at| &at.0))?;
            offer(arguments::spec(spec, &[], &[]).and_then(|spec| {
                let reader = core_hops::EdgeReader::new(Follow {
                    spec,
                    plan: plan.to_owned(),
                    direction,
                    groups,
                });
                reader.check(&input)?;
                Ok(reader)
            }))
        })?;
        Ok(map(made, |reader| {
            EdgeReader::new(self.0.clone(), table, reader, is_text, threads)
        }))
    }

    /// Prepares to follow references of records, if the core can.
    #[allow(clippy::too_many_arguments)]
    fn reference_reader(
        &self,
        py: Python<'_>,
        table: &str,
        prepared: &PreparedRecords,
        spans: Vec<(PyBackedBytes, PyBackedBytes)>,
        at: Option<&Snapshot>,
        is_text: bool,
        threads: usize,
    ) -> PyResult<Offer<EdgeReader>> {
        let spans = spans.iter();
        let spans = spans.map(|(from, to)| (from.to_vec(), to.to_vec()));
        let follow = FollowReferences {
            rows: prepared.rows.clone(),
            reading: prepared.reading.clone(),
            spans: spans.collect(),
        };
        let made = attached(py, || {
            let input = self.0.scan_input(table, at.map(|at| &at.0))?;
            let reader = core_hops::EdgeReader::along_references(follow)?;
            offer(reader.check(&input).map(|()| reader))
        })?;
        Ok(map(made, |reader| {
            EdgeReader::new(self.0.clone(), table, reader, is_text, threads)
        }))
    }

    /// The clock of a scan, in the table's time unit.
    fn now(
        &self,
        py: Python<'_>,
        table: &str,
        at: Option<&Snapshot>,
        now: Option<i64>,
    ) -> PyResult<i64> {
        let input = attached(py, || self.0.scan_input_at(table, at.map(|at| &at.0), now))?;
        Ok(input.now)
    }

    /// Prepares to read single rows, or says which stage of the table the core does not run.
    fn row_reader(
        &self,
        py: Python<'_>,
        table: &str,
        authorizations: Option<Vec<PyBackedBytes>>,
        columns: Vec<(PyBackedBytes, Option<PyBackedBytes>)>,
    ) -> PyResult<Offer<RowReader>> {
        let view = attached(py, || arguments::view(authorizations.as_deref()))?;
        let owned = |(family, qualifier): (PyBackedBytes, Option<PyBackedBytes>)| {
            (family.to_vec(), qualifier.map(|bytes| bytes.to_vec()))
        };
        let columns = columns.into_iter().map(owned).collect();
        RowReader::new(py, self.0.clone(), table, view, columns)
    }

    /// Prepares to read records, or says which stage of the table the core does not run.
    fn record_reader(
        &self,
        py: Python<'_>,
        table: &str,
        authorizations: Option<Vec<PyBackedBytes>>,
        families: Vec<PyBackedBytes>,
        prepared: Py<PreparedRecords>,
        at: Option<&Snapshot>,
    ) -> PyResult<Offer<RecordReader>> {
        let view = attached(py, || arguments::view(authorizations.as_deref()))?;
        let families = families.iter().map(|family| (family.to_vec(), None));
        let asked = (view, families.collect());
        RecordReader::new(py, self.0.clone(), table, asked, prepared, at)
    }

    fn snapshot(&self, py: Python<'_>) -> PyResult<Snapshot> {
        Ok(Snapshot(attached(py, || self.0.snapshot())?))
    }

    /// Merges rows from the first up to but without the second, or all.
    fn compact<'py>(
        &self,
        py: Python<'py>,
        table: &str,
        rows: Option<(Option<PyBackedBytes>, Option<PyBackedBytes>)>,
        now: Option<i64>,
        clock: Option<i64>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let bound = |row: Option<PyBackedBytes>| row.map(|row| row.to_vec());
        let rows = rows.map(|(start, end)| (bound(start), bound(end)));
        admin::compact(py, &self.0, table, rows, (now, clock))
    }

    /// The fields of `TableStats`.
    fn stats<'py>(&self, py: Python<'py>, table: &str) -> PyResult<Bound<'py, PyDict>> {
        admin::stats(py, &self.0, table)
    }

    /// The distinct labels of a table, at most so many, sorted; reads every block.
    fn labels<'py>(
        &self,
        py: Python<'py>,
        table: &str,
        limit: usize,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let labels = detached(py, || self.0.labels(table, limit))?;
        Ok(labels.iter().map(|label| PyBytes::new(py, label)).collect())
    }

    /// Who reads: process, how many commits are newer, and for how many seconds where that is known.
    fn readers(&self, py: Python<'_>) -> PyResult<Vec<(u32, u64, Option<f64>)>> {
        let readers = detached(py, || self.0.readers())?;
        let parts = |reader: &Reader| {
            let age = reader.age.map(|age| age.as_secs_f64());
            (reader.pid, reader.behind, age)
        };
        Ok(readers.iter().map(parts).collect())
    }

    /// Copies the store into a new directory; gives the bytes written.
    fn backup(&self, py: Python<'_>, path: &str) -> PyResult<u64> {
        detached(py, || self.0.backup(Path::new(path)))
    }

    /// Refuses where anybody else has the store open.
    fn check_alone(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.0.check_alone())
    }

    /// Removes what deleted cells left behind: cells written anew, splits that went, bytes before and after.
    fn purge(
        &self,
        py: Python<'_>,
        tables: Vec<String>,
        patterns: Vec<Vec<u8>>,
    ) -> PyResult<(u64, u64, u64, u64)> {
        let done = detached(py, || self.0.purge(&tables, &patterns))?;
        Ok((done.cells, done.splits, done.file.before, done.file.after))
    }

    /// Gives space back; the bytes of the file before and after.
    fn vacuum(&self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let vacuumed = detached(py, || self.0.vacuum())?;
        Ok((vacuumed.before, vacuumed.after))
    }
}

/// A held batch as the core takes it.
pub fn mutations(batch: &HeldBatch) -> Result<MutationBatch<'_>> {
    let (cells, timed) = batch.view()?;
    Ok(MutationBatch { cells, timed })
}

fn level(word: &str) -> Result<Durability> {
    match word {
        "sync" => Ok(Durability::Sync),
        "relaxed" => Ok(Durability::Relaxed),
        "buffered" => Ok(Durability::Buffered),
        _ => Err(Error::InvalidOption(format!(
            "a durability is sync, relaxed or buffered, not {word}"
        ))),
    }
}

/// When so many seconds are over.
pub fn deadline(seconds: f64) -> Option<Instant> {
    // A limit beyond what a clock can hold is no limit.
    let span = Duration::try_from_secs_f64(seconds).ok()?;
    Instant::now().checked_add(span)
}

/// Byte strings that Python does not hold.
pub fn owned(rows: &[PyBackedBytes]) -> Vec<Vec<u8>> {
    rows.iter().map(|row| row.to_vec()).collect()
}
