//! Things to choose from, as an answer to a command: a face with keys lets the user pick one, lines number them.

/// A list to choose from. Texts are clean for a terminal, but for colours that the prompt asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    /// The command that takes a choice: `/resume`.
    pub command: String,
    /// The choices, in groups.
    pub groups: Vec<ChoiceGroup>,
}

/// Choices that belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceGroup {
    /// The title of the group.
    pub title: String,
    /// At least one.
    pub choices: Vec<Choice>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The word that is typed behind the command to choose it: `2`.
    pub word: String,
    /// The choice, in a line.
    pub text: String,
    /// One more line about it; nothing if it is empty.
    pub more: String,
    /// Whether it is what the user has already.
    pub is_current: bool,
}

impl Choices {
    /// All choices, from the first group on.
    pub fn all(&self) -> impl Iterator<Item = &Choice> {
        self.groups.iter().flat_map(|group| &group.choices)
    }

    /// The line that chooses one, as it is typed.
    pub fn line(&self, choice: &Choice) -> String {
        format!("{} {}", self.command, choice.word)
    }
}
