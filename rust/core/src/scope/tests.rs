//! What a case file cannot say: the file system, what a run satisfies, and properties.

use std::fs;
use std::os::unix::fs::symlink;

use proptest::prelude::*;

use super::*;

fn tree(paths: &[&str]) -> MemoryTree {
    let mut tree = MemoryTree::new("/w");
    for path in paths {
        tree.add(path);
    }
    tree
}

fn lines(found: &Scope) -> Vec<&str> {
    found.commands.iter().map(|command| command.command.as_str()).collect()
}

const COVERS: &[(&str, &str, bool)] = &[
    // wanted · run · does it count
    (".pi/verify", ".pi/verify", true),
    (".pi/verify", "./.pi/verify", true),
    (".pi/verify", ".pi/verify quick", false),
    (".pi/verify", "/.pi/verify", false),
    (".pi/verify", ".pi/verify/all.sh", true),
    (".pi/verify", ".pi/verify.old", false),
    ("go test ./pkg/foo", "go test ./pkg/foo", true),
    ("go test ./pkg/foo", "go test ./...", true),
    ("go test ./pkg/foo", "go test ./pkg/...", true),
    ("go test ./pkg/foo", "go test -race -count=1 -timeout 90s ./pkg/foo/", true),
    ("go test ./pkg/foo", "go test --v ./cmd/x ./pkg/foo", true),
    ("go test ./pkg/foo", "go test ./pkgs/...", false),
    ("go test ./pkg/foo", "go test ./pkg", false),
    ("go test ./pkg/foo", "go test", false),
    ("go test ./pkg/foo", "go test -run TestOne ./pkg/foo", false),
    ("go test ./pkg/foo", "go test -short ./...", false),
    ("go test ./pkg/foo", "go test -count=0 ./...", false),
    ("go test ./pkg/foo", "go test -c ./pkg/foo", false),
    ("go test ./pkg/foo", "go test ./pkg/foo -args -test.run=X", false),
    ("go test ./pkg/foo", "go test example.com/m/pkg/foo", false),
    ("go test ./pkg/foo", "go test pkg/foo", false),
    ("go test ./pkg/foo", "go test -C other ./...", false),
    ("go test ./pkg/foo", "go test -C . ./...", true),
    ("go test ./pkg/foo", "go vet ./...", false),
    ("go test ./pkg/foo", "golangci-lint run ./...", false),
    ("go test ./pkg/...", "go test ./...", true),
    ("go test ./pkg/...", "go test ./pkg", false),
    ("go test ./_old/a", "go test ./...", false),
    ("go test ./_old/a", "go test ./_old/...", true),
    ("go test .", "go test", true),
    ("go test . ./pkg/foo", "go test ./pkg/foo", false),
    ("go test . ./pkg/foo", "go test ./...", true),
    ("golangci-lint run ./pkg/foo", "golangci-lint run", true),
    ("golangci-lint run ./pkg/foo", "golangci-lint run --timeout=5m pkg/...", true),
    ("golangci-lint run ./pkg/foo", "golangci-lint run --new-from-rev=HEAD ./...", false),
    ("golangci-lint run ./pkg/foo", "golangci-lint run --fix ./...", false),
    ("golangci-lint run ./pkg/foo", "golangci-lint fmt ./...", false),
    ("tsc --noEmit -p tsconfig.json", "tsc", true),
    ("tsc --noEmit -p tsconfig.json", "tsc --noEmit", true),
    ("tsc --noEmit -p web/tsconfig.json", "tsc -p ./web --noEmit --pretty", true),
    ("tsc --noEmit -p web/tsconfig.json", "tsc --project web/tsconfig.json", true),
    ("tsc --noEmit -p web/tsconfig.json", "tsc -b api web", true),
    ("tsc --noEmit -p web/tsconfig.json", "tsc --noEmit -p tsconfig.json", false),
    ("tsc --noEmit -p web/tsconfig.json", "tsc --noEmit -p web/tsconfig.test.json", false),
    ("tsc --noEmit -p web/tsconfig.json", "tsc -b --clean web", false),
    ("tsc --noEmit -p web/tsconfig.json", "tsc -p web --watch", false),
    ("tsc --noEmit -p tsconfig.json", "tsc --noEmit src/a.ts", false),
    ("tsc --noEmit -p tsconfig.json", "tsc --noCheck", false),
    ("stylua --check lua/a.lua lua/b.lua", "stylua --check lua", true),
    ("stylua --check lua/a.lua lua/b.lua", "stylua --check .", true),
    ("stylua --check lua/a.lua lua/b.lua", "stylua --check lua/b.lua ./lua/a.lua", true),
    ("stylua --check lua/a.lua lua/b.lua", "stylua --check lua/a.lua", false),
    ("stylua --check lua/a.lua", "stylua lua/a.lua", false),
    ("stylua --check lua/.x/a.lua", "stylua --check lua", false),
    ("selene lua/a.lua", "selene -q lua", true),
    ("selene lua/a.lua", "selene --allow-warnings lua", false),
    ("selene lua/a.lua", "selene", false),
];

