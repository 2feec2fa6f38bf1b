//! For which tools, sources or triggers a hook is.

use regex::{Regex, RegexBuilder};

/// The most memory of a compiled pattern, in bytes.
const PATTERN_BYTES_MAX: usize = 1 << 20;

/// The condition under which a hook runs. A word, or words with `|` between them, are meant to the letter; anything else is a
/// regular expression that may match anywhere, as other programs read it.
#[derive(Debug, Clone)]
pub struct Matcher {
    text: String,
    kind: MatcherKind,
}

#[derive(Debug, Clone)]
enum MatcherKind {
    All,
    Words(Vec<String>),
    Pattern(Regex),
}

impl Matcher {
    /// Matches everything.
    pub fn all() -> Self {
        Self {
            text: String::new(),
            kind: MatcherKind::All,
        }
    }

    /// Reads one. Nothing and `*` match everything.
    ///
    /// # Errors
    ///
    /// It is no regular expression, or too large: why.
    pub fn parse(text: &str) -> Result<Self, String> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || "_-| ".contains(c);
        let kind = match text.trim() {
            "" | "*" => MatcherKind::All,
            words if words.chars().all(is_word) => MatcherKind::Words(
                words
                    .split('|')
                    .map(|word| word.trim().to_owned())
                    .collect(),
            ),
            rule if is_rule(rule) => {
                return Err(
                    "it has the form of a rule; write the names of tools, and look at what they do in the \
                     command of the hook"
                        .to_owned(),
                );
            }
            pattern => {
                let built = RegexBuilder::new(pattern)
                    .size_limit(PATTERN_BYTES_MAX)
                    .build();
                MatcherKind::Pattern(built.map_err(|error| flaw(&error))?)
            }
        };
        Ok(Self {
            text: text.trim().to_owned(),
            kind,
        })
    }

    /// Whether it matches one of the names of a thing.
    pub fn matches(&self, names: &[&str]) -> bool {
        match &self.kind {
            MatcherKind::All => true,
            MatcherKind::Words(words) => names
                .iter()
                .any(|name| words.iter().any(|word| word == name)),
            MatcherKind::Pattern(pattern) => names.iter().any(|name| pattern.is_match(name)),
        }
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Two matchers are the same if they were written alike.
impl PartialEq for Matcher {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// Whether it is meant as a rule is, `Bash(git push:*)`: as a pattern it would match nothing.
fn is_rule(text: &str) -> bool {
    let inner = text.strip_suffix(')').and_then(|text| text.split_once('('));
    inner.is_some_and(|(tool, inner)| {
        !tool.is_empty()
            && tool.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && !inner.contains('|')
    })
}

/// The fault of a pattern, in a line: the error shows the pattern in several.
fn flaw(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_meant_to_the_letter_and_patterns_match_anywhere() {
        for (matcher, name, is_matched) in [
            ("", "bash", true),
            ("*", "bash", true),
            ("Bash", "Bash", true),
            ("Bash", "BashOutput", false),
            ("Bash", "bash", false),
            ("Edit|Write", "Write", true),
            ("Edit | Write", "Write", true),
            ("Edit|Write", "MultiEdit", false),
            ("mcp__.*__write", "mcp__files__write_file", true),
            ("Notebook.*", "NotebookEdit", true),
            ("^Task", "TaskCreate", true),
            ("^(Edit|Write)$", "WriteAll", false),
        ] {
            let read = Matcher::parse(matcher).unwrap();
            assert_eq!(read.matches(&[name]), is_matched, "{matcher} {name}");
        }
    }

    #[test]
    fn a_thing_may_have_several_names() {
        let matcher = Matcher::parse("Bash").unwrap();
        assert!(matcher.matches(&["bash", "Bash"]));
        assert!(!matcher.matches(&[]));
        assert!(Matcher::all().matches(&[]));
    }

    #[test]
    fn what_is_no_pattern_is_an_error_in_one_line() {
        assert_eq!(Matcher::parse("(Edit").unwrap_err(), "unclosed group");
        for rule in ["Bash(git push:*)", "Edit(src/**)", "Read(./.env)"] {
            let why = Matcher::parse(rule).unwrap_err();
            assert!(
                why.starts_with("it has the form of a rule"),
                "{rule}: {why}"
            );
        }
        for pattern in ["mcp__(a|b)", "^Task(Create|Get)$", "Notebook(Edit)?"] {
            Matcher::parse(pattern).unwrap();
        }
        let huge = Matcher::parse("(a{1000}){1000}.").unwrap_err();
        assert!(!huge.contains('\n'), "{huge}");
    }
}
