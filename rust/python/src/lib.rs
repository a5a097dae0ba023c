//! The Python face: the export list of `the_loop_core._core`.

use pyo3::prelude::*;

/// The native half of `the_loop_core`.
#[pymodule]
mod _core {
    /// Adds the version.
    #[pymodule_init]
    fn init(m: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods;
        m.add("__version__", loop_core::VERSION)
    }
}
