//! The revision room against real repositories.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    missing_docs
)]

mod changed_paths;
mod debug_tags;
mod fingerprint;
mod fuzz;
mod odd_repositories;
mod support;
