use proptest::prelude::*;

use super::*;

const SHA1: ObjectFormat = ObjectFormat::Sha1;

fn parse(bytes: &[u8]) -> Result<Index, IndexError> {
    Index::parse(bytes, bytes.len() as u64, SHA1)
}

/// An index file as git writes it, of paths with equal facts.
fn encode(version: u32, paths: &[(&[u8], u8)], extensions: &[(&[u8; 4], usize)]) -> Vec<u8> {
    let mut bytes = b"DIRC".to_vec();
    bytes.extend(version.to_be_bytes());
    bytes.extend(u32::try_from(paths.len()).unwrap().to_be_bytes());
    let mut previous: &[u8] = b"";
    for (path, stage) in paths {
        let start = bytes.len();
        for word in [1_u32, 2, 3, 4, 5, 6, mode::FILE, 7, 8, 9] {
            bytes.extend(word.to_be_bytes());
        }
        bytes.extend([0xab; 20]);
        let len = u16::try_from(path.len().min(0xfff)).unwrap();
        bytes.extend((len | u16::from(*stage) << 12).to_be_bytes());
        if version == 4 {
            let shared = previous.iter().zip(*path).take_while(|(a, b)| a == b).count();
            bytes.extend(offset(previous.len() - shared));
            bytes.extend(&path[shared..]);
            bytes.push(0);
            previous = path;
        } else {
            bytes.extend(*path);
            bytes.push(0);
            while !(bytes.len() - start).is_multiple_of(8) {
                bytes.push(0);
            }
        }
    }
    for (name, len) in extensions {
        bytes.extend(*name);
        bytes.extend(u32::try_from(*len).unwrap().to_be_bytes());
        bytes.resize(bytes.len() + len, 0x55);
    }
    bytes.extend([0; 20]);
    bytes
}

/// Git's encoding of how many bytes to drop.
fn offset(mut value: usize) -> Vec<u8> {
    let mut bytes = vec![u8::try_from(value & 0x7f).unwrap()];
    while value > 0x7f {
        value = (value >> 7) - 1;
        bytes.insert(0, u8::try_from(value & 0x7f).unwrap() | 0x80);
    }
    bytes
}

fn paths_of(index: &Index) -> Vec<(Vec<u8>, u8)> {
    index.entries().iter().map(|entry| (index.path(entry).to_vec(), entry.stage)).collect()
}

#[test]
fn reads_facts_paths_and_stages_in_every_version() {
    let long = [b'x'; 5000];
    let paths: [(&[u8], u8); 5] = [(b"a", 0), (b"a/\xff\n", 1), (b"a/\xff\n", 3), (b"b/c/d", 0), (&long, 0)];
    for version in [2, 3, 4] {
        let index = parse(&encode(version, &paths, &[(b"TREE", 3)])).unwrap();
        assert_eq!(paths_of(&index), paths.map(|(path, stage)| (path.to_vec(), stage)), "version {version}");
        let entry = index.entries()[3];
        assert_eq!(
            (entry.ctime, entry.mtime),
            (PackedTime { secs: 1, nanos: 2 }, PackedTime { secs: 3, nanos: 4 })
        );
        assert_eq!((entry.ino, entry.mode, entry.size), (6, mode::FILE, 9));
        assert_eq!(index.object_id(&entry), [0xab; 20]);
        assert_eq!(index.find(b"b/c/d"), Some(&entry));
        assert_eq!(index.find(b"a/\xff\n"), None, "a conflict stages nothing");
    }
}

