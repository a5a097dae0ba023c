//! The event log through its files: cursors, rotation, faults of the file system, and any bytes at all.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, missing_docs)]

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use loop_core::{Cursor, Defect, Harvest, Limits, LogErrorKind, Tail, harvest, harvest_stream};
use proptest::prelude::*;

/// A log in a folder of its own, and what was read of it so far.
struct Log {
    folder: tempfile::TempDir,
    cursor: Option<Cursor>,
}

impl Log {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), cursor: None }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn path(&self) -> PathBuf {
        self.at("events.jsonl")
    }

    fn append(&self, text: &str) {
        append(&self.path(), text.as_bytes());
    }

    fn fail(&self, cause: &str) {
        self.append(&format!("{}\n", failure(cause)));
    }

    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.at(from), self.at(to)).unwrap();
    }

    fn scan(&mut self) -> Harvest {
        self.scan_within(&Limits::default())
    }

    fn scan_within(&mut self, limits: &Limits) -> Harvest {
        let found = harvest(&self.path(), self.cursor.as_ref(), limits).unwrap();
        // A ledger keeps the cursor as JSON.
        let kept = serde_json::to_string(&found.cursor).unwrap();
        self.cursor = Some(serde_json::from_str(&kept).unwrap());
        found
    }

    /// The causes that a scan finds, with their counts.
    fn causes(&mut self) -> Vec<(String, u64)> {
        causes(&self.scan().defects)
    }
}

fn append(path: &Path, bytes: &[u8]) {
    OpenOptions::new().create(true).append(true).open(path).unwrap().write_all(bytes).unwrap();
}

