//! Programs that change nothing whatever they are given, but for options that [`clarity`] knows. They run side by side; whether they
//! may run at all is for the rules.

use super::{Clarity, clarity, git};
use crate::permission::{Word, tables::list};

/// Whether a command only looks, or waits.
pub(in crate::permission) fn only_looks(words: &[Word]) -> bool {
    let Some(words) = words.iter().map(as_given).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let Some((program, arguments)) = words.split_first() else {
        return false;
    };
    let name = ["/bin/", "/usr/bin/"]
        .iter()
        .find_map(|dir| program.strip_prefix(dir))
        .unwrap_or(program);
    clarity(&words) == Clarity::Plain
        && (list("lookers").contains(&name) || name == "git" && git::only_looks(arguments))
}

/// A word, or a pattern for names of files that are no options, as it is written.
fn as_given(word: &Word) -> Option<&str> {
    match word {
        Word::Known(text) => Some(text),
        Word::Unknown(text) => {
            let is_name =
                text.starts_with(|c: char| c.is_ascii_alphanumeric() || "./_".contains(c));
            (is_name && !text.contains(['$', '`'])).then_some(text)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_only_look() {
        let known = |text: &str| Word::Known(text.to_owned());
        let looks = |line: &str| {
            let words: Vec<Word> = line.split(' ').map(known).collect();
            only_looks(&words)
        };
        for line in [
            "cat a",
            "ls -la src",
            "/usr/bin/wc -l a",
            "sleep 3",
            "find . -name a",
            "grep -rn x src",
            "sed -n 1,3p a",
            "sort -u a",
            "git status",
            "git log --oneline",
            "git diff HEAD",
        ] {
            assert!(looks(line), "{line}");
        }
        for line in [
            "rm a",
            "./cat a",
            "bin/ls",
            "find . -delete",
            "find . -exec rm {} +",
            "sed -i s/a/b/ a",
            "sort -o a a",
            "uniq a b",
            "git add a",
            "git -C sub log",
            "git commit -m x",
            "git branch x",
            "git -c alias.x=!rm status",
            "git diff --output=a",
            "env ls",
            "xargs cat",
            "curl https://a.b",
        ] {
            assert!(!looks(line), "{line}");
        }
        let pattern = |text: &str| only_looks(&[known("cat"), Word::Unknown(text.to_owned())]);
        assert!(pattern("src/*.rs"));
        assert!(!pattern("*"));
        assert!(!pattern("$FILES"));
        assert!(!pattern("a$(rm b)"));
    }
}
