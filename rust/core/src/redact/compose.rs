//! Building scrubbed text out of scrubbed pieces and words that stand in this crate's source.

use super::Scrubbed;

/// One piece of a composed text.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Piece<'a> {
    /// Words of ours: compiled in, so they hold nothing of the machine, whatever its user is called.
    Fixed(&'static str),
    /// Text that was scrubbed.
    Safe(&'a Scrubbed),
}

impl Scrubbed {
    /// The pieces in a row.
    pub(crate) fn compose<'a>(pieces: impl IntoIterator<Item = Piece<'a>>) -> Self {
        let mut whole = Self::default();
        for piece in pieces {
            match piece {
                Piece::Fixed(words) => whole.text.push_str(words),
                Piece::Safe(safe) => {
                    whole.text.push_str(&safe.text);
                    for (kind, count) in &safe.counts {
                        *whole.counts.entry(kind).or_default() += count;
                    }
                }
            }
        }
        whole
    }

    /// The same text after `rewrite`, which may only drop or break up what is there: what was masked stays so.
    pub(crate) fn rewritten(&self, rewrite: impl FnOnce(&str) -> String) -> Self {
        Self { text: rewrite(&self.text), counts: self.counts.clone() }
    }
}
