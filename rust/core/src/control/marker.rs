//! The mark by which the host knows its own text and drops it at ingress.

/// The hidden marker: a body that holds it was written by the-loop.
pub const SELF_AUTHORED_MARKER: &str = "<!-- the-loop:agent-comment -->";

/// The attribution that a reader sees above the marker.
const ATTRIBUTION: &str = "🤖 _the-loop, autonomous comment_";

/// Whether the-loop wrote this body.
#[must_use]
pub fn is_self_authored(body: &str) -> bool {
    body.contains(SELF_AUTHORED_MARKER)
}

/// Adds the visible attribution and the hidden marker; a body that has the marker comes back as it was.
#[must_use]
pub fn mark_self_authored(body: &str) -> String {
    if is_self_authored(body) {
        return body.to_owned();
    }
    format!("{}\n\n{ATTRIBUTION}\n{SELF_AUTHORED_MARKER}\n", body.trim_end())
}
