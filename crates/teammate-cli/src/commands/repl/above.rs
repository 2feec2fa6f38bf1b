//! The area above the prompt: lines that wait to be printed, and one status line that is rewritten in place.
//!
//! While a line is read, only the reader's thread touches the terminal: printing puts text here and rings, and the text
//! is drawn with the prompt. So the cursor is known to be at the beginning of the prompt's row, with the status
//! line directly above it. While no line is read there is no prompt, and text is written at once.

use std::{
    borrow::Cow,
    io::stdout,
    sync::{Arc, Mutex},
};

use rustyline::{Cmd, ConditionalEventHandler, Event, EventContext, RepeatCount};
use teammate::{lock::Hold, platform::terminal_width};
use unicode_width::UnicodeWidthStr as _;

use crate::screen::write_clean;

/// Up to the row above, and empties it.
const CLEAR_ABOVE: &str = "\u{1b}[A\r\u{1b}[2K";

/// Has the line editor draw its prompt anew: up, and down again.
pub(super) const DRAW_AGAIN: &str = "\u{1b}[A\n";

/// The most rows that are taken off the screen: a small terminal has already scrolled off more.
const ROWS_MAX: usize = 8;

/// Columns that the prompt takes.
const PROMPT_COLUMNS: usize = 2;

/// Cheap to clone; all clones are one.
#[derive(Clone, Default)]
pub(super) struct Above(Arc<Mutex<AboveState>>);

#[derive(Default)]
struct AboveState {
    /// Whole lines to be printed.
    lines: String,
    /// The wanted status line.
    status: Option<String>,
    /// The status line on the screen.
    drawn: Option<String>,
    /// The typed words at the prompt.
    typed: String,
    reads: Reads,
}

/// Whether a line is read.
#[derive(Default, PartialEq, Eq)]
enum Reads {
    #[default]
    No,
    Yes,
    /// Enter was pressed: the status line goes before the line does.
    Accepts,
    /// Ctrl-C was pressed; the same.
    GivesUp,
    /// The line is read on with a new one behind what stands before the cursor; the same.
    Continues(Continued),
}

/// The typed words before and behind the cursor.
pub(super) type Continued = (String, String);

impl Above {
    /// Prints lines: now, or with the next drawing of the prompt. True if it should be drawn again.
    pub(super) fn print(&self, lines: &str) -> bool {
        let mut state = self.0.hold();
        if state.reads == Reads::No {
            write_clean(&mut stdout(), lines);
            return false;
        }
        state.lines.push_str(lines);
        true
    }

    /// Sets the status line. True if the prompt should be drawn again.
    pub(super) fn set_status(&self, status: Option<String>) -> bool {
        let mut state = self.0.hold();
        state.status = status;
        state.reads != Reads::No && state.status != state.drawn
    }

    /// The reader is about to show the prompt.
    pub(super) fn begin(&self) {
        let mut state = self.0.hold();
        state.typed.clear();
        // The line above the new prompt is not a status line.
        state.drawn = None;
        state.reads = Reads::Yes;
    }

    /// The prompt, below what is to be drawn before it.
    pub(super) fn drawn<'a>(&self, prompt: &'a str) -> Cow<'a, str> {
        let mut text = self.0.hold().draw();
        if text.is_empty() {
            return Cow::Borrowed(prompt);
        }
        text.push_str(prompt);
        Cow::Owned(text)
    }

    /// Takes the words that are typed now.
    pub(super) fn typed(&self, line: &str) {
        line.clone_into(&mut self.0.hold().typed);
    }

    /// Enter was pressed. True if the prompt has to be drawn once more, without the status line.
    pub(super) fn accepts(&self) -> bool {
        let mut state = self.0.hold();
        if state.reads == Reads::Yes {
            state.reads = Reads::Accepts;
        }
        state.drawn.is_some()
    }

    /// The reader has a line; the cursor is below it. What waits is printed now.
    pub(super) fn end(&self) {
        let mut state = self.0.hold();
        state.reads = Reads::No;
        state.flush("");
    }

    /// Whether Ctrl-C ended the line.
    pub(super) fn is_interrupted(&self) -> bool {
        self.0.hold().reads == Reads::GivesUp
    }

    /// Ends the line to read it on with this text: the editor has no command that puts text in place of other text.
    pub(super) fn continue_with(&self, text: Continued) {
        self.0.hold().reads = Reads::Continues(text);
    }

    /// The words with which the line is read on, if it is.
    pub(super) fn continued(&self) -> Option<Continued> {
        match &self.0.hold().reads {
            Reads::Continues(text) => Some(text.clone()),
            Reads::No | Reads::Yes | Reads::Accepts | Reads::GivesUp => None,
        }
    }

    /// The line is no more; the cursor is below the line. Gives what was typed, and takes that and the prompt off the
    /// screen, if it is known how many rows they took.
    pub(super) fn cancel(&self) -> String {
        let mut state = self.0.hold();
        state.reads = Reads::No;
        let status_rows = usize::from(state.drawn.take().is_some());
        let rows = terminal_width(stdout()).and_then(|width| rows(&state.typed, width));
        let wipe = rows.map_or_else(String::new, |rows| CLEAR_ABOVE.repeat(rows + status_rows));
        state.flush(&wipe);
        std::mem::take(&mut state.typed)
    }

    /// Reading has ended, perhaps in the middle of a line: prints what waits. Gives what was typed on a line that nobody has.
    pub(super) fn close(&self) -> String {
        let mut state = self.0.hold();
        let drawn = state.drawn.take();
        let wipe = match (&state.reads, drawn) {
            (Reads::Yes, Some(_)) => ["\r\u{1b}[2K", CLEAR_ABOVE].concat(),
            (Reads::Yes, None) => "\r\u{1b}[2K".to_owned(),
            // The line was ended, and what waits comes below it.
            (Reads::No | Reads::Accepts | Reads::GivesUp | Reads::Continues(_), _) => String::new(),
        };
        state.flush(&wipe);
        state.status = None;
        match std::mem::take(&mut state.reads) {
            Reads::No => String::new(),
            Reads::Yes | Reads::Accepts | Reads::GivesUp | Reads::Continues(_) => {
                std::mem::take(&mut state.typed)
            }
        }
    }
}