#[test]
fn passes_over_hints_larger_than_the_window_and_stops_at_what_changes_the_meaning() {
    let paths: [(&[u8], u8); 1] = [(b"a", 0)];
    for hint in [b"TREE", b"UNTR", b"FSMN", b"sdir", b"XYZW"] {
        assert!(parse(&encode(2, &paths, &[(hint, 2 * WINDOW + 1)])).is_ok(), "{hint:?}");
    }
    for part in [b"link", b"newx"] {
        assert_eq!(
            parse(&encode(2, &paths, &[(b"TREE", 9), (part, 4)])),
            Err(IndexError::NeedsGit),
            "{part:?}"
        );
    }
    assert_eq!(parse(&encode(2, &[(b"", 0)], &[])), Err(IndexError::NeedsGit), "as in a split index");
}

#[test]
fn refuses_disorder_and_what_cannot_be_an_index() {
    let disorder: [&[(&[u8], u8)]; 3] =
        [&[(b"b", 0), (b"a", 0)], &[(b"a", 0), (b"a", 0)], &[(b"a", 2), (b"a", 1)]];
    for paths in disorder {
        assert_eq!(parse(&encode(2, paths, &[])), Err(IndexError::Malformed), "{paths:?}");
    }
    let good = encode(2, &[(b"a", 0)], &[]);
    for version in [0, 1, 5] {
        assert_eq!(parse(&encode(version, &[], &[])), Err(IndexError::Malformed), "version {version}");
    }
    for len in 0..good.len() - 1 {
        assert!(parse(&good[..len]).is_err(), "cut to {len}");
    }
    let mut many = good;
    many[8..12].copy_from_slice(&u32::MAX.to_be_bytes());
    assert_eq!(parse(&many), Err(IndexError::Malformed), "a count that cannot be");
}

#[test]
fn compressed_paths_cannot_grow_without_bound() {
    let path = vec![b'x'; LONGEST_PATH + 1];
    for version in [2, 4] {
        assert_eq!(
            parse(&encode(version, &[(&path, 0)], &[])),
            Err(IndexError::Malformed),
            "version {version}"
        );
    }
}

#[test]
fn more_entries_than_a_window_holds_are_read() {
    let names: Vec<String> = (0..9000).map(|number| format!("directory/{number:05}/file")).collect();
    let paths: Vec<(&[u8], u8)> = names.iter().map(|name| (name.as_bytes(), 0)).collect();
    for version in [2, 4] {
        let bytes = encode(version, &paths, &[]);
        assert!(bytes.len() > 2 * WINDOW);
        assert_eq!(paths_of(&parse(&bytes).unwrap()).len(), 9000);
    }
}

#[test]
fn reads_gits_listing() {
    let name = "ab".repeat(20);
    let listing = format!("H 100644 {name} 0\ta b\0S 100755 {name} 0\tc\nd\0H 120000 {name} 2\te\0");
    let index = parse_listing(listing.as_bytes(), SHA1).unwrap();
    assert_eq!(paths_of(&index), [(b"a b".to_vec(), 0), (b"c\nd".to_vec(), 0), (b"e".to_vec(), 2)]);
    let skipped: Vec<bool> = index.entries().iter().map(|entry| entry.skip_worktree).collect();
    assert_eq!(skipped, [false, true, false]);
    for text in ["H 100644 ab 0\ta\0", "100644\ta\0", "nothing\0"] {
        assert_eq!(parse_listing(text.as_bytes(), SHA1), Err(IndexError::Malformed), "{text:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_give_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn any_damage_gives_an_answer(
        version in 2_u32..5,
        count in 0_usize..20,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let names: Vec<String> = (0..count).map(|number| format!("d{}/f{number:03}", number / 7)).collect();
        let paths: Vec<(&[u8], u8)> = names.iter().map(|name| (name.as_bytes(), 0)).collect();
        let mut bytes = encode(version, &paths, &[(b"TREE", 5)]);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(index) = parse(&bytes) {
            prop_assert!(index.entries().len() <= count.max(bytes.len() / STAT_LEN));
            prop_assert_eq!(index.records(0, index.entries().len()).is_empty(), index.entries().is_empty());
        }
    }

    #[test]
    fn any_listing_gives_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = parse_listing(&bytes, SHA1);
    }
}
