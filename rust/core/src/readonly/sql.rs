//! `sqlite3`: listing commands, and one `SELECT` whose functions are all listed.

use super::Why;
use super::programs::refused;
use crate::shell::Word;
use crate::shell::options;

const OPTIONS: &str = "nobundle -readonly -header -noheader -csv -json -column -line -list -markdown -table -box -separator: -nullvalue: -quote -html -batch -bail -version";

/// Dot commands that print.
const PRINTS: &[&str] =
    &[".tables", ".schema", ".indexes", ".indices", ".databases", ".dump", ".show", ".fullschema"];

/// Functions that only compute. Others write files or load code.
const FUNCTIONS: &str = "abs avg char coalesce count cast date datetime strftime julianday time unixepoch dense_rank distinct exists glob \
     group_concat hex ifnull iif in instr json json_array json_extract json_each json_group_array json_object json_array_length length like lower ltrim \
     max min nullif over and or not on when then else as by where having select partition printf format quote random rank replace round row_number rtrim \
     substr substring sum total trim typeof unicode upper values lag lead first_value last_value changes from join using union all except intersect";

/// Judges the arguments of `sqlite3`.
pub(super) fn judge_sqlite(arguments: &[Word]) -> Result<(), Why> {
    let refuse = || Why::Arguments(String::from("sqlite3"));
    let scanned = options::scan(OPTIONS, arguments).map_err(|refusal| refused("sqlite3", refusal))?;
    if scanned.operands.is_empty() && scanned.has("-version") {
        return Ok(());
    }
    // A lone database name would read commands from the input.
    let [database, statements @ ..] = scanned.operands.as_slice() else { return Err(refuse()) };
    if statements.is_empty() || database.splits() {
        return Err(refuse());
    }
    let harmless = |word: &&Word| word.literal().is_some_and(|text| prints(text) || selects(text));
    if statements.iter().all(harmless) { Ok(()) } else { Err(refuse()) }
}

fn prints(text: &str) -> bool {
    let name = text.split_ascii_whitespace().next().unwrap_or_default();
    PRINTS.contains(&name) && !text.contains(['\n', '|', '>', ';'])
}

fn selects(text: &str) -> bool {
    let text = text.trim().trim_end_matches(';').to_ascii_lowercase();
    let starts = text.starts_with("select ")
        || text.starts_with("select\n")
        || text.starts_with("explain query plan select ");
    // Quoted names and comments could hide a function.
    if !starts
        || text.contains([';', '[', '`', '\n'])
        || text.contains("--")
        || text.contains("/*")
        || text.contains('"')
    {
        return false;
    }
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('(') {
        let name = before
            .trim_end()
            .rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .next()
            .unwrap_or_default();
        if !name.is_empty() && !FUNCTIONS.split_ascii_whitespace().any(|one| one == name) {
            return false;
        }
        rest = after;
    }
    true
}

/// What the tests run.
#[cfg(test)]
pub(super) const EXAMPLES: (&[&str], &[&str]) = (
    &[
        "sqlite3 a.db .schema",
        "sqlite3 -header a.db 'select count(*) from t where x in (1,2)'",
        "sqlite3 a.db '.tables'",
    ],
    &[
        "sqlite3 a.db",
        "sqlite3 a.db 'delete from t'",
        "sqlite3 a.db '.shell x'",
        "sqlite3 a.db \"select writefile('o','x')\"",
        "sqlite3 -init a b 'select 1'",
        "sqlite3 a.db 'select load_extension (1)'",
        "sqlite3 a.db 'with x as (select 1) delete from t'",
        "sqlite3 a.db 'select 1; drop table t'",
        "sqlite3 -cmd .x a 'select 1'",
        "sqlite3 a.db '.once |x' 'select 1'",
        "sqlite3 a.db \"vacuum into 'b'\"",
    ],
);
