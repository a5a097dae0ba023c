//! Lines added since HEAD that carry a debug tag.

use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;

use memchr::memmem;
use rustix::fs::CWD;

use super::changed;
use super::deviation::{Deviation, Found};
use super::diff_scan::{DEBUG_TAG, DebugTag, debug_tag_lines, debug_tags_in_diff};
use super::host::Host;
use super::index::mode;
use super::layout::Layout;
use super::paths::{Prefix, os_path};
use super::read::{look, small_file};
use super::snapshot::Snapshot;
use super::stamp::Deadline;
use super::unknown::{Unknown, UnknownKind};

/// Untracked files that are scanned, and how large they may be, in bytes.
const UNTRACKED_FILES: usize = 200;
const UNTRACKED_SIZE: u64 = 1 << 20;
/// More of a diff than this is not read.
const DIFF_SIZE: usize = 64 << 20;

/// The plumbing command knows no user's preferences but those that are turned off here.
const DIFF: &[&str] = &[
    "diff-index",
    "--patch",
    "--unified=0",
    "--inter-hunk-context=0",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--output-indicator-new=+",
    "--output-indicator-old=-",
    "--diff-algorithm=myers",
    "--find-renames",
    "--ignore-submodules=all",
    "-O/dev/null",
];

pub(super) fn find(
    layout: &Layout,
    snapshot: &Snapshot,
    prefix: &Prefix,
    host: &Host,
    deadline: Deadline,
) -> Result<Vec<DebugTag>, Unknown> {
    let mut found = in_untracked(layout, snapshot, prefix);
    if any_tracked_has_tag(layout, snapshot, host, deadline)? {
        let base =
            snapshot.head.map_or_else(|| layout.format.empty_tree().to_owned(), |head| head.to_string());
        let diff = layout.git(&layout.root).args(DIFF).args([&base, "--"]).output(DIFF_SIZE, deadline)?;
        found.extend(debug_tags_in_diff(&diff));
    }
    let mut tags: Vec<DebugTag> = found
        .into_iter()
        .filter_map(|tag| {
            Some(DebugTag { path: prefix.strip(tag.path.as_os_str().as_bytes())?, line: tag.line })
        })
        .collect();
    tags.sort();
    tags.dedup();
    Ok(tags)
}

fn in_untracked(layout: &Layout, snapshot: &Snapshot, prefix: &Prefix) -> Vec<DebugTag> {
    let regular = |deviation: &&Deviation| {
        !deviation.tracked
            && prefix.strip(&deviation.path).is_some()
            && matches!(deviation.found, Found::File { mode, .. } if mode != mode::SYMLINK)
    };
    let mut found = Vec::new();
    for deviation in snapshot.deviations.iter().filter(regular).take(UNTRACKED_FILES) {
        let small = matches!(deviation.found, Found::File { stamp, .. } if stamp.size <= UNTRACKED_SIZE);
        let text = if small {
            small_file(CWD, layout.root.join(os_path(&deviation.path)).as_os_str().as_bytes())
        } else {
            None
        };
        let lines = debug_tag_lines(&text.unwrap_or_default());
        found.extend(
            lines.into_iter().map(|line| DebugTag { path: os_path(&deviation.path).to_owned(), line }),
        );
    }
    found
}

/// The diff of a large tree takes a while. That no changed file holds a tag is the rule, and quickly told.
fn any_tracked_has_tag(
    layout: &Layout,
    snapshot: &Snapshot,
    host: &Host,
    deadline: Deadline,
) -> Result<bool, Unknown> {
    if snapshot.head.is_none() {
        return Ok(!snapshot.staged.index.entries().is_empty());
    }
    for path in changed::tracked(layout, snapshot, host, 0, deadline)? {
        if deadline.has_passed() {
            return Err(UnknownKind::TimedOut.into());
        }
        let file = layout.root.join(os_path(&path));
        // One that is too large to look at may hold one.
        let large =
            look(CWD.as_fd(), file.as_os_str().as_bytes())?.is_some_and(|stamp| stamp.size > UNTRACKED_SIZE);
        let text = small_file(CWD, file.as_os_str().as_bytes()).unwrap_or_default();
        if large || memmem::find(&text, DEBUG_TAG).is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
