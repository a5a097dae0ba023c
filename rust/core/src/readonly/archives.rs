//! Readers of archives, compressed files, keys and certificates.

use super::Why;
use super::programs::refused;
use super::table::{Operands, Reader};
use crate::shell::Word;
use crate::shell::options::{self, Scanned, Value};

/// Archives and keys.
pub(super) const READERS: &[Reader] = &[
    Reader {
        commands: "zcat|gzcat|bzcat|xzcat|lzcat|zstdcat|lz4cat",
        options: "-f -q -v -l --force --quiet --verbose --list",
        operands: Operands::Any,
        yes: &["zcat a.gz"],
        no: &["zcat --rm a.gz", "zstdcat -o b a.zst"],
    },
    Reader {
        commands: "gzip|gunzip|pigz|bzip2|bunzip2|xz|unxz|lzma|unlzma|zstd|unzstd",
        options: "-# -l -t -c -d -v -q -k -n -N --list --test --stdout --to-stdout --decompress --uncompress --verbose --quiet --keep",
        operands: Operands::Check(unpacks_nothing),
        yes: &["gzip -t a.gz", "gzip -dc a.gz", "xz -l a.xz", "zstd -dc a.zst"],
        no: &[
            "gzip a", "gunzip a.gz", "xz -d a.xz", "zstd -c --rm a", "zstd a -o b", "bzip2 -k a",
            "bzip2 -t -d a", "lz4 -l a",
        ],
    },
    Reader {
        commands: "unzip",
        options: "-l -v -Z -1 -t -q -p -c -C -a",
        operands: Operands::With("-l -v -Z -t -p -c"),
        yes: &["unzip -l a.zip", "unzip -p a.zip b.txt", "unzip -qt a.zip"],
        no: &["unzip a.zip", "unzip -q a.zip", "unzip -o a.zip", "unzip -l a.zip -d b"],
    },
    Reader {
        commands: "zipinfo|lsar|lsdiff",
        options: "-1 -2 -s -m -l -v -h -t -z -T",
        operands: Operands::Any,
        yes: &["zipinfo -1 a.zip"],
        no: &["zipinfo a.zip > l"],
    },
    Reader {
        commands: "7z|7za|7zz",
        options: "-slt -ba",
        operands: Operands::Check(|scanned| matches!(scanned.operand(0), Some("l" | "t"))),
        yes: &["7z l a.7z"],
        no: &["7z x a.7z", "7z a b.7z c", "7z l -ob a.7z"],
    },
    Reader {
        commands: "ar|gar",
        options: "-t -p -v -O",
        operands: Operands::Check(|scanned| {
            let is_key = |key: &str| key.starts_with(['t', 'p']) && key.bytes().all(|b| b"tpvO".contains(&b));
            scanned.has("-t -p") || scanned.operand(0).is_some_and(is_key)
        }),
        yes: &["ar t a.a", "ar -t a.a", "ar tv a.a", "ar p a.a b.o"],
        no: &["ar x a.a", "ar rcs a.a b.o", "ar d a.a b.o", "ar t --plugin x a.a"],
    },
    Reader {
        commands: "cpio",
        options: "-t -v -n --list --verbose --quiet --numeric-uid-gid",
        operands: Operands::With("-t --list"),
        yes: &["cpio -t"],
        no: &["cpio -i", "cpio -o", "cpio -it", "cpio -t -O x"],
    },
    Reader {
        commands: "ssh-keygen",
        options: "-l -v -f: -E: -B",
        operands: Operands::With("-l -B"),
        yes: &["ssh-keygen -lf a.pub", "ssh-keygen -E md5 -l -f a.pub"],
        no: &["ssh-keygen -f a", "ssh-keygen -R host", "ssh-keygen -t rsa -f a"],
    },
    Reader {
        commands: "openssl x509|openssl req|openssl crl|openssl pkcs7|openssl asn1parse",
        options: "nobundle -in: -noout -text -subject -issuer -dates -enddate -startdate -serial -fingerprint -sha256 -sha1 -md5 -inform: -ext: \
                  -pubkey -purpose -modulus -hash -nameopt: -certopt: -checkend: -checkhost: -verify -i -email -print_certs -nextupdate",
        operands: Operands::With("-noout -text -i -print_certs -in"),
        yes: &["openssl x509 -in a.pem -noout -enddate", "openssl req -in a.csr -noout -text"],
        no: &[
            "openssl x509 -in a -out b",
            "openssl req -new -key a",
            "openssl x509 -engine ./x -in a -noout",
        ],
    },
    Reader {
        commands: "openssl dgst|openssl md5|openssl sha1|openssl sha256|openssl sha512|openssl verify|openssl ciphers|openssl list|\
                   openssl errstr|openssl prime",
        options: "nobundle -sha1 -sha256 -sha384 -sha512 -md5 -hex -r -c -v -V -s -CAfile: -CApath: -untrusted: -verbose",
        operands: Operands::Any,
        yes: &["openssl dgst -sha256 a", "openssl verify -CAfile ca.pem a.pem"],
        no: &[
            "openssl dgst -engine ./x.so a",
            "openssl dgst -out b a",
            "openssl genrsa -out k 2048",
            "openssl enc -d -in a",
        ],
    },
    Reader {
        commands: "openssl version",
        options: "-a -v -d",
        operands: Operands::AtMost(0),
        yes: &["openssl version -a"],
        no: &["openssl version b"],
    },
];

/// Without `-c` a later `-d` replaces an earlier `-t` or `-l`.
fn unpacks_nothing(scanned: &Scanned) -> bool {
    scanned.has("-c --stdout --to-stdout")
        || (scanned.has("-l -t --list --test") && !scanned.has("-d --decompress --uncompress"))
}

/// Listing an archive.
const TAR: &str = "-t -v -z -j -J -a -f: -C: --list --verbose --gzip --bzip2 --xz --zstd --file: --directory: --exclude: --wildcards \
     --full-time --numeric-owner --auto-compress --utc --quoting-style: --strip-components: --no-recursion";

/// `tar` takes its first word as options even without a dash.
pub(super) fn judge_tar(name: &str, arguments: &[Word]) -> Result<(), Why> {
    let mut arguments = arguments.to_vec();
    if let Some(first) = arguments.first_mut() {
        let text = first.literal().ok_or_else(|| Why::DynamicOption(name.to_owned()))?;
        if !text.starts_with('-') {
            // In the old style the values follow in order, so only a trailing `f` reads the same way.
            if text.find('f').is_some_and(|at| at + 1 != text.len()) {
                return Err(Why::Arguments(name.to_owned()));
            }
            *first = Word::text(format!("-{text}"));
        }
    }
    let scanned = options::scan(TAR, &arguments).map_err(|refusal| refused(name, refusal))?;
    // `host:file` is fetched by running a remote shell.
    let remote = scanned.values("-f --file").any(|file| match file {
        Value::Text(text) => text.contains(':'),
        Value::Unknown | Value::Absent => true,
    });
    if scanned.has("-t --list") && !remote { Ok(()) } else { Err(Why::Arguments(name.to_owned())) }
}

/// What the tests of this file run for `tar`.
#[cfg(test)]
pub(super) const TAR_EXAMPLES: (&[&str], &[&str]) = (
    &["tar tf a.tar", "tar -tzvf a.tgz", "tar --list --file=a.tar"],
    &[
        "tar xf a.tar",
        "tar tf a.tar -I sh",
        "tar tf host:a.tar",
        "tar -tf a.tar --to-command=sh",
        "tar tvf a --index-file=x",
        "tar ft a",
    ],
);
