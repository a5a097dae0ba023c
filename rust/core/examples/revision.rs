//! `revision [PATH]`: prints the working tree's fingerprint and its content fingerprint, or `unknown` and why.
#![allow(clippy::print_stdout, clippy::disallowed_methods, missing_docs)]

use std::time::{Duration, Instant, SystemTime};

use loop_core::{Host, Revision, Workspace};

fn main() {
    let path = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let directory = |name| std::env::var_os(name).map(Into::into);
    let host =
        Host { clock: SystemTime::now, home: directory("HOME"), config_home: directory("XDG_CONFIG_HOME") };
    match Workspace::new(path, host).revision(Instant::now() + Duration::from_secs(10)) {
        Revision::Known(known) => println!("{} {}", known.revision, known.content),
        Revision::Unknown(reason) => println!("unknown {reason}"),
    }
}
