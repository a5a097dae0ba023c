//! Stack frames: dropped, because depth, paths and line numbers change between two occurrences of one defect.
//! The function it came from is kept where it is known for sure, and where an exception says nothing but its class.

/// The lines that are message, and the innermost function of the project's own code, if a stack names one.
pub(super) struct Unwound<'a> {
    pub(super) lines: Vec<&'a str>,
    pub(super) function: Option<&'a str>,
    /// Whether the stack names its innermost frame last, as Python's do. Depth then varies at the other end, and
    /// the function is as reliable as the message.
    pub(super) innermost_last: bool,
}

/// Which kind of stack the line before belonged to.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Message,
    /// Source lines under a Python `File "…"`, which stood at this indentation.
    Python(usize),
    /// A Python `File "…"` that a terminal broke before its line number.
    BrokenPython(usize),
    /// A frame that a terminal broke inside its parentheses.
    BrokenFrame,
    /// After the first `goroutine N [state]:`, before its first function was seen.
    Go,
    /// A `note: run with …` that a terminal broke.
    Note,
}

/// Takes the frames out of `lines`, whose log prefixes are gone.
pub(super) fn unwind<'a>(lines: &[&'a str]) -> Unwound<'a> {
    let mut kept = Vec::with_capacity(lines.len());
    let mut stack = Stack { inside: Inside::Message, innermost: None, outward: false };
    for (i, line) in lines.iter().enumerate() {
        let next = lines.get(i + 1).copied().unwrap_or_default();
        if !stack.takes(line, next) {
            kept.push(*line);
        }
    }
    Unwound { lines: kept, function: stack.innermost, innermost_last: !stack.outward }
}

struct Stack<'a> {
    inside: Inside,
    innermost: Option<&'a str>,
    /// Whether the stack being read names its innermost frame first.
    outward: bool,
}

