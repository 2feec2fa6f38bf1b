//! Things to choose from as numbered lines: the prompt takes lines, not keys.

use teammate_view::t;
use teammate_view::{Choice, ChoiceGroup, Choices};

use crate::screen::{Style, fit};

/// The columns of a terminal whose width is not known.
const WIDTH: usize = 80;

/// The least columns of what is typed to choose.
const WORD_COLUMNS: usize = 2;

/// The lines, with a mark at what the user has already, and how one is chosen.
pub(super) fn numbered(choices: &Choices, style: Style, width: Option<usize>) -> String {
    let words = choices.all().map(|choice| choice.word.len());
    let columns = words.max().unwrap_or_default().max(WORD_COLUMNS);
    let mut lines = Vec::new();
    for ChoiceGroup { title, choices } in &choices.groups {
        lines.push(format!("{title}:"));
        for choice in choices {
            let Choice { word, text, .. } = choice;
            let mark = if choice.is_current { '*' } else { ' ' };
            lines.push(format!("{mark} {word:>columns$}  {text}"));
            if !choice.more.is_empty() {
                let more = format!("{}{}", " ".repeat(columns + 4), choice.more);
                let room = width.unwrap_or(WIDTH).saturating_sub(1);
                lines.push(style.dim(&fit(&more, Some(room))));
            }
        }
    }
    let first = choices.all().find(|choice| !choice.is_current);
    lines.extend(
        first.map(|choice| t!("To choose one: {commands}", commands = choices.line(choice))),
    );
    lines.join("\n")
}
