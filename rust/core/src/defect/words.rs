//! What a word of a message is: said by whoever wrote the message, or different at every occurrence.

/// What becomes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It stays.
    Keep,
    /// It is masked whole.
    Mask,
    /// Its digits are masked, its letters stay: `worker7`.
    Digits,
}

/// Words after which a number is the failure's own: `exit code 1`, `HTTP 404`, `[Errno 13]`.
const BEFORE_CODE: &[&str] = &[
    "http", "status", "code", "errno", "exit", "exited", "signal", "sig", "rc", "ec", "sqlstate", "winerror",
    "curl", "error", "err", "exitcode", "retcode", "statuscode", "hresult", "ora", "base", "takes",
    "missing", "argument",
];

/// Words after which a number is one if it could be an HTTP status.
const BEFORE_STATUS: &[&str] = &[
    "returned", "got", "received", "response", "responded", "with", "github", "api", "server", "upstream",
    "gateway", "answered", "->", "=>", "→", "failed", "request",
];

/// Words that come behind an HTTP status, or behind a number of arguments.
const BEHIND_STATUS: &[&str] = &[
    "bad", "unauthorized", "payment", "forbidden", "not", "method", "conflict", "gone", "unprocessable",
    "too", "internal", "service", "gateway", "client", "server", "overloaded", "moved", "precondition",
    "request", "entity", "validation",
];
const BEHIND_COUNT: &[&str] = &["positional", "required", "argument", "arguments", "were", "was"];

const ENDINGS: &[&str] = &[
    "com", "net", "org", "io", "dev", "gov", "edu", "mil", "local", "internal", "localdomain", "example",
    "test", "invalid", "cn", "de", "uk", "fr", "jp", "ru", "eu", "us", "ca", "au", "br", "it", "nl", "se",
    "ch", "es", "pl", "kr", "ai", "app", "cloud", "info", "biz", "xyz", "lan", "corp", "site",
];

const FILES: &[&str] = &[
    "rs", "py", "pyi", "pyc", "ts", "tsx", "js", "mjs", "cjs", "jsx", "go", "java", "kt", "c", "h", "cc",
    "cpp", "hpp", "cs", "rb", "php", "sh", "toml", "yaml", "yml", "json", "jsonl", "lock", "md", "txt",
    "csv", "log", "db", "sqlite", "sql", "cfg", "conf", "ini", "env", "so", "dll", "exe", "bin", "o", "a",
    "html", "css", "xml", "docx", "pdf", "png", "jpg", "gz", "tgz", "zip", "tar", "whl", "jar", "class",
    "pid", "sock", "tmp", "bak", "out", "dat", "ko", "scope", "slice", "mount", "patch", "diff", "pem",
    "crt", "key", "git", "img", "iso", "swp", "parquet", "ipynb", "lua", "vue", "svelte", "wasm", "map",
    "proto", "tf", "gradle", "xz", "bz2", "zst", "pack", "idx",
];

/// Technical words whose digits are part of the name.
const NAMES: &[&str] = &[
    "utf-8", "utf8", "utf-16", "utf16", "utf-32", "utf16le", "latin-1", "latin1", "iso-8859-1", "cp1252",
    "sha1", "sha-1", "sha224", "sha256", "sha-256", "sha384", "sha512", "sha-512", "md5", "base16", "base32",
    "base58", "base64", "ipv4", "ipv6", "inet6", "x86", "x86_64", "x64", "amd64", "arm64", "aarch64",
    "armv7", "i386", "i686", "i8", "i16", "i32", "i64", "i128", "u8", "u16", "u32", "u64", "u128", "f32",
    "f64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
    "http2", "h2", "h3", "http/1.0", "http/1.1", "http/2", "http/2.0", "http/3", "oauth2", "s3", "ec2",
    "k8s", "p2p", "v1", "v2", "v3", "v4", "tlsv1", "tlsv1.0", "tlsv1.1", "tlsv1.2", "tlsv1.3", "tls1.2",
    "tls1.3", "sslv3", "pkcs1", "pkcs8", "pkcs12", "x509", "x.509", "python2", "python3", "pip3", "es6",
    "log4j", "ext4", "sqlite3", "psycopg2", "boto3", "urllib3", "libgit2", "bz2", "md4", "rc4", "aes256",
    "ed25519", "rs256", "hs256", "es256", "1password", "b64", "e2e", "i18n", "l10n", "a11y", "web3", "gpt-4",
    "mp3", "mp4", "h264", "win32", "win64", "macos", "c++11", "c++17", "c++20", "2fa", "http1",
];

/// Words with a stroke in them that are no paths.
const STROKES: &[&str] = &[
    "and/or", "n/a", "i/o", "tcp/ip", "client/server", "read/write", "add/rm", "http/1.0", "http/1.1",
    "http/2", "http/2.0", "http/3", "text/html", "text/plain", "application/json", "tls/ssl", "ssl/tls",
];

/// What is known around a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'a> {
    /// The word in front, lower case; empty behind something masked.
    pub(super) before: &'a str,
    /// What follows.
    pub(super) after: &'a str,
    /// Whether the word is the first of the message.
    pub(super) first: bool,
}

