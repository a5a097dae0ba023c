//! The index seen as directories: the names that one directory has in it.

use std::ops::Range;

use super::index::{Entry, Index};

/// A name that the index has in the directory at hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Child<'a> {
    pub(super) name: &'a [u8],
    /// The entries of this name, or below it.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_directory: bool,
}

/// Groups the entries of `range`, which all lie in `directory`, by their next name. The error is a path that no
/// working tree can hold.
pub(super) fn children_of<'a>(
    index: &'a Index,
    directory: &[u8],
    range: Range<usize>,
) -> Result<Vec<Child<'a>>, &'a [u8]> {
    let path_of = |at: usize| index.entries().get(at).map_or(&[][..], |entry| index.path(entry));
    let skip = if directory.is_empty() { 0 } else { directory.len() + 1 };
    let mut children = Vec::with_capacity(range.len().min(16));
    let mut at = range.start;
    while at < range.end {
        let path = path_of(at);
        let rest = path.get(skip..).unwrap_or(&[]);
        let slash = memchr::memchr(b'/', rest);
        let name = slash.and_then(|slash| rest.get(..slash)).unwrap_or(rest);
        if matches!(name, b"" | b"." | b".." | b".git") {
            return Err(path);
        }
        let end = match slash {
            Some(slash) => {
                let prefix = path.get(..=skip + slash).unwrap_or(path);
                end_of_prefix(index, prefix, at, range.end)
            }
            // The stages of a conflict share a path.
            None if index.entries().get(at).is_some_and(|entry| entry.stage != 0) => {
                (at + 1..range.end).find(|next| path_of(*next) != path).unwrap_or(range.end)
            }
            None => at + 1,
        };
        // A directory of a sparse index ends with a slash and stands for everything in it.
        let is_folded = slash.is_some_and(|slash| slash + 1 == rest.len());
        if !is_folded {
            children.push(Child { name, start: at, end, is_directory: slash.is_some() });
        }
        at = end;
    }
    Ok(children)
}

/// The end of the run of entries from `start` whose paths begin with `prefix`: steps that double, then a
/// search in the last one, since most directories are small.
fn end_of_prefix(index: &Index, prefix: &[u8], start: usize, end: usize) -> usize {
    let inside = |entry: &Entry| index.path(entry).starts_with(prefix);
    let mut known = start;
    let mut step = 1;
    while known + step < end && index.entries().get(known + step).is_some_and(inside) {
        known += step;
        step *= 2;
    }
    let rest = index.entries().get(known + 1..(known + step).min(end)).unwrap_or(&[]);
    known + 1 + rest.partition_point(inside)
}
