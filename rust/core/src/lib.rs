//! Decisions that keep unattended coding agents honest.
//!
//! Every room turns plain text or bytes into one plain value; nothing here reads the environment, the
//! clock or the network outside the few named edges.
#![forbid(unsafe_code)]

mod defect;
mod redact;

pub use defect::{DefectId, fingerprint, fingerprint_record, legacy_fingerprint, template};
pub use redact::{Identity, Kind, Redactor, Scrubbed};

/// The version of this crate, which every face reports as its own.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