fn failure(cause: &str) -> String {
    format!(r#"{{"ts":"2026-03-01T10:00:00.000Z","event":"a.failed","level":"error","error":"{cause}"}}"#)
}

fn causes(defects: &[Defect]) -> Vec<(String, u64)> {
    defects.iter().map(|d| (d.records[0]["error"].as_str().unwrap().to_owned(), d.count)).collect()
}

fn once(cause: &str) -> Vec<(String, u64)> {
    vec![(cause.to_owned(), 1)]
}

fn each_once(causes: &[&str]) -> Vec<(String, u64)> {
    causes.iter().flat_map(|cause| once(cause)).collect()
}

#[test]
fn only_what_is_new_is_read() {
    let mut log = Log::new();
    log.fail("first");
    assert_eq!(log.causes(), once("first"));
    let before = log.cursor.clone();
    let found = log.scan();
    assert_eq!((found.defects.len(), found.stats.bytes), (0, 0));
    assert_eq!(log.cursor, before);
    log.fail("second");
    assert_eq!(log.causes(), once("second"));
}

#[test]
fn a_torn_last_line_is_read_when_it_is_whole() {
    let mut log = Log::new();
    let (head, rest) = failure("slow writer").split_at(60).to_owned_pair();
    log.append(&head);
    assert_eq!(log.scan().stats.pending, 60);
    assert_eq!(log.scan().stats.pending, 60);
    log.append(&rest);
    assert_eq!(log.causes(), once("slow writer"));
    log.append("\n");
    assert_eq!(log.causes(), []);
}

trait OwnedPair {
    fn to_owned_pair(self) -> (String, String);
}

impl OwnedPair for (&str, &str) {
    fn to_owned_pair(self) -> (String, String) {
        (self.0.to_owned(), self.1.to_owned())
    }
}

#[test]
fn rotated_away_with_unread_records() {
    let mut log = Log::new();
    log.fail("read");
    log.scan();
    log.fail("unread");
    log.rename("events.jsonl", "events.jsonl.1");
    log.fail("after");
    let found = log.scan();
    assert_eq!(causes(&found.defects), each_once(&["unread", "after"]));
    assert_eq!(found.stats.rotated_files_read, 1);
    assert!(!found.stats.replaced && !found.stats.truncated);
    assert_eq!(log.causes(), []);
}

#[test]
fn rotated_several_times_between_two_scans() {
    for names in [["events.jsonl.1", "events.jsonl.2"], ["events.1.jsonl", "events.2.jsonl"]] {
        let mut log = Log::new();
        log.fail("read");
        log.rename("events.jsonl", names[0]);
        log.fail("seen");
        // The first scan reads what was rotated before it, too.
        assert_eq!(log.causes(), each_once(&["read", "seen"]));
        log.fail("unread");
        log.rename(names[0], "events.jsonl.3");
        log.rename("events.jsonl", names[1]);
        log.fail("between");
        log.rename("events.jsonl", names[0]);
        log.fail("after");
        assert_eq!(log.causes(), each_once(&["unread", "between", "after"]), "{names:?}");
        assert_eq!(log.causes(), []);
    }
}

#[test]
fn rotated_under_a_date_or_any_other_name() {
    for name in
        ["events.jsonl-20260301", "events.jsonl.2026-03-01_10", "events-2026-03-01.jsonl", "events.jsonl.old"]
    {
        let mut log = Log::new();
        log.fail("read");
        log.scan();
        log.fail("unread");
        log.rename("events.jsonl", name);
        log.fail("after");
        assert_eq!(log.causes(), each_once(&["unread", "after"]), "{name}");
    }
}

#[test]
fn rotated_away_and_no_new_log_yet() {
    let mut log = Log::new();
    log.fail("read");
    log.scan();
    log.fail("unread");
    log.rename("events.jsonl", "events.jsonl.1");
    assert_eq!(log.causes(), once("unread"));
    assert_eq!(log.causes(), []);
    log.fail("after");
    assert_eq!(log.causes(), once("after"));
}

#[test]
fn copied_and_truncated() {
    let mut log = Log::new();
    log.fail("read");
    log.scan();
    log.fail("unread");
    fs::copy(log.path(), log.at("events.jsonl.1")).unwrap();
    File::create(log.path()).unwrap();
    log.fail("x");
    let found = log.scan();
    assert_eq!(causes(&found.defects), each_once(&["unread", "x"]));
    assert!(found.stats.truncated && !found.stats.replaced);
}

#[test]
fn truncated_or_rewritten_or_replaced() {
    let mut log = Log::new();
    log.fail("a long cause that was read");
    log.scan();
    File::create(log.path()).unwrap();
    log.fail("short");
    let found = log.scan();
    assert_eq!(causes(&found.defects), once("short"));
    assert!(found.stats.truncated);
    // Longer than before, so that only the bytes before the offset tell.
    File::create(log.path()).unwrap();
    log.fail("other");
    log.fail("and more");
    let found = log.scan();
    assert_eq!(causes(&found.defects), each_once(&["other", "and more"]));
    assert!(found.stats.replaced && !found.stats.truncated);
    // Another file under the same name, the old one gone.
    append(&log.at("new"), format!("{}\n", failure("third")).as_bytes());
    log.rename("new", "events.jsonl");
    let found = log.scan();
    assert_eq!(causes(&found.defects), once("third"));
    assert!(found.stats.replaced);
}

#[test]
fn compressed_logs_are_counted_and_foreign_files_left_alone() {
    let mut log = Log::new();
    for name in ["events.jsonl.bak", "events-notes.jsonl", "events.txt", "other.jsonl.1", "events.jsonl.1x"] {
        append(&log.at(name), format!("{}\n", failure("foreign")).as_bytes());
    }
    append(&log.at("events.jsonl.2.gz"), b"\x1f\x8b");
    append(&log.at("events.jsonl.bak.gz"), b"\x1f\x8b");
    fs::create_dir(log.at("events.jsonl.3")).unwrap();
    log.fail("own");
    let found = log.scan();
    assert_eq!(causes(&found.defects), once("own"));
    assert_eq!((found.stats.rotated_files_read, found.stats.rotated_files_unreadable), (0, 1));
}

#[test]
fn too_many_defects_are_left_to_the_next_scan() {
    let mut log = Log::new();
    for cause in ["one", "two", "one", "three"] {
        log.fail(cause);
    }
    log.rename("events.jsonl", "events.jsonl.1");
    log.append(&format!("{}{}\n", failure("three"), failure("four")));
    log.fail("five");
    let limits = Limits { defects: 2, ..Limits::default() };
    let found = log.scan_within(&limits);
    assert_eq!(causes(&found.defects), [("one".to_owned(), 2), ("two".to_owned(), 1)]);
    assert!(found.stats.more);
    let found = log.scan_within(&limits);
    assert_eq!(causes(&found.defects), [("three".to_owned(), 2), ("four".to_owned(), 1)]);
    assert!(found.stats.more);
    let found = log.scan_within(&limits);
    assert_eq!(causes(&found.defects), once("five"));
    assert!(!found.stats.more);
}

#[test]
fn the_last_records_are_kept() {
    let mut log = Log::new();
    for n in 0..50 {
        log.append(&failure("same").replace("a.failed\"", &format!("a.failed\",\"attempts\":{n}")));
    }
    let defect = log.scan().defects.remove(0);
    let kept: Vec<u64> = defect.records.iter().map(|record| record["attempts"].as_u64().unwrap()).collect();
    assert_eq!((defect.count, kept), (50, (30..50).collect()));
    let limits = Limits { kept: 2000, ..Limits::default() };
    log.cursor = None;
    let defect = log.scan_within(&limits).defects.remove(0);
    assert!((1..20).contains(&defect.records.len()));
    assert_eq!(defect.records.last().unwrap()["attempts"], 49);
}

#[test]
fn a_failure_of_fifty_megabytes_is_recognised() {
    let mut log = Log::new();
    let (head, tail) = failure("CAUSE").split_once("CAUSE").unwrap().to_owned_pair();
    log.append(&head);
    log.append(&"no space left; ".repeat(50_000_000 / 15));
    log.append(&format!("{tail}\n"));
    log.fail("next");
    let found = log.scan();
    let errors: Vec<&str> = found.defects.iter().map(|d| d.records[0]["error"].as_str().unwrap()).collect();
    assert!(errors[0].starts_with("no space left; no space") && errors[0].len() < 10_000);
    assert_eq!((errors.len(), errors[1]), (2, "next"));
}

#[test]
fn what_is_no_readable_file_is_said_at_once() {
    let log = Log::new();
    let kind = |path: &Path| harvest(path, None, &Limits::default()).unwrap_err().kind();
    assert_eq!(kind(&log.path()), LogErrorKind::Missing);
    assert_eq!(kind(log.folder.path()), LogErrorKind::NotAFile);
    assert_eq!(kind(Path::new("/dev/zero")), LogErrorKind::NotAFile);
    let fifo = log.at("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0)
        .unwrap();
    assert_eq!(kind(&fifo), LogErrorKind::NotAFile);
    let socket = log.at("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    assert_eq!(kind(&socket), LogErrorKind::NotAFile);
    log.fail("x");
    assert_eq!(kind(&log.at("events.jsonl/deeper")), LogErrorKind::Missing);
    let error = harvest(&fifo, None, &Limits::default()).unwrap_err();
    assert!(error.to_string().contains(fifo.to_str().unwrap()));
}

#[test]
fn a_log_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let log = Log::new();
    log.fail("x");
    fs::set_permissions(log.path(), fs::Permissions::from_mode(0o0)).unwrap();
    if File::open(log.path()).is_ok() {
        // The superuser may read everything.
        return;
    }
    let error = harvest(&log.path(), None, &Limits::default()).unwrap_err();
    assert_eq!(error.kind(), LogErrorKind::PermissionDenied);
}

#[test]
fn a_tail_gives_every_record_and_follows() {
    let mut log = Log::new();
    assert_eq!(Tail::open(&log.path()).unwrap_err().kind(), LogErrorKind::Missing);
    let line = format!("{{\"event\":\"poll.cycle\",\"note\":\"{}\"}}\n", "x".repeat(500));
    log.append(&line.repeat(5000));
    let mut tail = Tail::open(&log.path()).unwrap();
    let (mut records, mut calls) = (0, 0);
    loop {
        let batch = tail.next_records().unwrap().len();
        if batch == 0 {
            break;
        }
        (records, calls) = (records + batch, calls + 1);
    }
    assert_eq!((records, calls), (5000, 3));
    log.append("{\"event\":\"a\"}\n{\"event\":\"b");
    assert_eq!(tail.next_records().unwrap().len(), 1);
    log.append("\"}\n");
    log.rename("events.jsonl", "events.jsonl.1");
    assert_eq!(tail.next_records().unwrap()[0]["event"], "b");
    assert!(tail.next_records().unwrap().is_empty());
    log.append("{\"event\":\"c\"}\n");
    assert_eq!(tail.next_records().unwrap()[0]["event"], "c");
    fs::remove_file(log.path()).unwrap();
    fs::remove_file(log.at("events.jsonl.1")).unwrap();
    assert!(tail.next_records().unwrap().is_empty());
    log.cursor = None;
}

/// Gives its bytes in pieces of the given sizes, over and over.
struct Pieces<'a>(&'a [u8], std::iter::Cycle<std::vec::IntoIter<usize>>);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.1.next().unwrap().min(self.0.len()).min(buffer.len());
        let (now, later) = self.0.split_at(size);
        buffer[..size].copy_from_slice(now);
        self.0 = later;
        Ok(size)
    }
}

