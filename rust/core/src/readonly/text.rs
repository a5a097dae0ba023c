//! Readers of files and text.

use super::table::{ANY, Operands, Reader};
use crate::shell::options::{Scanned, Value};

/// Files and text.
pub(super) const READERS: &[Reader] = &[
    Reader {
        commands: "cat|tac|rev|nl|head|tail|wc|cut|paste|join|fold|fmt|expand|unexpand|tr|comm|cmp|od|hexdump|hd|strings|\
                   ls|dir|vdir|stat|du|df|readlink|realpath|greadlink|grealpath|basename|dirname|seq|factor|expr|numfmt|\
                   tsort|cksum|sum|md5|md5sum|sha1sum|sha224sum|sha256sum|sha384sum|sha512sum|b2sum|b3sum|shasum|xxhsum|\
                   grep|egrep|fgrep|ggrep|zgrep|zegrep|zfgrep|bzgrep|xzgrep|diff|zdiff|colordiff|zcmp|column|look|jq|pr|\
                   getfacl|lsattr|namei|hexyl|csvcut|csvlook|csvgrep|csvstat|csvjson|csvsort|exa|eza|lsd|locate|plocate|\
                   mlocate|ghead|gtail|gwc|gls|gstat|gcat|gcut|gtr|gdu|col|colrm|pdfinfo|pathchk|echo|printf|true|false|test|[|pwd",
        options: ANY,
        operands: Operands::Any,
        yes: &[
            "cat -A \"$f\"",
            "grep -rn 'a > b' *.rs",
            "ls -d */",
            "tail -n +3 log",
            "jq -e .ok a.json",
            "diff -u a b",
        ],
        no: &["cat a > b", "$cat a", "./cat a"],
    },
    Reader {
        commands: "sort|gsort",
        options: "-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z -k: -t: -S: -T: --key: --field-separator: --reverse \
                  --numeric-sort --human-numeric-sort --version-sort --general-numeric-sort --month-sort --random-sort \
                  --unique --stable --check? --ignore-case --ignore-leading-blanks --dictionary-order --zero-terminated \
                  --parallel: --sort: --buffer-size: --batch-size: --files0-from: --merge --debug --random-source: --help",
        operands: Operands::Any,
        yes: &["sort -t, -k2,2n a.csv", "sort -rn", "sort src/*.txt"],
        no: &[
            "sort -o a a",
            "sort -ro a a",
            "sort --output=a a",
            "sort --outp a a",
            "sort --compress-program=sh a",
            "sort $x",
            "sort *",
        ],
    },
    Reader {
        commands: "uniq|guniq",
        options: "-c -d -D -i -u -z -f: -s: -w: --count --repeated --all-repeated? --ignore-case --unique --skip-fields: \
                  --skip-chars: --check-chars: --zero-terminated --group?",
        operands: Operands::AtMost(1),
        yes: &["uniq -c", "uniq -d a", "uniq -f 2 a"],
        no: &["uniq a b", "uniq a -c", "uniq - b", "uniq *", "uniq $x"],
    },
    Reader {
        commands: "shuf|gshuf",
        options: "-n: -e -i: -r -z --head-count: --echo --input-range: --repeat --zero-terminated --random-source:",
        operands: Operands::Any,
        yes: &["shuf -n 3 a", "shuf -i 1-9 -n1"],
        no: &["shuf -o b a", "shuf -n1 -ob a", "shuf --output=b a"],
    },
    Reader {
        commands: "base64|base32|basenc",
        options: "-d -D -i -w: -b: --decode --ignore-garbage --wrap: --break: --base64url --base16 --base32 --base64 --z85",
        operands: Operands::Any,
        yes: &["base64 -w0 a", "base64 --decode a.b64"],
        no: &["base64 -d a -o b", "base64 --output b a"],
    },
    Reader {
        commands: "tee",
        options: "-i -p -a --append --ignore-interrupts --output-error?",
        operands: Operands::Check(only_null_sinks),
        yes: &["tee", "tee /dev/null", "tee /dev/stderr"],
        no: &["tee a", "tee -a a", "tee -- -a", "tee /dev/null a"],
    },
    Reader {
        commands: "iconv",
        options: "-f: -t: -l -c -s --from-code: --to-code: --list --silent",
        operands: Operands::Any,
        yes: &["iconv -f latin1 -t utf-8 a", "iconv -l"],
        no: &["iconv -f a -t b c -o d", "iconv --output=d c"],
    },
    Reader {
        commands: "xxd",
        options: "-a -b -c: -C -d -e -E -g: -h -i -l: -n: -o: -p -ps -plain -postscript -r -revert -R: -s: -u -v -cols: -len: -seek: \
                  -bits -include",
        operands: Operands::AtMost(1),
        yes: &["xxd -l 32 a.bin", "xxd -p a", "xxd -r -p a.hex"],
        no: &["xxd -r a b", "xxd a b", "xxd a -p"],
    },
    Reader {
        commands: "file",
        options: "-b -i -I -k -L -h -n -N -p -r -s -z -Z -0 -F: -f: -m: -P: -e: -l -d -v --brief --mime --mime-type --mime-encoding \
                  --keep-going --dereference --no-dereference --no-pad --raw --special-files --uncompress --separator: \
                  --files-from: --magic-file: --extension --apple --list --print0 --exclude:",
        operands: Operands::Any,
        yes: &["file -b --mime-type a.png", "file bin/*"],
        no: &["file -C -m magic", "file --compile -m magic"],
    },
    Reader {
        commands: "tree",
        options: "-a -d -l -f -x -L: -P: -I: -i -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -S -n -C -A -J -X -H: -T: --gitignore \
                  --gitfile: --ignore-case --matchdirs --noreport --charset: --filelimit: --timefmt: --si --du --prune --inodes \
                  --device --dirsfirst --filesfirst --sort? --sort: --info --fromfile --metafirst --level: --filesfirst",
        operands: Operands::Any,
        yes: &["tree -L 2 -I node_modules src", "tree -J --dirsfirst"],
        no: &["tree -o a", "tree --output a", "tree -R -L 1"],
    },
    Reader {
        commands: "yq",
        options: "-r -e -c -n -N -P -M -C -j -y -Y -0 -o: -p: -I: --raw-output --output-format: --input-format: --null-input \
                  --no-doc --prettyPrint --no-colors --colors --tojson --indent: --exit-status --unwrapScalar? --arg: \
                  --compact-output --yaml-output --from-file: --header-preprocess --verbose -v -V",
        operands: Operands::Any,
        yes: &["yq e '.a.b' a.yml", "yq -o json . a.yml", "yq -r '.x[]' a.yaml"],
        no: &[
            "yq -i '.a=1' a.yml",
            "yq eval -i '.a=1' a.yml",
            "yq -Pi . a.yml",
            "yq --inplace . a",
            "yq -s .a a.yml",
        ],
    },
    Reader {
        commands: "xmllint",
        options: "--xpath: --format --noout --noblanks --html --nonet --encode: --recover --xmlout --schema: --valid --huge --pretty: \
                  --c14n --version --noent --dropdtd --nowarning --quiet --relaxng: --schematron: --dtdvalid: --noent --stream",
        operands: Operands::Any,
        yes: &["xmllint --xpath '//a/@b' a.xml", "xmllint --noout a.xml"],
        no: &["xmllint --shell a.xml", "xmllint --output b.xml a.xml", "xmllint --format a.xml -o b.xml"],
    },
    Reader {
        commands: "rg",
        options: "-# -a -A: -B: -C: -b -c -d: -e: -E: -f: -F -g: -h -H -i -I -j: -l -L -m: -M: -n -N -o -p -P -q -r: -s -S -t: -T: -u -U \
                  -v -V -w -x -z -0 -. --after-context: --before-context: --context: --count --count-matches --files --files-with-matches \
                  --files-without-match --fixed-strings --glob: --iglob: --hidden --no-hidden --ignore-case --case-sensitive \
                  --smart-case --line-number --no-line-number --max-count: --max-depth: --max-columns: --max-filesize: --multiline \
                  --multiline-dotall --no-heading --heading --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-global \
                  --no-messages --only-matching --passthru --pcre2 --pretty --quiet --regexp: --replace: --sort: --sortr: --stats \
                  --text --threads: --trim --type: --type-not: --type-list --type-add: --unrestricted --invert-match --version \
                  --vimgrep --with-filename --no-filename --word-regexp --line-regexp --json --color: --colors: --column --no-column \
                  --byte-offset --crlf --encoding: --engine: --file: --follow --null --null-data --no-config --one-file-system \
                  --search-zip --context-separator: --no-context-separator --no-unicode --path-separator: --debug --block-buffered \
                  --line-buffered --ignore-file: --binary --include-zero --max-columns-preview --no-require-git --field-match-separator: \
                  --glob-case-insensitive --auto-hybrid-regex --dfa-size-limit: --regex-size-limit: --help",
        operands: Operands::Any,
        yes: &["rg -n -g '!.git' todo src", "rg -l foo", "rg -e '--pre' .", "rg --json -C3 x"],
        no: &[
            "rg --pre sh x",
            "rg --pre=sh x",
            "rg --hostname-bin ./x y",
            "rg $x src",
            "rg \"$pattern\" src",
        ],
    },
    Reader {
        commands: "ag",
        options: "-# -a -A: -B: -C: -c -f -F -g: -G: -H -h -i -l -L -m: -n -o -p: -Q -r -s -S -t -u -U -v -w -z -0 --ackmate --after? \
                  --before? --context? --color --nocolor --column --count --depth: --files-with-matches --files-without-matches \
                  --filename --nofilename --group --nogroup --hidden --ignore: --ignore-dir: --ignore-case --literal --numbers \
                  --nonumbers --only-matching --smart-case --stats --silent --vimgrep --word-regexp --nobreak --python --js --ts --go \
                  --rust --java --ruby --cpp --html --css --json --list-file-types --width: --max-count: --search-binary --null",
        operands: Operands::Any,
        yes: &["ag -l foo src", "ag --hidden -i foo"],
        no: &["ag --pager sh foo", "ag --pager=sh foo"],
    },
    Reader {
        commands: "ack|ack-grep",
        options: "-# -A: -B: -C: -c -f -g: -H -h -i -l -L -m: -n -o -Q -r -s -v -w -x -1 --after-context: --before-context: --context? \
                  --color --nocolor --column --count --files-with-matches --files-without-matches --group --nogroup --heading \
                  --noheading --ignore-case --ignore-dir: --ignore-file: --literal --max-count: --type: --python --perl --js --go --rust \
                  --ruby --java --cpp --html --css --smart-case --word-regexp --no-filename --with-filename --help-types",
        operands: Operands::Any,
        yes: &["ack -l foo", "ack --python -i foo src"],
        no: &["ack --pager=sh foo", "ack --output='$&' foo", "ack --ackrc=x foo"],
    },
    Reader {
        commands: "bat|batcat",
        options: "-n -p -A -P -S -u -f -d -m: -l: -r: -H: --plain --number --show-all --paging: --no-paging --style: --color: --theme: \
                  --language: --line-range: --highlight-line: --decorations: --wrap: --tabs: --list-languages --list-themes --diff \
                  --file-name: --terminal-width: --map-syntax: --italic-text: --unbuffered --force-colorization --ignored-suffix:",
        operands: Operands::Check(shows_with_bat),
        yes: &["bat -p a.rs", "bat --style=plain --paging=never -r 3:9 a.rs"],
        no: &["bat cache --build", "bat --pager 'sh -c x' a", "bat cache", "bat --paging=always a"],
    },
    Reader {
        commands: "man|apropos|whatis",
        options: "-k -f -w -W -a -s: -S: -t? --path --where --apropos --whatis --all",
        operands: Operands::Check(|scanned| !scanned.has("-t")),
        yes: &["man ls", "man -k grep", "man 5 crontab"],
        no: &["man -P 'touch x' ls", "man -H./x ls", "man --pager=sh ls", "man -C conf ls"],
    },
    Reader {
        commands: "tokei|scc",
        options: "-f -C -h --files --hidden --no-ignore --exclude: --sort: --by-file --no-cocomo -s: -i:",
        operands: Operands::Any,
        yes: &["tokei", "tokei --files src", "scc --by-file"],
        no: &["scc -o out", "scc --output out ."],
    },
    Reader {
        commands: "cloc",
        options: "--by-file --json --yaml --csv --md --quiet --include-lang: --exclude-lang: --exclude-dir: --include-ext: --exclude-ext: \
                  --hide-rate --follow-links --fullpath --not-match-d: --match-d: --not-match-f: --match-f: --by-percent:",
        operands: Operands::Any,
        yes: &["cloc .", "cloc --json --exclude-dir=node_modules src"],
        no: &["cloc --out=x .", "cloc --report-file=x .", "cloc --vcs='sh -c x' ."],
    },
    Reader {
        commands: "nm",
        options: "-D -g -u -C -A -a -n -p -r -S -s -l -o -v -P -B -t: --demangle? --defined-only --undefined-only --dynamic --extern-only \
                  --size-sort --numeric-sort --print-size --print-file-name --format: --no-demangle --debug-syms --line-numbers",
        operands: Operands::Any,
        yes: &["nm -gC lib.so", "nm --defined-only a.o"],
        no: &["nm --plugin ./x.so a.o"],
    },
    Reader {
        commands: "objdump|readelf|size|otool",
        options: "-a -A -B -C -d -D -e -f -g -G -h -I -l -L -M: -m: -n -p -r -R -s -S -t -T -u -V -w -W -x -X -z -j: --all --all-headers \
                  --archive-headers --demangle? --disassemble? --disassemble-all --dynamic --dynamic-syms --dynamic-reloc --file-header \
                  --file-headers --full-contents --headers --notes --no-show-raw-insn --private-headers --program-headers --reloc --relocs \
                  --section: --section-headers --sections --segments --show-raw-insn --source --start-address: --stop-address: --syms \
                  --symbols --totals --version-info --wide --format: --radix:",
        operands: Operands::Any,
        yes: &["objdump -d a.out", "readelf -hS a.out", "size a.out", "otool -L a"],
        no: &["objdump --unknown a", "readelf --dump-to x a"],
    },
    Reader {
        commands: "shellcheck",
        options: "-s: -e: -f: -S: -x -a -C? -i: -o: -P: -W: --shell: --exclude: --format: --severity: --external-sources --color? --enable: \
                  --check-sourced --include: --norc --source-path: --list-optional",
        operands: Operands::Any,
        yes: &["shellcheck -x a.sh", "shellcheck --severity=error src/*.sh"],
        no: &["shellcheck --fix a.sh"],
    },
    Reader {
        commands: "shfmt",
        options: "-l -d -s -i: -ln: -p -bn -ci -sr -kp -fn -f --list --diff --simplify --indent: --language-dialect: --find --to-json",
        operands: Operands::Any,
        yes: &["shfmt -d a.sh", "shfmt -l -i 2 ."],
        no: &["shfmt -w a.sh", "shfmt --write ."],
    },
    Reader {
        commands: "gofmt",
        options: "nobundle -l -d -s -e -r:",
        operands: Operands::Any,
        yes: &["gofmt -l .", "gofmt -d a.go"],
        no: &["gofmt -w .", "gofmt -l -w .", "gofmt -cpuprofile x ."],
    },
    Reader {
        commands: "clang-format",
        options: "nobundle -n -style: --style: --dry-run --Werror -assume-filename: --assume-filename: -lines: --lines: --dump-config",
        operands: Operands::Any,
        yes: &["clang-format --dry-run a.c", "clang-format -style=llvm a.c"],
        no: &["clang-format -i a.c", "clang-format -style=llvm -i a.c"],
    },
    Reader {
        commands: "pdftotext",
        options: "nobundle -layout -raw -f: -l: -nopgbrk -enc: -q -htmlmeta",
        operands: Operands::Check(|scanned| scanned.operands.len() == 2 && scanned.operand(1) == Some("-")),
        yes: &["pdftotext -layout a.pdf -"],
        no: &["pdftotext a.pdf", "pdftotext a.pdf b.txt"],
    },
    Reader {
        commands: "ffprobe",
        options: "nobundle -v: -loglevel: -hide_banner -show_format -show_streams -show_entries: -of: -print_format: -select_streams: -i: -show_frames \
                  -show_packets -count_frames -show_chapters -pretty -sexagesimal",
        operands: Operands::Any,
        yes: &["ffprobe -v error -show_format a.mp4"],
        no: &["ffprobe -o x a.mp4", "ffprobe -report a.mp4"],
    },
];

/// A pager that stays open takes commands.
fn shows_with_bat(scanned: &Scanned) -> bool {
    let paging = scanned.values("--paging").all(|when| matches!(when, Value::Text("never" | "auto")));
    paging && scanned.operand(0) != Some("cache")
}

fn only_null_sinks(scanned: &Scanned) -> bool {
    scanned
        .operands
        .iter()
        .all(|word| matches!(word.literal(), Some("/dev/null" | "/dev/stderr" | "/dev/stdout")))
}
