//! Front matter: the lines between two `---` at the beginning of a text, as `key: value`.
//!
//! Not YAML, but what people write there: text in one line or several, quoted or not, and lists of words. A colon within a
//! value is not an error, as it would be for a YAML parser in half of all such files. Deeper nesting is skipped.

use std::collections::BTreeMap;

/// A text with its front matter taken off.
#[derive(Debug, PartialEq, Eq)]
pub struct FrontMatter {
    fields: BTreeMap<String, Value>,
    /// The text after the front matter.
    pub body: String,
}

#[derive(Debug, PartialEq, Eq)]
enum Value {
    Text(String),
    List(Vec<String>),
    /// A nested value, which is not read.
    Other,
}

impl FrontMatter {
    /// Reads it; an error is what is wrong, with the line.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.split('\n');
        if lines.next().map(str::trim_end) != Some("---") {
            return Err("has no front matter: its first line must be ---".to_owned());
        }
        let mut head = Vec::new();
        loop {
            match lines.next() {
                Some(line) if line.trim_end() == "---" => break,
                Some(line) => head.push(line.trim_end()),
                None => {
                    return Err(
                        "has front matter without an end: a second --- is missing".to_owned()
                    );
                }
            }
        }
        let body: Vec<&str> = lines.collect();
        Ok(Self {
            fields: fields(&head)?,
            body: body.join("\n").trim().to_owned(),
        })
    }

    /// All keys that it has.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.fields.keys().map(String::as_str)
    }

    /// Whether a key's value says anything: not if it is `false` or empty.
    pub fn says_anything(&self, key: &str) -> bool {
        match self.fields.get(key) {
            None => false,
            Some(Value::Text(text)) => !matches!(&**text, "" | "false" | "null"),
            Some(Value::List(list)) => !list.is_empty(),
            Some(Value::Other) => true,
        }
    }

    /// A text that is there and not empty.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.fields.get(key)? {
            Value::Text(text) if !text.is_empty() => Some(text),
            Value::Text(_) | Value::List(_) | Value::Other => None,
        }
    }

    /// A list, or a text with commas; `None` if it is missing or empty.
    pub fn list(&self, key: &str) -> Option<Vec<String>> {
        match self.fields.get(key)? {
            Value::Text(text) if text.is_empty() => None,
            Value::Text(text) => Some(words(text)),
            Value::List(list) => Some(list.clone()),
            Value::Other => Some(Vec::new()),
        }
    }
}

fn fields(head: &[&str]) -> Result<BTreeMap<String, Value>, String> {
    let mut fields = BTreeMap::new();
    let mut at = 0;
    while let Some(line) = head.get(at) {
        // The text's first line is the first ---.
        let number = at + 2;
        at += 1;
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line
            .split_once(':')
            .filter(|(key, value)| is_key(key) && (value.is_empty() || value.starts_with(' ')))
            .ok_or_else(|| format!("has a line {number} that is not 'key: value'"))?;
        let below: Vec<&str> = head[at..]
            .iter()
            .take_while(|line| belongs(line, value))
            .copied()
            .collect();
        at += below.len();
        let value =
            read(value.trim(), &below).map_err(|why| format!("has {why} in line {number}"))?;
        if fields.insert(key.to_owned(), value).is_some() {
            return Err(format!("says '{key}' twice"));
        }
    }
    Ok(fields)
}

fn is_key(key: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !key.is_empty() && key.chars().all(is_plain)
}

/// Whether a line belongs to the key above it: it is further in, empty, or a list's item where no value was.
fn belongs(line: &str, value: &str) -> bool {
    line.is_empty()
        || line.starts_with([' ', '\t'])
        || (value.trim().is_empty() && (line.starts_with("- ") || line == "-"))
}

fn read(value: &str, below: &[&str]) -> Result<Value, String> {
    let trimmed = below
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty());
    let value = without_comment(value);
    match value.chars().next() {
        Some('|') => Ok(Value::Text(block(below, "\n"))),
        Some('>') => Ok(Value::Text(block(below, " "))),
        Some('[') => {
            let whole: Vec<&str> = std::iter::once(value).chain(trimmed).collect();
            let whole = whole.join(" ");
            let inner = whole
                .strip_prefix('[')
                .and_then(|rest| rest.strip_suffix(']'));
            let inner = inner.ok_or("a list that does not end")?;
            Ok(Value::List(words(inner)))
        }
        Some('{') => Ok(Value::Other),
        Some(quote @ ('"' | '\'')) => {
            let whole: Vec<&str> = std::iter::once(value).chain(trimmed).collect();
            let whole = whole.join(" ");
            let inner = whole[1..].strip_suffix(quote);
            let inner = inner.ok_or("a quote that does not end")?;
            Ok(Value::Text(unescaped(inner, quote)))
        }
        Some(_) => {
            let whole: Vec<&str> = std::iter::once(value).chain(trimmed).collect();
            Ok(Value::Text(whole.join(" ")))
        }
        None => {
            let items: Option<Vec<String>> = trimmed
                .clone()
                .map(|line| Some(unquoted(without_comment(line.strip_prefix('-')?.trim()))))
                .collect();
            match items {
                Some(items) if items.is_empty() => Ok(Value::Text(String::new())),
                Some(items) => Ok(Value::List(items)),
                // Text that begins below its key, or a map.
                None if trimmed
                    .clone()
                    .any(|line| line.contains(": ") || line.ends_with(':')) =>
                {
                    Ok(Value::Other)
                }
                None => Ok(Value::Text(trimmed.collect::<Vec<_>>().join(" "))),
            }
        }
    }
}

