//! What the file system says of a file without opening it, and when that can be trusted.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rustix::fs::{FileType, Stat};

use super::index::mode;

/// File times advance in ticks of the kernel's clock, 1 to 10 ms apart: a file changed twice in one tick
/// can look unchanged. A time is trusted when it is this much older than the moment of reading.
pub(super) const TICK: Duration = Duration::from_millis(20);
/// The same for file systems that keep whole seconds or two.
const COARSE_TICK: Duration = Duration::from_secs(2);

/// A point in time since the epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct FileTime {
    pub(super) secs: i64,
    pub(super) nanos: u32,
}

impl FileTime {
    fn as_nanos(self) -> i128 {
        i128::from(self.secs) * 1_000_000_000 + i128::from(self.nanos)
    }
}

/// Everything of `stat` that changes when a file's content, type or mode does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) mtime: FileTime,
    pub(super) ctime: FileTime,
    pub(super) ino: u64,
    pub(super) size: u64,
    pub(super) mode: u32,
}

impl Stamp {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::unnecessary_cast,
        reason = "the field types differ by platform; nanoseconds and sizes are never negative"
    )]
    pub(super) fn of(stat: &Stat) -> Self {
        let time = |secs, nanos| FileTime { secs, nanos };
        Self {
            mtime: time(stat.st_mtime as i64, stat.st_mtime_nsec as u32),
            ctime: time(stat.st_ctime as i64, stat.st_ctime_nsec as u32),
            ino: stat.st_ino as u64,
            size: stat.st_size as u64,
            mode: stat.st_mode as u32,
        }
    }

    /// A file, link or directory; anything else is of no known type.
    pub(super) fn file_type(&self) -> FileType {
        match self.mode & 0o170_000 {
            mode::FILE_TYPE => FileType::RegularFile,
            mode::SYMLINK => FileType::Symlink,
            mode::DIRECTORY => FileType::Directory,
            _ => FileType::Unknown,
        }
    }

    /// How long until a further change would be sure to show; zero where it would already.
    pub(super) fn settles_in(&self, now: SystemTime) -> Duration {
        let tick = if self.mtime.nanos == 0 && self.ctime.nanos == 0 { COARSE_TICK } else { TICK };
        let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let changed = u128::try_from(self.mtime.max(self.ctime).as_nanos()).unwrap_or(0);
        // A time in the future cannot be waited for, and a change now would not be given it either.
        let Some(age) = now.checked_sub(changed) else {
            return if changed - now < tick.as_nanos() { tick } else { Duration::ZERO };
        };
        tick.saturating_sub(Duration::from_nanos(u64::try_from(age).unwrap_or(u64::MAX)))
    }
}

/// The end of the time that a call may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline(pub(super) Instant);

impl Deadline {
    pub(super) fn has_passed(self) -> bool {
        Instant::now() >= self.0
    }

    pub(super) fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(nanos: u32) -> Stamp {
        let time = FileTime { secs: 1_000, nanos };
        Stamp { mtime: FileTime { secs: 10, nanos: 0 }, ctime: time, ino: 1, size: 1, mode: 0o100_644 }
    }

    fn at(millis: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_000) + Duration::from_millis(millis)
    }

    #[test]
    fn a_change_settles_one_tick_later() {
        let changed = stamp(5_000_000);
        assert_eq!(changed.settles_in(at(5)), TICK);
        assert_eq!(changed.settles_in(at(15)), Duration::from_millis(10));
        assert_eq!(changed.settles_in(at(25)), Duration::ZERO);
    }

    #[test]
    fn whole_seconds_settle_after_two() {
        assert_eq!(stamp(0).settles_in(at(500)), Duration::from_millis(1500));
    }

    #[test]
    fn a_clock_a_tick_behind_waits_and_a_far_future_does_not() {
        assert_eq!(stamp(5_000_000).settles_in(at(0)), TICK);
        assert_eq!(stamp(900_000_000).settles_in(at(0)), Duration::ZERO);
    }
}
