//! The vocabulary: what single words mean for the masks around them. Data only; lookups ignore ASCII case.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

/// Severity names that open a log line.
pub(super) const LEVEL: u32 = 1;
/// A three-digit number after it is an HTTP status.
pub(super) const STATUS: u32 = 1 << 1;
/// A short number after it is a code with a meaning of its own (exit code, errno, signal).
pub(super) const CODE: u32 = 1 << 2;
/// Filler that does not change what the word before it announced.
pub(super) const FILLER: u32 = 1 << 3;
/// Kinds of things with given names: a quoted word beside one is such a name.
pub(super) const NAMED: u32 = 1 << 4;
/// Kinds of things whose given names, when they hold a dash or an underscore, are written without quotes.
pub(super) const BARE: u32 = 1 << 5;
/// `key=value` keys whose value says what went wrong.
pub(super) const KEEP: u32 = 1 << 6;
/// Units of measure after a number.
pub(super) const UNIT: u32 = 1 << 7;
pub(super) const MONTH: u32 = 1 << 8;
pub(super) const DAY: u32 = 1 << 9;
pub(super) const ZONE: u32 = 1 << 10;
/// Branch names that every repository may have.
pub(super) const BRANCH: u32 = 1 << 11;
/// Words of HTTP reason phrases.
pub(super) const REASON: u32 = 1 << 12;
/// Words that cannot be a given name.
pub(super) const GRAMMAR: u32 = 1 << 13;
/// Last labels of host names.
pub(super) const TLD: u32 = 1 << 14;
/// File name extensions.
pub(super) const EXT: u32 = 1 << 15;
/// Names that contain digits and mean the same everywhere.
pub(super) const FIXED: u32 = 1 << 16;
/// Programs whose second argument is a subcommand.
pub(super) const PROGRAM: u32 = 1 << 17;
/// File names that are the same in every project.
pub(super) const MANIFEST: u32 = 1 << 18;
/// Pairs with a slash that are prose, not paths; and first halves of media types.
pub(super) const PROSE: u32 = 1 << 19;
/// Last words of the phrases that a given name follows.
pub(super) const PHRASE: u32 = 1 << 20;
/// Prefixes of letter-dash-digit error codes.
pub(super) const VENDOR: u32 = 1 << 21;
/// Kinds of things after which even a plain word is a given name.
pub(super) const OWNER: u32 = 1 << 22;
/// Names of this machine.
pub(super) const LOCAL: u32 = 1 << 23;

