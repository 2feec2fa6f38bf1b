//! Changes of a configuration file that people write by hand: the lines that are about them, and nothing else. What reads
//! differently afterwards than was wanted is not written.

use std::{fs, io, io::Write as _, os::unix::fs::OpenOptionsExt as _, path::Path};

use serde_json::Value as Json;
use teammate::platform::read_regular_text;
use toml::{Table, Value};

/// A text of the file that is to be another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    /// Below which table; the top of the file without one.
    pub(super) table: Option<String>,
    pub(super) key: &'static str,
    /// Nothing takes the key away.
    pub(super) value: Option<String>,
}

impl Edit {
    pub(super) fn top(key: &'static str, value: &str) -> Self {
        Self {
            table: None,
            key,
            value: Some(value.to_owned()),
        }
    }

    /// Of the table `[providers.NAME]`.
    pub(super) fn of_provider(name: &str, key: &'static str, value: Option<&str>) -> Self {
        Self {
            table: Some(format!("providers.{name}")),
            key,
            value: value.map(str::to_owned),
        }
    }

    /// The line of the file; nothing if it takes one away.
    fn line(&self) -> Option<String> {
        let value = self.value.as_ref()?;
        // A string of JSON is one of TOML, too.
        Some(format!("{} = {}", self.key, Json::from(value.as_str())))
    }
}

/// The text of the configuration file; empty where there is none.
///
/// Errors: it cannot be read.
pub(super) fn read(path: &Path) -> io::Result<String> {
    match read_regular_text(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

/// The text with these changes.
///
/// Errors: it is written in a way that is not understood here; what to write by hand.
pub(super) fn changed(text: &str, edits: &[Edit]) -> Result<String, String> {
    let parsed = |text: &str| toml::from_str::<Table>(text).ok();
    let wanted = parsed(text).and_then(|table| in_table(table, edits));
    let new = edits
        .iter()
        .fold(text.to_owned(), |text, edit| apply(&text, edit));
    match wanted {
        Some(wanted) if parsed(&new).as_ref() == Some(&wanted) => Ok(new),
        Some(_) | None => Err(format!(
            "the configuration file is written in a way that is not changed from here. Write this into it:\n{}",
            by_hand(edits)
        )),
    }
}

/// Puts the text in the place of the file at once. A new file is for its owner's eyes only.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    // Behind a link is the file that is meant.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let known = fs::metadata(&path).ok().map(|known| known.permissions());
    let new = path.with_extension(format!("toml.{}", std::process::id()));
    write_private(&new, text)?;
    if let Some(known) = known {
        fs::set_permissions(&new, known)?;
    }
    fs::rename(&new, &path)
}

/// A new file that only its owner may read, with the directories above it.
pub(super) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    if let Some(above) = path.parent() {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(above)?;
    }
    let _ = fs::remove_file(path);
    let mut options = fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// The values with the changes; nothing if something is no table that has to be one.
fn in_table(mut table: Table, edits: &[Edit]) -> Option<Table> {
    for edit in edits {
        let mut below = &mut table;
        for name in edit.table.iter().flat_map(|name| name.split('.')) {
            if edit.value.is_none() && !below.contains_key(name) {
                break;
            }
            let entry = below
                .entry(name)
                .or_insert_with(|| Value::Table(Table::new()));
            below = entry.as_table_mut()?;
        }
        match &edit.value {
            Some(value) => below.insert(edit.key.to_owned(), Value::from(value.as_str())),
            None => below.remove(edit.key),
        };
    }
    Some(table)
}

fn apply(text: &str, edit: &Edit) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let part = part_of(&lines, edit.table.as_deref());
    let line = edit.line();
    match part {
        Some((begin, end)) => {
            let found = (begin..end).find(|at| is_of(&lines[*at], edit.key));
            match (found, line) {
                (Some(at), Some(line)) => lines[at] = format!("{line}{}", comment(&lines[at])),
                (Some(at), None) => {
                    lines.remove(at);
                }
                (None, Some(line)) => lines.insert(last_of(&lines, begin, end), line),
                (None, None) => {}
            }
        }
        None => {
            if let (Some(table), Some(line)) = (&edit.table, line) {
                if !lines.is_empty() {
                    lines.push(String::new());
                }
                lines.extend([format!("[{table}]"), line]);
            }
        }
    }
    match lines.is_empty() {
        true => String::new(),
        false => lines.join("\n") + "\n",
    }
}

/// The lines of a table, without its heading; those before all headings are the top.
fn part_of(lines: &[String], table: Option<&str>) -> Option<(usize, usize)> {
    let is_heading = |line: &String| line.trim_start().starts_with('[');
    let begin = match table {
        None => 0,
        Some(table) => {
            1 + lines
                .iter()
                .position(|line| heading(line) == Some(table.to_owned()))?
        }
    };
    let end = lines[begin..].iter().position(is_heading);
    Some((begin, end.map_or(lines.len(), |end| begin + end)))
}

