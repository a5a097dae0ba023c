//! The Python face: the export list of `the_loop_core._core`. Every item is a thin shim over `loop_core`.

#![expect(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

mod command;
mod control;
mod defect;
mod dossier;
mod error;
mod eventlog;
mod measure;
mod redact;
mod report;
mod revision;
mod scope;

use pyo3::prelude::*;

/// The native half of `the_loop_core`.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::command::{judge_readonly, parse_shell, recognise_check};
    #[pymodule_export]
    use super::control::{defang, is_self_authored, mark_self_authored, parse_command};
    #[pymodule_export]
    use super::defect::{fingerprint, fingerprint_record, legacy_fingerprint, template};
    #[pymodule_export]
    use super::dossier::{gather_evidence, merge_evidence, render_dossier};
    #[pymodule_export]
    use super::eventlog::{Defect, Harvest, Tail, harvest, is_candidate};
    #[pymodule_export]
    use super::measure::Plan;
    #[pymodule_export]
    use super::redact::{Redactor, Scrubbed};
    #[pymodule_export]
    use super::report::{Report, agent_prompt, compose_issue, defect_marker, parse_findings};
    #[pymodule_export]
    use super::revision::{Workspace, debug_tag_lines, debug_tags_in_diff};
    #[pymodule_export]
    use super::scope::{covers, scope};

    /// The version of the core, and of this package.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name for it")]
    const __version__: &str = loop_core::VERSION;
}