const WORDS: &[(u32, &str)] = &[
    (
        LEVEL,
        "trace debug info information notice warn warning error err fatal critical crit severe alert emerg \
         emergency panic dpanic erro fata debu",
    ),
    (
        STATUS,
        "http https http/1.0 http/1.1 http/2 http/2.0 status returned returns return got received response \
         responded responds respond failed failure github gitlab api server request answered replied \
         statuscode status_code status-code http_status unexpected upstream code error err smtp",
    ),
    (
        CODE,
        "code exit exited exits exitcode exit_code exit-code rc ec returncode return_code retcode errno error err \
         err! signal sig sqlstate winerror curl status statuscode status_code status-code hresult ntstatus \
         errorcode error_code terminated",
    ),
    (FILLER, "with the a an of was is non-zero named name called nonzero by: value number no"),
    (
        NAMED,
        "branch branches container containers image images session sessions window pane pod pods deployment \
         deployments configmap configmaps secret secrets services namespace namespaces endpoint endpoints node \
         nodes host hosts hostname user users username login account owner actor author member assignee tenant \
         customer cluster clusters bucket queue topic channel room volume volumes network networks project \
         projects repo repos repository repositories organization organisation org team tag tags ref refs revision \
         commit worktree peer instance machine vm runner agent worker thread database role file files directory \
         folder path template lock lockfile stash device interface domain server address url ip serviceaccount \
         email statefulset statefulsets daemonset daemonsets replicaset replicasets pvc persistentvolumeclaim \
         persistentvolumeclaims jobs ingress ingresses subscription profile keyspace droplet certificate principal arn",
    ),
    (
        BARE,
        "branch container endpoint session window pane pod pods deployment configmap node host hostname user \
         username tenant customer cluster bucket queue topic volume network instance machine vm runner worker thread \
         worktree image statefulset daemonset namespace",
    ),
    (LOCAL, "localhost localhost.localdomain ip6-localhost"),
    (OWNER, "pod endpoint deployment statefulset daemonset configmap tenant"),
    (
        KEEP,
        "status code level lvl severity msg message error err reason cause rc ec exit exit_code exitcode signal \
         errno kind type step event op action method class category phase stage outcome result cmd command tool \
         exception detail details description title field param operation syscall state verb resource reasoncode \
         errorcode error_code error_type error.type status_code statuscode status-code http_status http.status_code \
         returncode subtype error_message error_description oserror grpc_code",
    ),
    (
        UNIT,
        "ns us µs μs ms msec msecs millis millisecond milliseconds microseconds nanoseconds s sec secs second \
         seconds m min mins minute minutes h hr hrs hour hours d day days week weeks b byte bytes kb mb gb tb pb kib \
         mib gib tib pib k bit bits kbps mbps kb/s mb/s mib/s kib/s gb/s kbit mbit %",
    ),
    (
        MONTH,
        "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august \
         september october november december",
    ),
    (DAY, "mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday"),
    (ZONE, "z utc gmt cet cest bst ist jst est edt cst cdt mst mdt pst pdt msk aest"),
    (BRANCH, "main master develop trunk"),
    (
        REASON,
        "ok created accepted moved bad unauthorized payment forbidden not method conflict gone unprocessable \
         precondition too internal service gateway client server unavailable overloaded timeout request found \
         entity requests locked redirect unauthorised",
    ),
    (
        GRAMMAR,
        "a an and are as at be because but by can cannot could did does for from had has have if in into is it its \
         name no not of on or that the this to was were when while will with within without failed failing error \
         errors already after before already exists exited unreachable timeout missing invalid expected must may \
         fails exits went gone evicted should than then there unable unknown unavailable health healthy status state spec template network sandbox \
         limit limits quota count id ids security disruption logs log config configuration created deleted",
    ),
    (
        TLD,
        "com net org io dev gov edu mil int local internal localdomain example test invalid lan corp cn hk de uk fr jp \
         ru eu us ca au br it nl se ch es pl tw kr sg ai app cloud xyz svc tech site online co biz host home arpa \
         intranet private consul onion",
    ),
    (
        EXT,
        "rs py pyi pyc ts tsx js mjs cjs jsx go java kt kts scala swift c h cc cpp cxx hpp hh cs fs vb rb erb php pl pm \
         lua ex exs erl hs ml clj dart zig sh bash zsh fish ps1 bat cmd toml yaml yml json jsonl ndjson json5 lock md \
         rst txt csv tsv log db sqlite sqlite3 sql cfg conf ini so dll dylib exe bin a html htm css scss xml svg docx \
         xlsx pdf png jpg jpeg gif webp gz tgz zip tar bz2 xz zst whl jar war egg deb rpm apk pid sock socket tmp bak \
         swp dat ko pem crt key csr patch diff ipynb proto graphql tf tfvars tfstate gradle sum mod vue svelte wasm j2 \
         jinja mp4 mp3 parquet pack idx",
    ),
    (
        FIXED,
        "utf-8 utf8 utf-16 utf16 utf-32 utf_8 iso-8859-1 latin1 latin-1 cp1252 base64 base32 base16 sha1 sha-1 sha256 \
         sha-256 sha384 sha512 sha-512 md5 md4 crc32 ipv4 ipv6 http2 http3 h2 h2c oauth2 oauth1 x509 p12 pkcs1 pkcs8 \
         pkcs12 pkcs7 ed25519 x25519 secp256k1 aes128 aes256 tls1 ssl3 sslv3 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 x86 x64 \
         x86_64 amd64 arm64 i386 i686 win32 win64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 i8 \
         i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 k8s i18n l10n s3 ec2 es6 es5 es2015 py3 python2 python3 sqlite3 \
         boto3 urllib3 jinja2 psycopg2 log4j neo4j h11 h5py pop3 imap4 mp3 mp4 b2b p2p o365 md5sum sha256sum rfc3339 \
         rfc2822 ext4 ntfs3 nfs4 cgroup2 cgroupv2 libc++ glibc2 ipv4/ipv6 aarch64 armv7 hmac-sha256 tcp4 tcp6 udp4 udp6 \
         base64url utf8mb4 e2e a11y web3 d3 v8",
    ),
    (
        PROGRAM,
        "git gh docker podman npm pnpm yarn cargo pip pip3 tmux kubectl helm go terraform aws gcloud az systemctl \
         brew apt apt-get uv poetry make bundle gem composer dotnet mvn gradle glab heroku fly flyctl vercel",
    ),
    (
        MANIFEST,
        "package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock tsconfig.json cargo.toml \
         cargo.lock pyproject.toml setup.py setup.cfg requirements.txt poetry.lock uv.lock go.mod go.sum pom.xml \
         build.gradle gemfile.lock composer.json composer.lock docker-compose.yml docker-compose.yaml compose.yaml \
         compose.yml __init__.py node.js next.js vue.js react.js",
    ),
    (
        PROSE,
        "and/or read/write input/output client/server key/value name/value add/rm add/add modify/delete delete/modify \
         rename/delete rename/rename rename/add start/stop on/off yes/no true/false i/o n/a tcp/ip ssl/tls tls/ssl \
         either/or process/resource add/edit get/set load/save http/https user/password username/password owner/repo and/or/not \
         application text multipart audio video",
    ),
    (PHRASE, "to for user in apply auto-merging between"),
    (VENDOR, "ora tns pls sp2 dpi rman cve ghsa rfc iso ieee sqlite mysql my er db2 sql aadsts"),
];

