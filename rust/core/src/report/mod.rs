//! Findings + evidence → the title and body of one issue that can be read, found again, and never obeyed.

mod findings;
mod neutral;
mod prompt;

use thiserror::Error;

use crate::control::{self, Dialect, Keywords, Parsed, parse_command};
use crate::dossier::Evidence;
use crate::redact::Piece::{Fixed, Safe};
use crate::redact::{Redactor, Scrubbed};

pub use findings::{Answer, Findings, FindingsError, FindingsErrorKind, parse_findings};
pub use prompt::agent_prompt;

/// The longest title, in characters; the host's own bound.
pub const TITLE_MAX_CHARS: usize = 120;

/// The longest body, in bytes: GitHub takes 65,536 characters.
pub const BODY_MAX_BYTES: usize = 60_000;

const TITLE_PREFIX: &str = "[self-diagnosed] ";

/// The longest section that an agent may fill, in characters.
const SECTION_MAX_CHARS: usize = 8_000;

/// What a report needs beside findings and evidence.
#[derive(Debug, Clone)]
pub struct ReportOptions<'a> {
    /// The defect's id, `v1:…`: it becomes the hidden marker by which the issue is found again.
    pub fingerprint: &'a str,
    /// The label that is asked for; the body names it because GitHub drops it without triage rights.
    pub label: &'a str,
    /// Names and values that describe the installation (`the-loop-core 0.1.0`), shown under Environment.
    pub environment: &'a [(String, String)],
    /// The deployment's control keywords.
    pub keywords: &'a Keywords,
}

/// A report that may be posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// At most [`TITLE_MAX_CHARS`] characters.
    pub title: Scrubbed,
    /// At most [`BODY_MAX_BYTES`] bytes of Markdown.
    pub body: Scrubbed,
}

/// Why a report could not be built in full; nothing may be posted.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("the report could not be built: {0}")]
pub struct ReportError(&'static str);

/// The hidden marker by which the issue of a defect is found again.
#[must_use]
pub fn defect_marker(fingerprint: &str) -> String {
    let id: String =
        fingerprint.chars().filter(|c| c.is_ascii_alphanumeric() || *c == ':').take(80).collect();
    format!("<!-- the-loop:defect {id} -->")
}

/// Composes the issue for one defect.
///
/// # Errors
/// [`ReportError`] when anything is left that must not be posted: an empty title, a control command in either
/// dialect, a body over GitHub's bound.
pub fn compose_issue(
    findings: &Findings,
    evidence: &Evidence,
    options: &ReportOptions<'_>,
    redactor: &Redactor,
) -> Result<Report, ReportError> {
    // Whatever this deployment listens to, the host's own keywords are broken as well: another deployment
    // may read the issue.
    let keywords = options.keywords.with_defaults();
    let neutral = |text: &Scrubbed| text.rewritten(neutral::neutral);
    let defanged = |text: &str| control::defang(text, &keywords);
    let safe = |text: &str| neutral(&redactor.scrub(&neutral::plain(text)));

    let title = title(&safe(&findings.title).rewritten(defanged))?;
    let section = |text: &str| {
        let text = safe(&clipped(text, SECTION_MAX_CHARS * 2));
        let text =
            text.rewritten(|text| neutral::closed_fences(clipped(text.trim(), SECTION_MAX_CHARS).trim()));
        if text.as_str().is_empty() { fixed("_Not given._") } else { text }
    };
    let environment = options.environment.iter().fold(Scrubbed::default(), |list, (name, value)| {
        let (name, value) = (safe(name), safe(value));
        let line = [Fixed("- "), Safe(&name), Fixed(": "), Safe(&value), Fixed("\n")];
        Scrubbed::compose([Safe(&list)].into_iter().chain(line))
    });
    let body = Scrubbed::compose([
        Fixed("## Summary\n\n"),
        Safe(&section(&findings.summary)),
        Fixed("\n\n## Root cause hypothesis\n\n"),
        Safe(&section(&findings.root_cause)),
        Fixed("\n\n## Suggested fix\n\n"),
        Safe(&section(&findings.suggested_fix)),
        Fixed("\n\n## Trigger\n\n"),
        Safe(&neutral(&evidence.render(redactor)).rewritten(|text| neutral::closed_fences(text.trim()))),
        Fixed("\n\n## Environment\n\n"),
        // Seen by a reader, and by a search index that passes over comments.
        Fixed("- found again by: `the-loop:defect "),
        Safe(&safe(options.fingerprint)),
        Fixed("`\n"),
        Safe(&environment),
        Fixed(ATTRIBUTION),
        Safe(&safe(options.label)),
        Fixed("`. This issue starts no work by itself.\n\n"),
    ]);
    let body = body.rewritten(|body| {
        control::mark_self_authored(&format!("{}{}\n", defanged(body), defect_marker(options.fingerprint)))
    });
    checked(title, body, &keywords)
}

/// Stands above the label's name.
const ATTRIBUTION: &str = "\n---\n\nFiled by the self-diagnosis of the-loop from its own event log. Everything above \
    was redacted before it left the machine; the hypothesis and the fix are an agent's and were not verified. Label \
    asked for: `";

fn fixed(words: &'static str) -> Scrubbed {
    Scrubbed::compose([Fixed(words)])
}

fn title(line: &Scrubbed) -> Result<Scrubbed, ReportError> {
    let line = line.rewritten(|line| {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        clipped(&line, TITLE_MAX_CHARS - TITLE_PREFIX.len())
    });
    if line.as_str().is_empty() {
        return Err(ReportError("the findings have no title"));
    }
    Ok(Scrubbed::compose([Fixed(TITLE_PREFIX), Safe(&line)]))
}

/// The last gate: what is wrong here is an error, never a repair.
fn checked(title: Scrubbed, body: Scrubbed, keywords: &Keywords) -> Result<Report, ReportError> {
    if body.as_str().len() > BODY_MAX_BYTES {
        return Err(ReportError("the body is longer than GitHub takes"));
    }
    let commands =
        |text: &str| Dialect::ALL.iter().any(|d| parse_command(text, keywords, *d) != Parsed::Nothing);
    if commands(title.as_str()) || commands(body.as_str()) {
        return Err(ReportError("a control command is left in it"));
    }
    if body.as_str().matches("<!--").count() != 2 || !control::is_self_authored(body.as_str()) {
        return Err(ReportError("its markers are not the two of ours"));
    }
    Ok(Report { title, body })
}

/// The first `most` characters, with an ellipsis in place of the last one where something was cut.
fn clipped(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