/// A block of lines with their common indent taken off.
fn block(below: &[&str], joined_by: &str) -> String {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let least = below
        .iter()
        .filter(|line| !line.is_empty())
        .map(indent)
        .min();
    let lines = below
        .iter()
        .map(|line| line.get(least.unwrap_or(0)..).unwrap_or_default());
    lines.collect::<Vec<_>>().join(joined_by).trim().to_owned()
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(',').map(|word| unquoted(word.trim()));
    words.filter(|word| !word.is_empty()).collect()
}

fn unquoted(text: &str) -> String {
    for quote in ['"', '\''] {
        let inner = text
            .strip_prefix(quote)
            .and_then(|rest| rest.strip_suffix(quote));
        if let Some(inner) = inner {
            return unescaped(inner, quote);
        }
    }
    text.to_owned()
}

fn unescaped(inner: &str, quote: char) -> String {
    if quote == '\'' {
        return inner.replace("''", "'");
    }
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            (c, false) => out.push(c),
        }
    }
    out
}

/// Without a remark at its end: a `#` between blanks, and not within quotes.
fn without_comment(value: &str) -> &str {
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let split = match quote {
        Some(_) => value.rsplit_once(" # "),
        None => value.split_once(" # "),
    };
    match (split, quote) {
        (Some((before, _)), Some(quote)) if !before.trim_end().ends_with(quote) => value,
        (Some((before, _)), _) => before.trim_end(),
        (None, _) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(head: &str) -> FrontMatter {
        FrontMatter::read(&format!("---\n{head}\n---\n\nBody.\n")).unwrap()
    }

    #[test]
    fn what_people_write_is_understood() {
        let read = front(
            "# a remark\nname: code-reviewer\ndescription: Use when: code changed. Example: <a>\ntools: Read, Grep , \
             Bash # all\nmodel: \"openai:x\"\nquoted: 'it''s \"so\"'\nempty:\n",
        );
        assert_eq!(read.text("name"), Some("code-reviewer"));
        assert_eq!(
            read.text("description"),
            Some("Use when: code changed. Example: <a>")
        );
        assert_eq!(read.list("tools").unwrap(), ["Read", "Grep", "Bash"]);
        assert_eq!(read.text("model"), Some("openai:x"));
        assert_eq!(read.text("quoted"), Some("it's \"so\""));
        assert_eq!((read.text("empty"), read.list("empty")), (None, None));
        assert_eq!(read.body, "Body.");
    }

    #[test]
    fn lists_and_long_texts_come_in_all_forms() {
        for tools in [
            "tools: [a, \"b\"]",
            "tools:\n  - a\n  - 'b' # why",
            "tools:\n- a\n- b",
            "tools: a,b",
            "tools: [a,\n  b]",
            "tools: [a, b] # both",
        ] {
            assert_eq!(front(tools).list("tools").unwrap(), ["a", "b"], "{tools}");
        }
        assert_eq!(front("tools: []").list("tools"), Some(Vec::new()));
        for text in [
            "d: one two",
            "d: >-\n  one\n  two",
            "d: one\n  two",
            "d:\n  one\n  two",
            "d: \"one\n  two\"",
        ] {
            assert_eq!(front(text).text("d"), Some("one two"), "{text}");
        }
        assert_eq!(
            front("d: |\n  one\n    two\nx: y").text("d"),
            Some("one\n  two")
        );
    }

    #[test]
    fn what_is_nested_is_passed_over() {
        let read = front("hooks:\n  before:\n    - run: x\nmeta: {a: 1}\nname: n");
        assert_eq!(
            (read.text("name"), read.text("hooks"), read.text("meta")),
            (Some("n"), None, None)
        );
        // A map where a list is meant allows nothing.
        assert_eq!(
            front("tools:\n  read: true").list("tools"),
            Some(Vec::new())
        );
    }

    #[test]
    fn no_text_that_is_cut_anywhere_breaks_the_reader() {
        let text = "---\na: 'é' # ü\nb: \"\\\"\nc: |\n  é\n\u{a0} ü\n\nd:\n- \"é\n- [ü\ne: >\n\tü\nf: [é, 'ü'] # é\n---\né";
        for (at, _) in text.char_indices() {
            let (head, tail) = text.split_at(at);
            // Whether it can be read does not matter, only that it is tried to the end.
            let _ = FrontMatter::read(head);
            let _ = FrontMatter::read(&format!("---\n{tail}"));
            let _ = FrontMatter::read(&format!("{head}\n---\n"));
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let wrong = |text: &str| FrontMatter::read(text).unwrap_err();
        assert!(wrong("").contains("first line must be ---"));
        assert!(wrong("# Title\n---\nname: x\n---\n").contains("first line"));
        assert!(wrong("---\nname: x\n").contains("second --- is missing"));
        assert!(wrong("---\nname: x\nnonsense\n---\n").contains("line 3"));
        assert!(wrong("---\nname: x\nname: y\n---\n").contains("'name' twice"));
        assert!(wrong("---\nname: \"x\n---\n").contains("quote that does not end in line 2"));
        assert!(wrong("---\ntools: [a\n---\n").contains("list that does not end"));
    }
}
