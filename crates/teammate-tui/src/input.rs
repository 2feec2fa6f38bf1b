//! Keys: what each one does, by where they go.

mod help;
mod keys;
mod needs;
mod pane;
mod prompt;
mod prompt_keys;

pub(crate) use self::{
    keys::{handle, paste},
    needs::chosen as chosen_question,
    prompt::Prompt,
};

use teammate_view::Verb;

/// What follows from a key.
#[derive(Debug)]
pub(crate) enum Step {
    /// Nothing but what changed on the screen.
    Stay,
    /// The team is asked for this.
    Ask(Verb),
    /// The past is looked at.
    Past,
    /// Everything is drawn anew.
    Redraw,
    /// The program is suspended.
    Suspend,
    /// The prompt's text is edited in the user's editor.
    Edit,
    /// A command of the user runs.
    Shell(String),
    /// The text goes to the terminal's clipboard.
    Copy(String),
    /// A text is shown in the user's pager.
    Page(String),
    /// The user leaves.
    Leave,
}
