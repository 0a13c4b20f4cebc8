//! `lexigraph._native`: the core as Python sees it. One file per class, one error map, no logic.

#![deny(unsafe_code)]

mod admin;
mod arguments;
mod authorizations;
#[allow(unsafe_code)]
mod buffers;
mod cells;
mod codec;
mod conditional;
mod decoder;
mod elements;
mod ends;
mod engine;
mod errors;
mod facts;
mod field_first;
mod frames;
mod guarded;
mod hops;
#[allow(unsafe_code)]
mod instances;
mod interrupt;
mod kept;
mod label_cache;
mod load;
mod made;
mod offer;
mod record_classes;
mod record_elements;
mod record_maker;
mod record_reader;
mod record_scan;
mod records;
mod rows;
mod scan;
mod snapshot;
mod stages;
#[allow(unsafe_code)]
mod tuples;
mod typed_json;
mod typed_values;
mod visibility;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    use super::*;

    #[pymodule_export]
    use super::admin::verify;
    #[pymodule_export]
    use super::authorizations::Authorizations;
    #[pymodule_export]
    use super::cells::{distinct, is_distinct, longest};
    #[pymodule_export]
    use super::codec::{codec_decode, codec_encode};
    #[pymodule_export]
    use super::decoder::CellDecoder;
    #[pymodule_export]
    use super::elements::{ElementEncoder, EncodedCells};
    #[pymodule_export]
    use super::ends::{CellEnds, CellWays};
    #[pymodule_export]
    use super::engine::Engine;
    #[pymodule_export]
    use super::facts::FactEncoder;
    #[pymodule_export]
    use super::field_first::FieldFirst;
    #[pymodule_export]
    use super::frames::{FrameScan, PreparedFrames};
    #[pymodule_export]
    use super::guarded::fail_inside;
    #[pymodule_export]
    use super::hops::{texts, EdgeReader};
    #[pymodule_export]
    use super::label_cache::LabelCache;
    #[pymodule_export]
    use super::record_classes::RecordClasses;
    #[pymodule_export]
    use super::record_elements::RecordElements;
    #[pymodule_export]
    use super::record_reader::RecordReader;
    #[pymodule_export]
    use super::record_scan::RecordScan;
    #[pymodule_export]
    use super::records::{PreparedRecords, RecordAssembler};
    #[pymodule_export]
    use super::rows::RowReader;
    #[pymodule_export]
    use super::scan::{count_stages, PreparedScan, Scan};
    #[pymodule_export]
    use super::snapshot::Snapshot;
    #[pymodule_export]
    use super::stages::{run_stack, stage_names};
    #[pymodule_export]
    use super::visibility::{conjunction, quote, Visibility};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
