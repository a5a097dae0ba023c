//! Findings + evidence → the title and body of one issue that can be read, found again, and never obeyed.

mod findings;
mod neutral;
mod prompt;

use thiserror::Error;

use crate::control::{self, Dialect, Keywords, Parsed};
use crate::dossier::Evidence;
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
    // Whatever a deployment listens to, the host's own keywords are broken as well: the issue may be read
    // by another deployment.
    let keywords = options.keywords.with_defaults();
    let safe = |text: &str| neutral::neutral(redactor.scrub(&neutral::plain(text)).as_str(), &keywords);

    let line = safe(&findings.title).split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return Err(ReportError("the findings have no title"));
    }
    let title = clipped(&format!("{TITLE_PREFIX}{line}"), TITLE_MAX_CHARS);

    let section = |text: &str| {
        let text = safe(&clipped(text, SECTION_MAX_CHARS * 2));
        let text = neutral::closed_fences(clipped(text.trim(), SECTION_MAX_CHARS).trim());
        if text.is_empty() { "_Not given._".to_owned() } else { text }
    };
    let environment: Vec<String> = options
        .environment
        .iter()
        .map(|(name, value)| format!("- {}: {}", safe(name), safe(value)))
        .collect();
    let body = format!(
        "## Summary\n\n{summary}\n\n## Root cause hypothesis\n\n{cause}\n\n## Suggested fix\n\n{fix}\n\n\
         ## Trigger\n\n{trigger}\n\n## Environment\n\n{environment}\n\n---\n\n\
         Filed by the self-diagnosis of the-loop from its own event log. Everything above was redacted before it \
         left the machine; the hypothesis and the fix are an agent's and were not verified. Label asked for: \
         `{label}`. This issue starts no work by itself.\n\n{marker}",
        summary = section(&findings.summary),
        cause = section(&findings.root_cause),
        fix = section(&findings.suggested_fix),
        trigger =
            neutral::closed_fences(&neutral::neutral(evidence.render(redactor).as_str().trim(), &keywords)),
        environment = environment.join("\n"),
        label = safe(options.label),
        marker = defect_marker(options.fingerprint),
    );
    let body = control::mark_self_authored(&body);
    checked(&title, &body, &keywords, redactor)
}

/// The last gate: what is wrong here is an error, never a repair.
fn checked(title: &str, body: &str, keywords: &Keywords, redactor: &Redactor) -> Result<Report, ReportError> {
    if body.len() > BODY_MAX_BYTES {
        return Err(ReportError("the body is longer than GitHub takes"));
    }
    let (title, body) = (redactor.scrub(title), redactor.scrub(body));
    if title.as_str().trim() == TITLE_PREFIX.trim() || title.as_str().chars().count() > TITLE_MAX_CHARS {
        return Err(ReportError("the title is empty or too long"));
    }
    for text in [title.as_str(), body.as_str()] {
        for line_start in [text, text.lines().next().unwrap_or_default()] {
            if Dialect::ALL
                .iter()
                .any(|d| control::parse_command(line_start, keywords, *d) != Parsed::Nothing)
            {
                return Err(ReportError("a control command is left in it"));
            }
        }
    }
    if !control::is_self_authored(body.as_str()) || !body.as_str().contains("<!-- the-loop:defect ") {
        return Err(ReportError("a marker was lost"));
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
