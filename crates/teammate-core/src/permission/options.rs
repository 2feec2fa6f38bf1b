//! Options of a command: whether all are known, whether any is one of a list.

/// Options that are known, as `tables.txt` writes them.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Whether single letters may be joined and long ones begin with two dashes; otherwise each option is a word.
    pub(super) are_joined: bool,
    pub(super) options: Vec<&'static str>,
}

/// The operands that may stand beside the options.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Operands {
    Any,
    Run,
    /// A second one would be a file to write to.
    One,
    /// Any without these characters.
    Without(Vec<char>),
}

/// The arguments of a command whose options are all known.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Arguments<'a> {
    /// As the table writes them, without the mark.
    pub(super) options: Vec<String>,
    pub(super) operands: Vec<&'a str>,
}

/// Where the value of an option is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    Here,
    Next,
}

impl Known {
    /// Takes arguments apart; `None` if an option is not known. An abbreviation is not.
    pub(super) fn read<'a>(&self, arguments: &[&'a str]) -> Option<Arguments<'a>> {
        let mut read = Arguments::default();
        let mut words = arguments.iter().copied();
        while let Some(word) = words.next() {
            if word == "--" {
                read.operands.extend(words);
                break;
            }
            if word == "-" || !word.starts_with('-') {
                read.operands.push(word);
            } else if self.option(word, &mut read.options)? == Value::Next {
                words.next();
            }
        }
        Some(read)
    }

    fn option(&self, word: &str, seen: &mut Vec<String>) -> Option<Value> {
        if self.are_joined && !word.starts_with("--") {
            letters(&self.options, &word[1..], seen)
        } else {
            whole(&self.options, word, seen)
        }
    }
}

impl Operands {
    pub(super) fn read(mut words: impl Iterator<Item = &'static str>) -> Option<Self> {
        match words.next()? {
            "run" => Some(Self::Run),
            "one" => Some(Self::One),
            "without" => Some(Self::Without(words.flat_map(str::chars).collect())),
            _ => None,
        }
    }

    pub(super) fn admits(&self, operands: &[&str]) -> bool {
        match self {
            Self::Any => true,
            Self::Run => operands.is_empty(),
            Self::One => operands.len() <= 1,
            Self::Without(characters) => {
                operands.iter().all(|word| !word.contains(&characters[..]))
            }
        }
    }
}

/// `--name`, `--name=value`.
fn whole(known: &[&str], word: &str, seen: &mut Vec<String>) -> Option<Value> {
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, None),
    };
    for option in known {
        let (stem, mark) = marked(option);
        let is_meant = match mark {
            Some('*') => word.starts_with(stem),
            Some(_) => name == stem,
            None => word == stem,
        };
        if is_meant {
            seen.push(stem.to_owned());
            let is_next = mark == Some('=') && value.is_none();
            return Some(if is_next { Value::Next } else { Value::Here });
        }
    }
    None
}

/// `abc`, where each is a letter, up to one that takes the rest as its value.
fn letters(known: &[&str], cluster: &str, seen: &mut Vec<String>) -> Option<Value> {
    for (at, letter) in cluster.char_indices() {
        let rest = &cluster[at + letter.len_utf8()..];
        let option = known.iter().find(|option| {
            let (stem, _) = marked(option);
            stem.strip_prefix('-').is_some_and(|stem| {
                stem.chars().eq([letter]) || (stem == "#" && letter.is_ascii_digit())
            })
        })?;
        let (stem, mark) = marked(option);
        seen.push(stem.to_owned());
        match mark {
            None => {}
            Some('=') if rest.is_empty() => return Some(Value::Next),
            Some(_) => return Some(Value::Here),
        }
    }
    Some(Value::Here)
}

fn marked(option: &str) -> (&str, Option<char>) {
    match option.chars().next_back() {
        Some(mark @ ('=' | '?' | '*')) => (&option[..option.len() - 1], Some(mark)),
        Some(_) | None => (option, None),
    }
}

/// Whether any argument may be one of these options: a letter also in a cluster, a long one also abbreviated or with a value.
pub(super) fn has_any(options: &[&str], arguments: &[&str]) -> bool {
    options
        .iter()
        .any(|option| arguments.iter().any(|argument| may_be(argument, option)))
}

fn may_be(argument: &str, option: &str) -> bool {
    if let Some(long) = option.strip_prefix("--") {
        let Some(given) = argument.strip_prefix("--") else {
            return false;
        };
        let given = given.split('=').next().unwrap_or(given);
        return !given.is_empty() && (long.starts_with(given) || given.starts_with(long));
    }
    match option.strip_prefix('-') {
        Some(letter) if letter.len() == 1 => {
            argument.starts_with('-') && !argument.starts_with("--") && argument.contains(letter)
        }
        Some(_) | None => argument.starts_with(option),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_known_or_nothing_is() {
        let known = Known {
            are_joined: true,
            options: vec![
                "-a",
                "-m=",
                "-U?",
                "-#",
                "--message=",
                "--stat?",
                "--oneline",
            ],
        };
        fn words(text: &str) -> Vec<&str> {
            text.split(' ').collect()
        }
        for (text, operands) in [
            ("-a x", &["x"][..]),
            ("-am x y", &["y"]),
            ("-amx y", &["y"]),
            ("-m -x y", &["y"]),
            ("--message --evil y", &["y"]),
            ("--message=x y", &["y"]),
            ("-U3 -12 y", &["y"]),
            ("--stat=x y", &["y"]),
            ("--oneline -- --evil", &["--evil"]),
            ("- x", &["-", "x"]),
        ] {
            let read = known.read(&words(text)).expect(text);
            assert_eq!(read.operands, operands, "{text}");
        }
        for text in [
            "-x",
            "-ax",
            "-aUx -x",
            "--one",
            "--mess=x",
            "--oneline=x",
            "--evil",
            "-stat",
            "--stat --evil",
        ] {
            assert_eq!(known.read(&words(text)), None, "{text}");
        }
    }
}