#[test]
fn wider_runs_count_and_narrower_ones_do_not() {
    for (wanted, run, want) in COVERS {
        let words: Vec<&str> = wanted.split(' ').collect();
        let files: Vec<String> =
            words.iter().filter(|word| has_extension(word, &["lua"])).map(|w| (*w).to_owned()).collect();
        let wanted_command = Command::new(words, &files);
        let run_words: Vec<&str> = run.split(' ').collect();
        assert_eq!(covers(&run_words, &wanted_command), *want, "{run} for {wanted}");
    }
}

#[test]
fn a_nested_module_is_covered_in_itself_only() {
    let tree = tree(&["go.mod", "tools/go.mod", "tools/gen/a.go", ".golangci.yml"]);
    let found = scope(&tree, ["tools/gen/a.go"], &|_| false);
    assert_eq!(lines(&found), ["go test -C tools ./gen", "golangci-lint run ./tools/gen"]);
    let [test, lint] = found.commands.as_slice() else { panic!("{found:?}") };
    assert!(covers(&["go", "test", "-C", "tools", "./..."], test));
    assert!(covers(&["go", "-C", "./tools/", "test", "./gen"], test));
    assert!(!covers(&["go", "test", "./..."], test));
    assert!(!covers(&["go", "test", "-v", "-C", "tools", "./..."], test));
    assert!(covers(&["golangci-lint", "run", "./tools/..."], lint));
    assert!(!covers(&["golangci-lint", "run", "./..."], lint));
    assert!(!covers(&["golangci-lint", "run"], lint));
}

#[test]
fn a_scope_can_be_stored() {
    let tree = tree(&["web/tsconfig.a.json", "web/tsconfig.b.json", "web/x.ts", "m/go.mod", "m/a.go"]);
    let found = scope(&tree, ["web/x.ts", "m/a.go", "/elsewhere/y.go"], &|_| true);
    assert_eq!((found.commands.len(), found.open.len(), found.outside.len()), (2, 1, 1));
    let text = serde_json::to_string(&found).unwrap();
    assert_eq!(serde_json::from_str::<Scope>(&text).unwrap(), found);
}

#[test]
fn on_disk_without_git_links_lead_to_the_real_package_and_never_out() {
    let folder = tempfile::tempdir().unwrap();
    let (root, out) = (folder.path().join("a root"), folder.path().join("out"));
    for directory in [root.join("pkg/foo"), root.join("gone"), out.clone()] {
        fs::create_dir_all(directory).unwrap();
    }
    for file in ["go.mod", "pkg/foo/a.go", "pkg/foo/b c.lua", "selene.toml", "tsconfig.json"] {
        fs::write(root.join(file), "").unwrap();
    }
    fs::write(out.join("x.go"), "").unwrap();
    symlink("pkg/foo", root.join("link")).unwrap();
    symlink(&out, root.join("away")).unwrap();
    symlink(out.join("x.go"), root.join("pkg/foo/linked.go")).unwrap();
    symlink("nowhere", root.join(".golangci.yml")).unwrap();
    symlink("round", root.join("round")).unwrap();

    let tree = DiskTree::new(&root).unwrap();
    let absolute = root.join("pkg/foo/a.go");
    let found = scope(
        &tree,
        [
            "link/a.go",
            "pkg/foo/linked.go",
            "away/x.go",
            "round/x.go",
            "gone/deleted.go",
            "pkg/foo/b c.lua",
            "missing/dir/new.ts",
            "../out/x.go",
            absolute.to_str().unwrap(),
        ],
        &|_| false,
    );
    assert_eq!(
        lines(&found),
        ["go test ./pkg/foo", "tsc --noEmit -p tsconfig.json", "selene 'pkg/foo/b c.lua'"]
    );
    assert_eq!(found.commands[0].files, ["pkg/foo/a.go", "pkg/foo/linked.go"]);
    assert_eq!(found.uncovered, ["gone/deleted.go"]);
    assert_eq!(found.outside, ["../out/x.go", "away/x.go", "round/x.go"]);

    fs::create_dir_all(root.join(".pi/verify")).unwrap();
    assert_eq!(lines(&scope(&tree, ["link/a.go"], &|_| false)), [".pi/verify"]);
}

#[test]
fn a_root_that_is_a_link_is_known_by_both_names() {
    let folder = tempfile::tempdir().unwrap();
    let real = folder.path().canonicalize().unwrap().join("real");
    fs::create_dir_all(real.join("p")).unwrap();
    fs::write(real.join("p/a.go"), "").unwrap();
    let link = folder.path().join("link");
    symlink(&real, &link).unwrap();
    let tree = DiskTree::new(&link).unwrap();
    for path in [link.join("p/a.go"), real.join("p/a.go")] {
        assert_eq!(lines(&scope(&tree, [path.to_str().unwrap()], &|_| false)), ["go test ./p"]);
    }
    let error = DiskTree::new(folder.path().join("absent")).unwrap_err();
    assert!(error.to_string().contains("absent"));
}