/// The fate of `word`, which holds no white space and no quotes.
pub(super) fn fate(word: &str, around: Around<'_>) -> Fate {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    if word.len() <= 16
        && (digits > 0 && is_one_of(NAMES, word) || word.contains('/') && is_one_of(STROKES, word))
    {
        return Fate::Keep;
    }
    if digits == 0 {
        return without_digits(word);
    }
    if number_like(word) {
        return if meaningful(word, around) { Fate::Keep } else { Fate::Mask };
    }
    if word.contains(['/', '\\', '@', ':', '%', '#', '~']) || ends_in(word, ENDINGS) || ends_in(word, FILES) {
        return Fate::Mask;
    }
    if code(word) || (around.before == "sqlstate" && word.len() == 5) {
        return Fate::Keep;
    }
    if hexadecimal(word) || random(word) {
        return Fate::Mask;
    }
    let plain = word.len() < 12 && word.bytes().all(|b| b.is_ascii_alphanumeric());
    let groups = word
        .as_bytes()
        .chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit())
        .filter(|run| run.first().is_some_and(u8::is_ascii_digit))
        .count();
    if plain && groups == 1 && !word.starts_with(|c: char| c.is_ascii_digit()) {
        Fate::Digits
    } else {
        Fate::Mask
    }
}

fn without_digits(word: &str) -> Fate {
    let masked = word.contains('/') && word.len() > 2
        || word.contains('\\')
        || word.contains('@') && word.len() > 2
        || ends_in(word, ENDINGS)
        || ends_in(word, FILES) && !word.starts_with('.')
        || word.eq_ignore_ascii_case("localhost")
        || word.contains('#') && word.len() > 1;
    if masked { Fate::Mask } else { Fate::Keep }
}

/// A number, with sign, separators, a unit, a version's dots, a time's colons, hexadecimal `0x…`.
fn number_like(word: &str) -> bool {
    let body = word.trim_start_matches(['+', '-', '~', '#', '$', '≈', 'v']);
    let count = body
        .bytes()
        .take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b':' | b'_' | b'\'' | b'-'))
        .count();
    if count == 0 || !body.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let unit = body.get(count..).unwrap_or_default();
    unit.is_empty() || unit == "%" || units(unit)
}

/// Whether `word`, standing behind a number, is its unit.
pub(super) fn unit(word: &str) -> bool {
    !word.is_empty() && word != "x" && units(word)
}

/// `ms`, `KiB`, `h45m`, `tokens`: letters that follow a number, and numbers between them.
fn units(text: &str) -> bool {
    const UNITS: &[&str] = &[
        "ns", "us", "µs", "ms", "msec", "s", "sec", "secs", "second", "seconds", "m", "min", "mins",
        "minute", "minutes", "h", "hr", "hrs", "hour", "hours", "d", "day", "days", "w", "k", "kb", "kib",
        "mb", "mib", "gb", "gib", "tb", "tib", "b", "byte", "bytes", "x", "st", "nd", "rd", "th", "z", "px",
        "hz", "mhz", "ghz", "mbps", "kbps",
    ];
    text.split(|c: char| c.is_ascii_digit() || c == '.')
        .filter(|part| !part.is_empty())
        .all(|part| is_one_of(UNITS, part.trim_end_matches("/s")))
}

/// Whether a number tells which failure it is.
fn meaningful(word: &str, around: Around<'_>) -> bool {
    let plain = word.trim_start_matches('-');
    let whole = plain.bytes().all(|b| b.is_ascii_digit());
    let next = next_word(around.after);
    let status = whole && plain.len() == 3 && matches!(plain.as_bytes().first(), Some(b'1'..=b'5'));
    if whole && plain.len() <= 5 && is_one_of(BEFORE_CODE, around.before) {
        return true;
    }
    if status && (is_one_of(BEFORE_STATUS, around.before) || is_one_of(BEHIND_STATUS, next)) {
        return true;
    }
    // A mail server's answer: `452 4.2.2 The mailbox is full`.
    if around.first && status
        || around.before == "\u{2}" && plain.len() == 5 && plain.matches('.').count() == 2
    {
        return true;
    }
    whole && plain.len() == 1 && is_one_of(BEHIND_COUNT, next)
}

fn next_word(after: &str) -> &str {
    let after = after.trim_start_matches(|c: char| !c.is_alphanumeric());
    after.get(..after.len() - after.trim_start_matches(|c: char| c.is_alphabetic()).len()).unwrap_or_default()
}

/// `TS2339`, `E0382`, `ORA-00942`, `CVE`-like: capitals and a number behind them.
fn code(word: &str) -> bool {
    let letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let rest = word.get(letters..).unwrap_or_default();
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    (1..=6).contains(&letters) && (2..=5).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_digit())
}

fn hexadecimal(word: &str) -> bool {
    let body = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")).unwrap_or(word);
    let body = body.trim_end_matches('.');
    if word.len() > body.len()
        && word.starts_with('0')
        && !body.is_empty()
        && body.bytes().all(|b| b.is_ascii_hexdigit())
    {
        return true;
    }
    body.len() >= 6 && body.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}

/// A token that was drawn by chance.
fn random(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let upper = word.bytes().any(|b| b.is_ascii_uppercase());
    let lower = word.bytes().any(|b| b.is_ascii_lowercase());
    word.len() >= 10 && digits >= 2 && upper && lower
        || word.len() >= 16 && digits >= 3
        || word.len() >= 20 && digits >= 1
}

fn ends_in(word: &str, endings: &[&str]) -> bool {
    let Some((stem, ending)) = word.trim_end_matches('.').rsplit_once('.') else { return false };
    !stem.is_empty() && is_one_of_cased(endings, ending)
}

fn is_one_of(list: &[&str], word: &str) -> bool {
    list.iter().any(|known| known.len() == word.len() && known.eq_ignore_ascii_case(word))
}

fn is_one_of_cased(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}
