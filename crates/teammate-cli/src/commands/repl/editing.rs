//! The side of the line editor while a line is typed: how its prompt looks, what Tab offers, what Enter does. It moves no
//! cursor.

use std::borrow::Cow;

use rustyline::{
    Cmd, ConditionalEventHandler, Context, Editor, Event, EventContext, EventHandler, Helper,
    KeyCode, KeyEvent, Modifiers, RepeatCount, Result,
    completion::Completer,
    highlight::Highlighter,
    hint::Hinter,
    history::FileHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};
use teammate::contained::may_fail_here;
use teammate_view::Completion;

use super::{above::Above, draft::LeadDraft, offered::PromptOffers};

/// Cheap to clone; all clones are one.
#[derive(Clone)]
pub(super) struct Editing {
    pub(super) above: Above,
    pub(super) draft: LeadDraft,
    pub(super) offered: PromptOffers,
}

/// The editor with its keys.
pub(super) type LineEditor = Editor<Editing, FileHistory>;

/// Gives keys a meaning that the editor has not for them.
pub(super) fn bind_keys(editor: &mut LineEditor, above: &Above) {
    // With Esc just before, too.
    for modifiers in [Modifiers::CTRL, Modifiers::CTRL_ALT] {
        editor.bind_sequence(
            KeyEvent(KeyCode::Char('C'), modifiers),
            EventHandler::Conditional(Box::new(above.clone())),
        );
    }
    for key in [
        KeyEvent(KeyCode::Enter, Modifiers::ALT),
        KeyEvent(KeyCode::Char('J'), Modifiers::CTRL),
    ] {
        editor.bind_sequence(key, EventHandler::Simple(Cmd::Newline));
    }
    editor.bind_sequence(
        KeyEvent(KeyCode::Enter, Modifiers::NONE),
        EventHandler::Conditional(Box::new(NewLineForBackslash(above.clone()))),
    );
}

/// Enter behind a `\` begins a new line in its place.
struct NewLineForBackslash(Above);

impl ConditionalEventHandler for NewLineForBackslash {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, typed: &EventContext<'_>) -> Option<Cmd> {
        let (before, behind) = typed.line().split_at(typed.pos());
        let before = before.strip_suffix('\\')?;
        self.0
            .continue_with((format!("{before}\n"), behind.to_owned()));
        Some(Cmd::AcceptLine)
    }
}

impl Highlighter for Editing {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(
        &'s self,
        prompt: &'p str,
        _is_default: bool,
    ) -> Cow<'b, str> {
        self.above.drawn(prompt)
    }
}

impl Hinter for Editing {
    type Hint = String;

    /// Gives no hint. The editor asks for one whenever the line has changed.
    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        self.above.typed(line);
        may_fail_here("editor");
        self.draft.keep(line);
        None
    }
}

impl Validator for Editing {
    /// Every line is fine. With a message, even an empty one, the editor draws once more before it gives the line away: that
    /// takes the status line off.
    fn validate(&self, _: &mut ValidationContext) -> Result<ValidationResult> {
        let draws_again = self.above.accepts();
        Ok(ValidationResult::Valid(draws_again.then(String::new)))
    }
}

impl Completer for Editing {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> Result<(usize, Vec<String>)> {
        let before = line.get(..at);
        let Some(all) = before.and_then(|before| Completion::of(before, &self.offered)) else {
            return Ok((at, Vec::new()));
        };
        let texts = all.offered().iter().map(|(text, _)| text.clone());
        Ok((at - all.typed().len(), texts.collect()))
    }
}

impl Helper for Editing {}