/// Fragments as logs and their accidents leave them.
fn fragment() -> impl Strategy<Value = Vec<u8>> {
    let record = ("[abc]", any::<bool>(), any::<bool>()).prop_map(|(cause, level, spaced)| {
        let level = if level { "error" } else { "info" };
        let gap = if spaced { " " } else { "" };
        format!(
            "{{\"ts\":\"2026-03-01T10:00:00.{:03}Z\",\"event\":\"{cause}.x\",\"level\":{gap}\"{level}\",\"error\":\"{cause}\",\"n\":[1,{{\"k\":\"}}\"}}],\"will_retry\":false}}",
            cause.len()
        )
        .into_bytes()
    });
    let whole = record.clone().prop_map(|mut record| {
        record.push(b'\n');
        record
    });
    let torn = (record, any::<prop::sample::Index>()).prop_map(|(mut record, cut)| {
        record.truncate(cut.index(record.len()));
        record
    });
    prop_oneof![
        4 => whole,
        3 => torn,
        1 => Just(b"\n".to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..20),
        1 => "[\\[\\]{}\",:\\\\u0d8e \n]{0,30}".prop_map(String::into_bytes),
        1 => (1_usize..400).prop_map(|n| vec![0; n]),
        1 => (1_usize..400).prop_map(|n| vec![b'['; n]),
        1 => (1_usize..400).prop_map(|n| vec![b'x'; n]),
    ]
}