/// The name in a heading: `[providers."local"]` is `providers.local`.
fn heading(line: &str) -> Option<String> {
    let name = line.trim_start().strip_prefix('[')?;
    let (name, _) = name.split_once(']')?;
    let is_part = |c: &char| !c.is_whitespace() && !matches!(c, '"' | '\'');
    Some(name.chars().filter(is_part).collect())
}

fn is_of(line: &str, key: &str) -> bool {
    let rest = line.trim_start().strip_prefix(key);
    rest.is_some_and(|rest| rest.trim_start().starts_with('='))
}

/// The comment behind a value, with the blanks before it.
fn comment(line: &str) -> &str {
    let Some((_, value)) = line.split_once('=') else {
        return "";
    };
    let value = value.trim_start();
    let rest = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => value.get(1..).and_then(|value| value.split_once(quote)),
        Some(_) | None => Some(("", value)),
    };
    let rest = rest.map_or("", |(_, rest)| rest);
    let before = rest.split_once('#').map(|(before, _)| before.trim_end());
    before
        .and_then(|before| rest.strip_prefix(before))
        .unwrap_or_default()
}

/// Behind the last value of a part; at the top also behind the comment that the file begins with.
fn last_of(lines: &[String], begin: usize, end: usize) -> usize {
    let part = &lines[begin..end];
    let is_value = |line: &String| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    if let Some(last) = part.iter().rposition(is_value) {
        return begin + last + 1;
    }
    let is_comment = |line: &&String| line.trim_start().starts_with('#');
    match part.iter().take_while(is_comment).count() {
        // A comment that a heading follows is about that.
        count if begin + count == end && end < lines.len() => begin,
        count => begin + count,
    }
}

/// The changes as somebody writes them.
fn by_hand(edits: &[Edit]) -> String {
    let mut text = String::new();
    let mut table: Option<&String> = None;
    for edit in edits {
        let Some(line) = edit.line() else { continue };
        if edit.table.as_ref() != table {
            table = edit.table.as_ref();
            text.push_str(&table.map(|name| format!("[{name}]\n")).unwrap_or_default());
        }
        text.push_str(&format!("{line}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const BY_HAND: &str = "\
# Mine.
model = \"openai:gpt-6\"   # the quick one
max_rounds = 7

# The machine below the desk.
[providers.local]
wire = \"openai\"
base_url = \"http://desk:8080\"
key_env = \"DESK_KEY\"

[sandbox]
caches = [
  \"cargo\",
]
";

    fn edits() -> Vec<Edit> {
        vec![
            Edit::top("model", "local:qwen"),
            Edit::top("permission_mode", "ask"),
            Edit::of_provider("local", "base_url", Some("http://desk:9")),
            Edit::of_provider("local", "key_env", None),
            Edit::of_provider("local", "key_command", Some("cat 'a \"b\"'")),
        ]
    }

    #[test]
    fn only_the_lines_that_are_meant_are_others() {
        let expected = BY_HAND
            .replace("\"openai:gpt-6\"", "\"local:qwen\"")
            .replace(
                "max_rounds = 7\n",
                "max_rounds = 7\npermission_mode = \"ask\"\n",
            )
            .replace("http://desk:8080", "http://desk:9")
            .replace("key_env = \"DESK_KEY\"", "key_command = KEY");
        let new = changed(BY_HAND, &edits()).unwrap();
        let (before, after) = expected.split_once("KEY").unwrap();
        assert!(new.starts_with(before) && new.ends_with(after), "{new}");
        let read: Table = toml::from_str(&new).unwrap();
        let key = &read["providers"]["local"]["key_command"];
        assert_eq!(key.as_str(), Some("cat 'a \"b\"'"));
    }

    #[test]
    fn a_new_file_has_what_was_said_and_what_is_there_already_stays() {
        let new = changed("", &edits()).unwrap();
        assert!(new.starts_with(
            "model = \"local:qwen\"\npermission_mode = \"ask\"\n\n[providers.local]\n"
        ));
        assert_eq!(changed(&new, &edits()).unwrap(), new);
    }

    #[test]
    fn a_file_that_is_written_in_another_way_is_left_alone() {
        for text in [
            "providers.local.wire = \"openai\"\n",
            "model = \"\"\"\na\"\"\"\n",
            "note = \"\"\"\nmodel = 1\n\"\"\"\n",
            "providers = { local = { wire = \"chat\" } }\n",
            "broken = \n",
        ] {
            let why = changed(text, &edits()).unwrap_err();
            assert!(why.contains("model = \"local:qwen\""), "{text}\n{why}");
            assert!(why.contains("[providers.local]\nbase_url ="), "{why}");
        }
    }
}
