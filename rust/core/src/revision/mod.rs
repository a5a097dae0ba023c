//! The working tree's identity: HEAD, what is staged, and every file that git does not ignore.
//!
//! An edge of the core: it reads a repository, and never writes to one. What cannot be proved (a file that
//! changes while it is read, a deadline that passes) is [`Revision::Unknown`], which equals no other state.

mod changed;
mod children;
mod compare;
mod convert;
mod debug_tags;
mod deviation;
mod diff_scan;
mod git;
mod host;
mod ignore;
mod index;
mod layout;
mod listing;
mod oid;
mod paths;
mod queue;
mod read;
mod snapshot;
mod staged;
mod stamp;
mod unknown;
mod walk;
mod warm;
mod workspace;

pub use changed::ChangedPaths;
pub use diff_scan::{DebugTag, debug_tag_lines, debug_tags_in_diff};
pub use host::Host;
pub use unknown::{Unknown, UnknownKind};
pub use workspace::{Digest, Fingerprint, Revision, Workspace};