fn log_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(fragment(), 0..40).prop_map(|fragments| fragments.concat())
}

/// Defects by id, so that those of two scans can be put together.
fn merged(harvests: &[Vec<Defect>]) -> BTreeMap<String, (u64, String, String, Vec<String>)> {
    let mut all = BTreeMap::new();
    for defect in harvests.iter().flatten() {
        let (count, _, last, records) = all.entry(defect.id.to_string()).or_insert((
            0,
            defect.first_seen.clone(),
            String::new(),
            Vec::new(),
        ));
        *count += defect.count;
        last.clone_from(&defect.last_seen);
        records.extend(defect.records.iter().map(|record| serde_json::to_string(record).unwrap()));
        let over = records.len().saturating_sub(20);
        records.drain(..over);
    }
    all
}

proptest! {
    #[test]
    fn any_bytes_in_any_pieces_give_the_same(
        bytes in log_bytes(),
        sizes in prop::collection::vec(1_usize..300, 1..5),
        line in prop_oneof![Just(1 << 20), 16_usize..400],
    ) {
        let limits = Limits { line, ..Limits::default() };
        let whole = harvest_stream(bytes.as_slice(), &limits).unwrap();
        let pieces = harvest_stream(Pieces(&bytes, sizes.into_iter().cycle()), &limits).unwrap();
        prop_assert_eq!(whole, pieces);
    }

    #[test]
    fn two_scans_find_what_one_finds(bytes in log_bytes(), cut in any::<prop::sample::Index>()) {
        let mut log = Log::new();
        let (head, rest) = bytes.split_at(if bytes.is_empty() { 0 } else { cut.index(bytes.len()) });
        append(&log.path(), head);
        let first = log.scan();
        append(&log.path(), rest);
        let second = log.scan();
        log.cursor = None;
        let both = log.scan();
        prop_assert_eq!(merged(&[first.defects, second.defects]), merged(&[both.defects]));
        prop_assert_eq!(first.stats.candidates + second.stats.candidates, both.stats.candidates);
        prop_assert_eq!(first.stats.bytes + second.stats.bytes, both.stats.bytes);
    }

    #[test]
    fn stopping_early_loses_nothing(bytes in log_bytes()) {
        let mut log = Log::new();
        append(&log.path(), &bytes);
        let all = log.scan();
        log.cursor = None;
        let mut parts = Vec::new();
        loop {
            let found = log.scan_within(&Limits { defects: 1, ..Limits::default() });
            parts.push(found.defects);
            if !found.stats.more {
                break;
            }
        }
        prop_assert_eq!(merged(&parts), merged(&[all.defects]));
    }
}
