//! `Redactor` and `Scrubbed`.

use std::collections::BTreeMap;

use pyo3::prelude::*;

/// Text that may leave the machine.
#[pyclass(frozen, module = "the_loop_core._core")]
pub(crate) struct Scrubbed {
    inner: loop_core::Scrubbed,
}

#[pymethods]
impl Scrubbed {
    /// The masked text.
    #[getter]
    fn text(&self) -> &str {
        self.inner.as_str()
    }

    /// How many values of each kind were replaced.
    #[getter]
    fn counts(&self) -> BTreeMap<&str, usize> {
        self.inner.counts().iter().map(|(kind, count)| (*kind, *count)).collect()
    }

    fn __str__(&self) -> &str {
        self.inner.as_str()
    }

    fn __repr__(&self) -> String {
        format!("Scrubbed({:?})", self.inner.as_str())
    }
}

/// A scrubber for one identity. `env` is the environment; only values of sensitive-named variables are
/// masked. `names` are `owner/repo` names to mask.
#[pyclass(frozen, module = "the_loop_core._core")]
pub(crate) struct Redactor {
    inner: loop_core::Redactor,
}

impl Redactor {
    pub(crate) fn core(&self) -> &loop_core::Redactor {
        &self.inner
    }
}

#[pymethods]
impl Redactor {
    #[new]
    #[pyo3(signature = (home="", user="", host="", env=None, names=None))]
    fn new(
        home: &str,
        user: &str,
        host: &str,
        env: Option<BTreeMap<String, String>>,
        names: Option<Vec<String>>,
    ) -> Self {
        let identity = loop_core::Identity {
            home: home.to_owned(),
            user: user.to_owned(),
            host: host.to_owned(),
            env: env.unwrap_or_default(),
        };
        Self { inner: loop_core::Redactor::new(&identity).with_names(names.unwrap_or_default()) }
    }

    /// Masks `text`. Idempotent, linear in its length; other threads run meanwhile.
    fn scrub(&self, py: Python<'_>, text: &str) -> Scrubbed {
        Scrubbed { inner: py.detach(|| self.inner.scrub(text)) }
    }
}
