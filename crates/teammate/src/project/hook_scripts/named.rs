//! Which files a command names. It is no shell: where it cannot know whether a word is run, it takes it for a file that is.

use std::{
    collections::BTreeSet,
    fmt, mem,
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};

/// How a command says the workspace.
const WORKSPACE: [&str; 2] = ["$CLAUDE_PROJECT_DIR", "${CLAUDE_PROJECT_DIR}"];

/// Words that stand before a command.
const BEFORE: [&str; 11] = [
    "!", "do", "elif", "else", "exec", "if", "then", "time", "until", "while", "command",
];

/// Commands that run none of the files that they are given.
const ONLY_LOOK: [&str; 22] = [
    ":", "[", "[[", "cat", "cmp", "cp", "diff", "echo", "egrep", "fgrep", "grep", "head", "ls",
    "mkdir", "mv", "printf", "rm", "stat", "tail", "test", "touch", "wc",
];

/// How deep words within words are read, as in `sh -c "..."`.
const DEPTH_MAX: usize = 4;

/// A file by its name in a command: `scripts/check.sh`, from the directory where the hook runs, or from the workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct NamedFile(String);

impl fmt::Display for NamedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl NamedFile {
    /// Where it is.
    pub(super) fn path(&self, workspace: &Path, dir: &Path) -> PathBuf {
        match self.0.strip_prefix(WORKSPACE[0]) {
            Some(below) => workspace.join(below.trim_start_matches('/')),
            None => dir.join(&self.0),
        }
    }
}

/// All that it may run or have run by another program.
pub(super) fn files(command: &str) -> BTreeSet<NamedFile> {
    let mut found = BTreeSet::new();
    collect(command, DEPTH_MAX, &mut found);
    found
}

fn collect(command: &str, deep: usize, found: &mut BTreeSet<NamedFile>) {
    let mut dir = String::new();
    for words in simple_commands(command) {
        for word in words.iter().filter(|word| word.contains(is_shells)) {
            if deep > 0 {
                collect(word, deep - 1, found);
            }
        }
        let is_before = |word: &String| BEFORE.contains(&&**word) || is_assignment(word);
        let start = words.iter().take_while(|word| is_before(word)).count();
        let Some((program, rest)) = words[start..].split_first() else {
            continue;
        };
        if program == "cd" {
            dir = rest.last().map_or(String::new(), |to| below(&dir, to));
            continue;
        }
        // A program without a slash is looked up elsewhere.
        found.extend(
            program
                .contains('/')
                .then(|| NamedFile(below(&dir, program))),
        );
        if ONLY_LOOK.contains(&&**program) {
            continue;
        }
        for word in rest {
            let value = word.split_once('=').map(|(_, value)| value);
            let words = [Some(&**word), value].into_iter().flatten();
            found.extend(words.map(|word| NamedFile(below(&dir, word))));
        }
    }
}

/// The path of `word` from where `dir` is.
fn below(dir: &str, word: &str) -> String {
    let word = word.replacen(WORKSPACE[1], WORKSPACE[0], 1);
    let path = match word.starts_with(WORKSPACE[0]) {
        true => PathBuf::from(word),
        false => Path::new(dir).join(word),
    };
    let plain = path.components().filter(|part| *part != Component::CurDir);
    plain.collect::<PathBuf>().to_string_lossy().into_owned()
}

fn is_assignment(word: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    word.split_once('=')
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_name))
}

/// Whether a word with it may be more than a word.
fn is_shells(c: char) -> bool {
    c.is_whitespace() || ends_command(c) || c == '<' || c == '>'
}

fn ends_command(c: char) -> bool {
    matches!(c, ';' | '&' | '|' | '(' | ')' | '`' | '\n')
}

/// The commands in it as their words, without quotes and without the files that their output goes to.
fn simple_commands(text: &str) -> Vec<Vec<String>> {
    let (mut all, mut words) = (Vec::new(), Vec::new());
    let mut word: Option<String> = None;
    let mut is_target = false;
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match quote {
            Some(open) if c == open => quote = None,
            Some('"') if c == '\\' => word.get_or_insert_default().extend(chars.next()),
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c == '\\' => word.get_or_insert_default().extend(chars.next()),
            None if is_shells(c) => {
                let ended = word.take();
                let was_target = ended.is_some() && mem::take(&mut is_target);
                words.extend(ended.filter(|_| !was_target));
                if c == '>' {
                    is_target = true;
                    // `>&2` and `>|` are of one piece.
                    chars.next_if(|next| matches!(next, '>' | '&' | '|'));
                } else if ends_command(c) {
                    is_target = false;
                    all.push(mem::take(&mut words));
                }
            }
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word.filter(|_| !is_target));
    all.push(words);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(command: &str) -> Vec<String> {
        files(command).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_may_run_is_named_however_it_is_written() {
        for (command, expected) in [
            ("./scripts/check.sh", "scripts/check.sh"),
            ("sh scripts/check.sh", "scripts/check.sh"),
            ("FAST=1 exec scripts/check.sh -q", "scripts/check.sh"),
            ("if ./a b; then true; fi", "a"),
            ("test -e ran || ./a", "a"),
            ("cd scripts && ./check.sh", "scripts/check.sh"),
            ("\"$CLAUDE_PROJECT_DIR\"/a.sh", "$CLAUDE_PROJECT_DIR/a.sh"),
            ("'${CLAUDE_PROJECT_DIR}/a.sh'", "$CLAUDE_PROJECT_DIR/a.sh"),
            ("bash -c './a.sh; true'", "a.sh"),
            ("echo \"$(sh a.sh)\"", "a.sh"),
            ("echo `./a.sh`", "a.sh"),
            ("sh < a.sh", "a.sh"),
            ("node --require=./a.js", "a.js"),
            (". ./a.sh", "a.sh"),
            ("sh 'my script.sh'", "my script.sh"),
            ("true 2>/dev/null; ./a 2>&1", "a"),
        ] {
            let found = named(command);
            assert!(
                found.iter().any(|name| name == expected),
                "{command}: {found:?}"
            );
        }
    }

    #[test]
    fn what_is_only_looked_at_or_written_is_not_named() {
        for command in [
            "test -e tests-ran || { echo 'run the tests first' >&2; exit 2; }",
            "cat >> events.jsonl",
            "cat NOTES.md",
            "grep -q x src/main.rs",
            "true > log; touch made",
        ] {
            let files = named(command);
            let is_file = |name: &str| {
                name.contains('.')
                    || name.ends_with("log")
                    || name.contains("ran")
                    || name == "made"
            };
            assert!(
                !files.iter().any(|name| is_file(name)),
                "{command}: {files:?}"
            );
        }
    }
}
