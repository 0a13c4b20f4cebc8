//! `_native.LabelCache`: the visibility check of one scan.

use crate::authorizations::Authorizations;
use lexigraph_core::visibility as core;
use lexigraph_core::visibility::View;
use pyo3::prelude::*;

/// Judges each distinct label once.
#[pyclass(module = "lexigraph._native")]
pub struct LabelCache(core::LabelCache);

#[pymethods]
impl LabelCache {
    #[new]
    #[pyo3(signature = (
        authorizations,
        default_visibility = b"".as_slice(),
        *,
        limit_bytes = core::LabelCache::LIMIT_BYTES
    ))]
    fn new(
        authorizations: &Authorizations,
        default_visibility: &[u8],
        limit_bytes: usize,
    ) -> LabelCache {
        let view = View::Of(authorizations.core().clone());
        LabelCache(core::LabelCache::new(view, default_visibility, limit_bytes))
    }

    /// The owner's view has its own name: a forgotten argument must never mean everything.
    #[staticmethod]
    fn for_owner() -> LabelCache {
        LabelCache(core::LabelCache::new(
            View::All,
            b"",
            core::LabelCache::LIMIT_BYTES,
        ))
    }

    fn can_see(&mut self, label: &[u8]) -> bool {
        self.0.can_see(label)
    }

    #[getter]
    fn evaluated(&self) -> u64 {
        self.0.evaluated()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "LabelCache(kept={}, evaluated={})",
            self.0.len(),
            self.0.evaluated()
        )
    }
}