impl AboveState {
    /// Writes what waits, after our own cursor moves.
    fn flush(&mut self, moves: &str) {
        use std::io::Write as _;
        if !moves.is_empty() {
            // A closed terminal shows nothing.
            let _ = stdout().write_all(moves.as_bytes());
        }
        write_clean(&mut stdout(), &std::mem::take(&mut self.lines));
    }

    /// The drawing for the place where the prompt's row begins, before the prompt.
    fn draw(&mut self) -> String {
        let wanted = match self.reads {
            Reads::Yes => self.status.clone(),
            Reads::No | Reads::Accepts | Reads::GivesUp | Reads::Continues(_) => None,
        };
        if self.lines.is_empty() && wanted == self.drawn {
            return String::new();
        }
        let mut text = String::new();
        if self.drawn.is_some() {
            text.push_str(CLEAR_ABOVE);
        }
        text.push_str(&std::mem::take(&mut self.lines));
        if let Some(status) = &wanted {
            text.push_str(status);
            text.push('\n');
        }
        self.drawn = wanted;
        text
    }
}

/// How many rows the prompt takes with this text behind it. `None` if terminals may disagree.
fn rows(typed: &str, width: usize) -> Option<usize> {
    let mut all = 0;
    for (at, line) in typed.split('\n').enumerate() {
        let prompt = if at == 0 { PROMPT_COLUMNS } else { 0 };
        let is_plain = line.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        all += match (prompt + line.width()) / width {
            0 if !line.contains('\t') => 1,
            // A text that just fills its row has the cursor in the next one.
            more if is_plain => more + 1,
            _ => return None,
        };
    }
    (all <= ROWS_MAX).then_some(all)
}

/// Ctrl-C ends the line as Enter does: on an error the editor would throw away keys that came with it.
impl ConditionalEventHandler for Above {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, _: &EventContext<'_>) -> Option<Cmd> {
        self.0.hold().reads = Reads::GivesUp;
        Some(Cmd::AcceptLine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading() -> Above {
        let above = Above::default();
        above.begin();
        above
    }

    #[test]
    fn lines_come_before_the_status_line_which_is_rewritten_in_place() {
        let above = reading();
        assert!(above.set_status(Some("lead thinks".into())));
        assert_eq!(above.drawn("> "), "lead thinks\n> ");
        assert_eq!(above.drawn("> "), "> ", "nothing is new");
        assert!(above.print("[alice] bash: ls\n"));
        assert_eq!(
            above.drawn("> "),
            format!("{CLEAR_ABOVE}[alice] bash: ls\nlead thinks\n> ")
        );
        assert!(above.set_status(None));
        assert_eq!(above.drawn("> "), format!("{CLEAR_ABOVE}> "));
        assert!(!above.set_status(None), "it is gone already");
    }

    #[test]
    fn rows_are_counted_where_every_terminal_agrees() {
        let plain = |count| rows(&"x".repeat(count), 20);
        let counted = [0, 17, 18, 37, 38, 200].map(plain);
        assert_eq!(counted, [Some(1), Some(1), Some(2), Some(2), Some(3), None]);
        assert_eq!(rows("中中", 20), Some(1));
        assert_eq!(rows(&"中".repeat(10), 20), None);
        assert_eq!(rows("a\nb", 20), Some(2));
        assert_eq!(rows(&format!("a\n{}\n", "x".repeat(20)), 20), Some(4));
        assert_eq!(rows("a\tb", 20), None);
        assert_eq!(rows(&"a\n".repeat(8), 20), None);
    }

    #[test]
    fn a_line_that_is_accepted_takes_the_status_line_off_first() {
        let above = reading();
        above.set_status(Some("lead thinks".into()));
        above.drawn("> ");
        above.0.hold().reads = Reads::Accepts;
        assert_eq!(above.drawn("> "), format!("{CLEAR_ABOVE}> "));
        above.begin();
        assert_eq!(above.drawn("> "), "lead thinks\n> ");
    }
}