/// A multiplicative hash of eight bytes at a time: the keys are our own, so none of them is crafted.
#[derive(Default)]
struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0_u8; 8];
            word.iter_mut().zip(chunk).for_each(|(to, from)| *to = *from);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    fn write_usize(&mut self, length: usize) {
        self.0 ^= length as u64;
    }
}

type Table = HashMap<&'static [u8], u32, BuildHasherDefault<Multiply>>;

struct Vocabulary {
    meanings: Table,
    /// For every first byte, the lengths of the words that start with it, one bit each: most words of a text are
    /// in no list, and are told so by this alone.
    lengths: [u32; 256],
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let mut meanings = Table::default();
    let mut lengths = [0; 256];
    for (flag, words) in WORDS {
        for word in words.split_whitespace() {
            *meanings.entry(word.as_bytes()).or_insert(0) |= flag;
            let first = word.bytes().next().unwrap_or(0);
            if let Some(seen) = lengths.get_mut(usize::from(first)) {
                *seen |= 1 << word.len();
            }
        }
    }
    Vocabulary { meanings, lengths }
});

const LONGEST: usize = 24;

/// All meanings of `word`; 0 for a word without any.
pub(super) fn flags(word: &str) -> u32 {
    let bytes = word.as_bytes();
    let vocabulary = &*VOCABULARY;
    let first = bytes.first().map_or(0, u8::to_ascii_lowercase);
    let lengths = vocabulary.lengths.get(usize::from(first)).copied().unwrap_or(0);
    if bytes.len() > LONGEST || lengths & (1 << bytes.len()) == 0 {
        return 0;
    }
    let mut lower = [0_u8; LONGEST];
    let Some(lower) = lower.get_mut(..bytes.len()) else { return 0 };
    for (to, from) in lower.iter_mut().zip(bytes) {
        *to = from.to_ascii_lowercase();
    }
    vocabulary.meanings.get(&*lower).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_ignore_case_and_length() {
        assert_eq!(flags("WARN"), LEVEL);
        assert_ne!(flags("Errno") & CODE, 0);
        assert_eq!(flags("perfectly ordinary words of any length"), 0);
    }

    #[test]
    fn every_word_fits_the_lookup() {
        for (_, words) in WORDS {
            assert_eq!(words.split_whitespace().find(|word| word.len() > LONGEST), None);
        }
    }
}