impl<'a> Stack<'a> {
    fn takes(&mut self, line: &'a str, next: &str) -> bool {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        match self.inside {
            Inside::BrokenPython(depth) => {
                self.inside = if text.contains("line ") { Inside::Python(depth) } else { self.inside };
                if let Some((_, function)) = text.rsplit_once(", in ") {
                    self.saw(function, text, false);
                }
                return true;
            }
            Inside::BrokenFrame => {
                if text.contains(')') {
                    self.inside = Inside::Message;
                }
                return true;
            }
            Inside::Note => {
                self.inside = Inside::Message;
                if text.ends_with("backtrace") || text.ends_with("backtrace.") {
                    return true;
                }
            }
            Inside::Python(depth) if indent > depth && !text.starts_with("File \"") => return true,
            _ => {}
        }
        if !matches!(self.inside, Inside::Go) {
            self.inside = Inside::Message;
        }
        self.python(text, indent)
            || self.at_frame(text, indent)
            || self.go(text, next)
            || self.native(text, indent)
            || is_noise(text)
    }

    /// Remembers a frame's function: the last of an inward stack, the first of an outward one.
    fn saw(&mut self, function: &'a str, place: &str, outward: bool) {
        if is_library(place) || function.is_empty() {
            return;
        }
        if !outward || self.innermost.is_none() || !self.outward {
            self.innermost = Some(function);
        }
        self.outward = outward;
    }

    fn python(&mut self, text: &'a str, indent: usize) -> bool {
        let Some(place) = text.strip_prefix("File \"") else { return false };
        let Some((path, after)) = place.split_once("\", line ") else {
            let broken = !place.contains('"') || place.trim_end().ends_with("\",") || place.ends_with("line");
            if broken {
                self.inside = Inside::BrokenPython(indent);
            }
            return broken;
        };
        self.inside = Inside::Python(indent);
        if let Some((_, function)) = after.split_once(", in ") {
            self.saw(function.trim(), path, false);
        }
        true
    }

    /// `at f (file:1:2)` of JavaScript, `at a.b.C.f(C.java:1)` of Java, `at N.C.F(T x) in f:line 1` of .NET.
    fn at_frame(&mut self, text: &'a str, indent: usize) -> bool {
        let Some(frame) = text.strip_prefix("at ").filter(|_| indent > 0) else {
            return is_elided(text, indent);
        };
        let frame = frame.trim_end_matches([' ', '{', ',']);
        let frame = frame.strip_prefix("async ").unwrap_or(frame);
        let numbered = frame.rsplit(':').next().is_some_and(|n| {
            let n = n.trim_end_matches(')').trim_start_matches("line ");
            !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())
        });
        let Some((function, rest)) = frame.split_once('(') else {
            return numbered || frame.ends_with("<anonymous>");
        };
        let code = rest.contains(':')
            || rest.contains(".java")
            || rest.contains("Native")
            || rest.contains("Unknown");
        let dotnet = function.contains('.') && !function.contains(' ');
        if !(numbered || code || dotnet || rest.starts_with("<anonymous>")) {
            return false;
        }
        if !rest.contains(')') {
            self.inside = Inside::BrokenFrame;
        }
        let place = if function.contains('.') && !function.contains(' ') { function } else { rest };
        self.saw(function.trim_end(), place, true);
        true
    }

    /// `pkg.F(0x1, …)` followed by a tab and `file.go:1 +0x2`, under `goroutine N [state]:`.
    fn go(&mut self, text: &'a str, next: &str) -> bool {
        if text.starts_with("goroutine ") && text.ends_with(':') {
            self.inside = if self.innermost.is_none() { Inside::Go } else { Inside::Message };
            return true;
        }
        if next.starts_with('\t') && next.contains(".go:") || is_offset(next) && text.ends_with(')') {
            let function = text.rfind('(').and_then(|end| text.get(..end)).unwrap_or(text);
            let runtime =
                ["runtime.", "panic", "created by", "testing."].iter().any(|own| text.starts_with(own));
            if self.inside == Inside::Go && !runtime {
                self.saw(function, "", true);
                self.inside = Inside::Message;
            }
            return true;
        }
        is_offset(text)
    }

    /// Rust and C backtraces, Ruby's `from`, PHP's `#0`, `stack backtrace:` and the like.
    fn native(&mut self, text: &'a str, indent: usize) -> bool {
        if text.starts_with("note: run with `RUST_BACKTRACE")
            || text.starts_with("note: Some details are omitted")
        {
            if !text.ends_with("backtrace") && !text.ends_with("backtrace.") {
                self.inside = Inside::Note;
            }
            return true;
        }
        let numbered = text.split_once(": ").is_some_and(|(n, rest)| {
            indent > 0
                && !n.is_empty()
                && n.bytes().all(|b| b.is_ascii_digit())
                && !rest.contains(' ') | rest.starts_with("0x") | rest.starts_with('<')
        });
        let ruby = indent > 0 && text.starts_with("from ") && text.contains(":in ");
        let hash = text.strip_prefix('#').is_some_and(|t| {
            let rest = t.trim_start_matches(|c: char| c.is_ascii_digit());
            let frame = rest.trim_start();
            rest.len() < t.len()
                && rest.starts_with(' ')
                && (frame.starts_with("0x")
                    || frame.starts_with("{main}")
                    || frame.contains("(): ")
                    || frame.starts_with('/') && frame.contains("): ")
                    || frame.starts_with("[internal function]"))
        });
        let located = indent > 6 && text.starts_with("at ") && text.contains(".rs:");
        numbered || ruby || hash || located
    }
}

fn is_offset(text: &str) -> bool {
    text.rsplit_once(' ').is_some_and(|(place, offset)| offset.starts_with("+0x") && place.contains(':'))
}

fn is_elided(text: &str, indent: usize) -> bool {
    indent > 0 && text.starts_with("... ") && (text.ends_with(" more") || text.ends_with("frames omitted"))
}

/// Lines that say only that a stack follows.
fn is_noise(text: &str) -> bool {
    const WHOLE: [&str; 7] = [
        "Traceback (most recent call last):",
        "stack backtrace:",
        "Stack trace:",
        "[stack trace]",
        "The above exception was the direct cause of the following exception:",
        "During handling of the above exception, another exception occurred:",
        "}",
    ];
    WHOLE.contains(&text)
        || text.starts_with("[Previous line repeated ")
        || (text.len() > 2 && text.bytes().all(|b| matches!(b, b'^' | b'~' | b' ')))
}

/// Whether a frame's place is in a language's own library or an installed package.
fn is_library(place: &str) -> bool {
    const PLACES: [&str; 12] = [
        "site-packages", "dist-packages", "/lib/python", "\\Lib\\", "node:", "node_modules", "java.",
        "javax.", "sun.", "jdk.", "kotlin.", "<frozen",
    ];
    PLACES.iter().any(|part| place.contains(part))
}
