//! The words that Tab offers for the word before the cursor: commands, members, files.

use unicode_segmentation::UnicodeSegmentation as _;

/// The most that is offered at a time.
pub const OFFERED_MAX: usize = 8;

/// The words that can be offered.
pub trait Words {
    /// The commands, with their `/`, and a line about each.
    fn commands(&self) -> Vec<(String, String)>;

    /// The names of members.
    fn members(&self) -> Vec<String>;

    /// Paths of files that begin with this, relative to the workspace; directories end with `/`. Few of them are enough.
    fn files(&self, begin: &str) -> Vec<String>;
}

/// The offered words, and the typed word that they complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The word that was typed, as it is now in the text.
    typed: String,
    /// The words that may take its place, with a line about each.
    offered: Vec<(String, String)>,
    /// How much more there is, which more letters narrow down.
    hidden: usize,
    /// Which one is in the text.
    chosen: Option<usize>,
}

impl Completion {
    /// The words that fit the text before the cursor; `None` if none does.
    pub fn of(before: &str, words: &impl Words) -> Option<Self> {
        let mut words_before = before.rsplit(char::is_whitespace);
        let typed = words_before.next().unwrap_or_default();
        let first = words_before.next().is_none();
        let mut offered = Vec::new();
        if first && typed.starts_with('/') {
            offered = ranked(words.commands(), typed);
        } else if let Some(name) = typed.strip_prefix('@') {
            if first {
                let members = words.members().into_iter();
                let members = members.map(|name| (format!("@{name} "), String::new()));
                offered = ranked(members.collect(), typed);
            }
            let files = words.files(name.trim_start_matches('"')).into_iter();
            offered.extend(files.map(|path| (file_word(&path), String::new())));
        }
        let hidden = offered.len().saturating_sub(OFFERED_MAX);
        offered.truncate(OFFERED_MAX);
        (!offered.is_empty()).then(|| Self {
            typed: typed.to_owned(),
            offered,
            hidden,
            chosen: None,
        })
    }

    /// The word that was typed, which one of them takes the place of.
    pub fn typed(&self) -> &str {
        &self.typed
    }

    /// The offered words, with a line about each.
    pub fn offered(&self) -> &[(String, String)] {
        &self.offered
    }

    /// How much fits besides and is not offered: as far as [`Words`] tell.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// Which one is in the text.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen
    }

    /// Goes to the next or the one before; returns how many characters before the cursor it replaces, and what by.
    pub fn step(&mut self, forward: bool) -> (usize, &str) {
        let count = self.offered.len();
        let back = self.in_text().graphemes(true).count();
        self.chosen = Some(match (self.chosen, forward) {
            (None, true) => 0,
            (None, false) => count - 1,
            (Some(at), true) => (at + 1) % count,
            (Some(at), false) => (at + count - 1) % count,
        });
        (back, self.in_text())
    }

    /// Whether Tab leaves nothing to choose.
    pub fn is_only_one(&self) -> bool {
        self.offered.len() == 1
    }

    fn in_text(&self) -> &str {
        let chosen = self.chosen.and_then(|at| self.offered.get(at));
        chosen.map_or(&self.typed, |(text, _)| text)
    }
}

fn file_word(path: &str) -> String {
    let end = if path.ends_with('/') { "" } else { " " };
    if path.contains(char::is_whitespace) {
        format!("@\"{path}\"{end}")
    } else {
        format!("@{path}{end}")
    }
}

/// Those that begin with the word; if there are none, those that have its letters in order.
fn ranked(all: Vec<(String, String)>, typed: &str) -> Vec<(String, String)> {
    let (begin, rest): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|(text, _)| text.starts_with(typed));
    if !begin.is_empty() {
        return begin;
    }
    let scattered = rest.into_iter();
    scattered
        .filter(|(text, _)| has_in_order(text, typed))
        .collect()
}

fn has_in_order(text: &str, letters: &str) -> bool {
    let mut chars = text.chars();
    letters.chars().all(|letter| chars.any(|c| c == letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed;

    impl Words for Fixed {
        fn commands(&self) -> Vec<(String, String)> {
            let names = ["/team", "/tasks", "/cost"];
            names
                .map(|name| (name.to_owned(), "help".to_owned()))
                .into()
        }

        fn members(&self) -> Vec<String> {
            vec!["alice".into(), "bob".into()]
        }

        fn files(&self, begin: &str) -> Vec<String> {
            let files = ["src/", "src/a b.rs", "able.txt"];
            let fitting = files.iter().filter(|path| path.starts_with(begin));
            fitting.map(|path| (*path).to_owned()).collect()
        }
    }

    fn offered(before: &str) -> String {
        let all = Completion::of(before, &Fixed);
        let texts = all.iter().flat_map(Completion::offered);
        texts
            .map(|(text, _)| text.as_str())
            .collect::<Vec<_>>()
            .join("|")
    }

    #[test]
    fn commands_members_and_files_are_offered_where_they_can_stand() {
        for (before, expected) in [
            ("/t", "/team|/tasks"),
            ("/ta", "/tasks"),
            ("/ct", "/cost"),
            ("see /t", ""),
            ("@al", "@alice "),
            ("@a", "@alice |@able.txt "),
            ("look at @a", "@able.txt "),
            ("@src/", "@src/|@\"src/a b.rs\" "),
            ("word", ""),
            ("", ""),
        ] {
            assert_eq!(offered(before), expected, "{before}");
        }
    }

    #[test]
    fn tab_goes_round_and_replaces_what_it_put_there() {
        let mut all = Completion::of("/t", &Fixed).unwrap();
        assert_eq!(all.step(true), (2, "/team"));
        assert_eq!(all.step(true), (5, "/tasks"));
        assert_eq!(all.step(true), (6, "/team"));
        assert_eq!(all.step(false), (5, "/tasks"));
    }
}