#[test]
fn links_that_turn_round_end() {
    let mut tree = tree(&["a.go"]);
    tree.link("x", "y");
    tree.link("y", "x/z");
    assert_eq!(scope(&tree, ["x/a.go"], &|_| false).outside, ["x/a.go"]);
}

const NAMES: [&str; 12] = [
    "a.go", "b_test.go", "c.ts", "d.lua", "e.py", "go.mod", "tsconfig.json", "tsconfig.app.json",
    "selene.toml", ".stylua.toml", ".golangci.yml", "f g.mts",
];
const FOLDERS: [&str; 7] = ["", "pkg/", "pkg/foo/", "pkg/foo/testdata/", "cmd/_x/", "-web/", "it's/"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_changed_file_is_accounted_for_and_disk_equals_memory(
        present in proptest::collection::btree_set((0..FOLDERS.len(), 0..NAMES.len()), 0..24),
        changed in proptest::collection::btree_set((0..FOLDERS.len(), 0..NAMES.len()), 0..10),
        linter in any::<bool>(),
    ) {
        let path = |(folder, name): &(usize, usize)| format!("{}{}", FOLDERS[*folder], NAMES[*name]);
        let folder = tempfile::tempdir().unwrap();
        let mut memory = MemoryTree::new("/w");
        for file in present.iter().map(path) {
            fs::create_dir_all(folder.path().join(parent(&file))).unwrap();
            fs::write(folder.path().join(&file), "").unwrap();
            memory.add(&file);
        }
        let changed: Vec<String> = changed.iter().map(path).collect();
        let run = |tree: &dyn Tree| scope(tree, changed.iter().map(String::as_str), &|_| linter);
        let found = run(&memory);
        prop_assert_eq!(&found, &run(&DiskTree::new(folder.path()).unwrap()));

        let candidates = found.open.iter().flat_map(|choice| &choice.candidates);
        let mut seen: Vec<&String> = found.commands.iter().chain(candidates).flat_map(|c| &c.files).collect();
        seen.extend(&found.uncovered);
        seen.sort();
        seen.dedup();
        let mut want: Vec<&String> = changed.iter().collect();
        want.sort();
        prop_assert_eq!(seen, want);
        for command in &found.commands {
            let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
            prop_assert!(covers(&words, command));
            prop_assert!(!words.iter().any(|word| *word == "./..." || word.contains("watch")));
            if words[0] == "go" {
                let wide = if command.module.is_empty() { vec!["go", "test", "./..."] }
                    else { vec!["go", "test", "-C", &command.module, "./..."] };
                let patterns = if command.module.is_empty() { &words[2..] } else { &words[4..] };
                let hidden = patterns.iter().any(|pattern| pattern.contains("/_"));
                prop_assert_eq!(covers(&wide, command), !hidden);
            }
        }
    }

    #[test]
    fn links_lead_the_same_way_on_disk_and_in_memory(
        links in proptest::collection::btree_map(0..6_usize, 0..9_usize, 0..6), last in 0..6_usize,
    ) {
        let places = ["l", "m", "real/up", "real/sub/n", "real/sub/o.go", "p"];
        let targets = ["real", "real/sub", "..", "l", "m/up", "/nowhere", "gone", ".", "../a.go"];
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("w");
        let mut memory = tree(&["a.go", "real/a.go", "real/sub/a.go"]);
        for file in ["a.go", "real/a.go", "real/sub/a.go"] {
            fs::create_dir_all(root.join(parent(file))).unwrap();
            fs::write(root.join(file), "").unwrap();
        }
        for (place, target) in links {
            symlink(targets[target], root.join(places[place])).unwrap();
            memory.link(places[place], targets[target]);
        }
        let disk = DiskTree::new(&root).unwrap();
        for below in ["a.go", "sub/a.go", "up/a.go", "sub/n/a.go", "new/b.go", ""] {
            let changed = format!("{}/{below}", places[last]);
            let run = |tree: &dyn Tree| scope(tree, [changed.as_str()], &|_| false);
            prop_assert_eq!(run(&memory), run(&disk), "{}", changed);
        }
    }

    #[test]
    fn any_path_is_placed_once(path in "[a/.\\-~ \u{0}\n]{0,20}") {
        let found = scope(&tree(&["a/a", "go.mod"]), [path.as_str()], &|_| true);
        prop_assert_eq!(found.uncovered.len() + found.outside.len(), 1);
        prop_assert!(found.commands.is_empty());
    }
}
