//! The palette: every command and every key that has a word, found by words that somebody remembers of it.

use crate::keys::{KeyAction, KeyTable};

/// Something that can be found in the palette.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaletteEntry {
    /// The word that is typed at the prompt for it.
    pub word: String,
    /// What it does, in a line.
    pub about: String,
    /// The key that does it; empty if none does.
    pub key: String,
    pub step: PaletteStep,
}

/// What choosing an entry does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PaletteStep {
    /// It is done at once.
    Do(KeyAction),
    /// Its word goes to the prompt: more words may follow, and Enter does it.
    Type,
}

/// All that can be found: actions of keys, and these commands, each with a line about it.
pub fn palette(commands: Vec<(String, String)>, keys: &KeyTable) -> Vec<PaletteEntry> {
    let mut all: Vec<PaletteEntry> = Vec::new();
    for action in KeyAction::ALL {
        let Some(word) = action.word() else { continue };
        if !action.can_be_chosen() {
            continue;
        }
        let key = keys.keys(*action).first();
        all.push(PaletteEntry {
            word: word.to_owned(),
            about: action.does().to_owned(),
            key: key.map(ToString::to_string).unwrap_or_default(),
            step: PaletteStep::Do(*action),
        });
    }
    for (word, about) in commands {
        if all.iter().all(|known| known.word != word) {
            all.push(PaletteEntry {
                word,
                about,
                key: String::new(),
                step: PaletteStep::Type,
            });
        }
    }
    all
}

impl PaletteEntry {
    /// Those that have all these words in them, letter case aside; whose own word has the first of them comes first.
    pub fn found<'a>(all: &'a [Self], words: &str) -> Vec<&'a Self> {
        let words = words.to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        let fits = |entry: &&Self| {
            let text = format!("{} {} {}", entry.word, entry.about, entry.key).to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let mut found: Vec<&Self> = all.iter().filter(fits).collect();
        if let Some(first) = words.first() {
            // A stable sort: the others keep their order.
            found.sort_by_key(|entry| !entry.word.contains(first));
        }
        found
    }
}

impl KeyAction {
    /// Whether choosing it from a list does what its key does. An answer needs its question on the screen; members are
    /// stopped and interrupted by the command, which says whom.
    fn can_be_chosen(self) -> bool {
        !self.is_answer() && !matches!(self, Self::Stop | Self::Interrupt | Self::Palette)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<PaletteEntry> {
        let commands = [
            ("/cost", "what was spent"),
            ("/model", "another model from now on"),
            ("/shutdown", "stop a member"),
        ];
        let commands = commands.map(|(word, about)| (word.to_owned(), about.to_owned()));
        palette(commands.into(), &KeyTable::default())
    }

    fn found(words: &str) -> Vec<String> {
        let all = all();
        let found = PaletteEntry::found(&all, words).into_iter();
        found.map(|entry| entry.word.clone()).collect()
    }

    #[test]
    fn words_of_the_command_of_what_it_does_or_its_key_find_it() {
        assert_eq!(found("MODEL"), ["/model"]);
        assert_eq!(found("task board"), ["/board"]);
        assert_eq!(found("ctrl-o"), ["/folds"]);
        assert_eq!(found("no such thing"), [""; 0]);
        // Its own word first, then the others in their order.
        assert_eq!(found("back")[0], "/back");
        assert!(found("back").contains(&"/older".to_owned()));
    }

    #[test]
    fn keys_are_done_at_once_commands_go_to_the_prompt_and_nothing_answers() {
        let all = all();
        let step = |word: &str| {
            let mut of_it = all.iter().filter(|entry| entry.word == word);
            let step = of_it.next().map(|entry| entry.step);
            assert!(of_it.next().is_none(), "{word} is there twice");
            step
        };
        assert_eq!(step("/cost"), Some(PaletteStep::Do(KeyAction::ShowCost)));
        assert_eq!(step("/model"), Some(PaletteStep::Type));
        assert_eq!(step("/shutdown"), Some(PaletteStep::Type));
        assert_eq!(step("/approve"), None);
        assert_eq!(step("/palette"), None);
    }
}
