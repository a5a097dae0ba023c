//! The fields that decide about a record, seen while it is walked, without building it.

use std::borrow::Cow;

use super::build::{MAX_STRING, decode};
use super::policy::{Candidacy, judge};
use super::walk::Field;

/// A timestamp is 24 bytes long; what claims to be one may be longer.
const MAX_TIMESTAMP: usize = 64;

/// The values as they stand in the text; of a repeated field the last one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Glance<'a> {
    pub(super) ts: Option<&'a [u8]>,
    pub(super) event: Option<&'a [u8]>,
    pub(super) level: Option<&'a [u8]>,
    pub(super) will_retry: Option<&'a [u8]>,
    pub(super) error: Option<&'a [u8]>,
}

impl<'a> Glance<'a> {
    pub(super) fn see(&mut self, Field { key, value }: Field<'a>) {
        let slot =
            if key.contains(&b'\\') { self.slot(decode(key, 16).0.as_bytes()) } else { self.slot(key) };
        if let Some(slot) = slot {
            *slot = Some(value);
        }
    }

    fn slot(&mut self, key: &[u8]) -> Option<&mut Option<&'a [u8]>> {
        match key {
            b"ts" => Some(&mut self.ts),
            b"event" => Some(&mut self.event),
            b"level" => Some(&mut self.level),
            b"will_retry" => Some(&mut self.will_retry),
            b"error" => Some(&mut self.error),
            _ => None,
        }
    }

    /// Whether the record names its event, as every record of a log does.
    pub(super) fn has_event(&self) -> bool {
        matches!(self.event, Some([b'"', ..]))
    }

    pub(super) fn candidacy(&self) -> Candidacy {
        let is_error = self.level == Some(b"\"error\"")
            || (self.level.is_some_and(|level| level.contains(&b'\\')) && text(self.level, 16) == "error");
        let gave_up = self.will_retry == Some(b"false");
        if is_error || gave_up {
            judge(&text(self.event, MAX_STRING), is_error, gave_up)
        } else {
            Candidacy::No
        }
    }

    pub(super) fn timestamp(&self) -> Cow<'a, str> {
        text(self.ts, MAX_TIMESTAMP)
    }

    pub(super) fn event_text(&self) -> String {
        text(self.event, MAX_STRING).into_owned()
    }

    /// The error text; `None` if there is none or it is no string.
    pub(super) fn error_text(&self, max: usize) -> Option<String> {
        matches!(self.error, Some([b'"', ..])).then(|| text(self.error, max).into_owned())
    }
}

/// The text of a string value; empty for any other.
fn text(value: Option<&[u8]>, max: usize) -> Cow<'_, str> {
    match value {
        Some([b'"', inner @ .., b'"']) => decode(inner, max).0,
        _ => Cow::Borrowed(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eventlog::walk::walk;

    #[test]
    fn the_last_of_a_repeated_field_counts_however_it_is_spelt() {
        let cases = [
            (r#"{"level":"info","level":"error"}"#, Candidacy::Yes),
            (r#"{"level":"error","level":"info"}"#, Candidacy::No),
            (r#"{"l\u0065vel":"\u0065rror"}"#, Candidacy::Yes),
            (r#"{"level":"error","event":"diagn\u006fsis.failed"}"#, Candidacy::No),
            (r#"{"will_retry":false,"event":["diagnosis.failed"]}"#, Candidacy::Yes),
            (r#"{"nested":{"level":"error"}}"#, Candidacy::No),
            (r#"{"will_retry":"false"}"#, Candidacy::No),
        ];
        for (text, want) in cases {
            let mut glance = Glance::default();
            walk(text.as_bytes(), 0, &mut |field| glance.see(field)).unwrap();
            assert_eq!(glance.candidacy(), want, "{text}");
        }
    }
}
