//! Shows what happens above the prompt: whole lines, the lead's text as soon as a line of it is full.

use std::sync::{Arc, Mutex, PoisonError};

use teammate::{EventFeed, platform::terminal_width};

use crate::screen::{Lines, Shown, Style, Wrap};

/// Used where the terminal does not tell its width.
const WIDTH: usize = 80;

/// Prints lines where they do not disturb the prompt. Cheap to clone.
#[derive(Clone)]
pub(super) struct Print(Arc<Mutex<dyn FnMut(String) + Send>>);

impl Print {
    pub(super) fn new(print: impl FnMut(String) + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(print)))
    }

    pub(super) fn line(&self, line: &str) {
        let mut print = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        print(format!("{line}\n"));
    }

    /// Prints a sentence, broken between words where the terminal ends.
    pub(super) fn words(&self, text: &str) {
        let mut words = wrap(terminal_width(std::io::stdout()));
        let lines = words.take(text);
        lines
            .into_iter()
            .chain(words.rest())
            .for_each(|line| self.line(&line));
    }
}

fn wrap(width: Option<usize>) -> Wrap {
    Wrap::new(width.unwrap_or(WIDTH).saturating_sub(1))
}

/// Shows everything until the feed ends.
pub(super) async fn follow(mut feed: EventFeed, print: Print) {
    let width = terminal_width(std::io::stdout());
    let mut lines = Lines::new(Style::for_stdout(), width);
    let mut words = wrap(width);
    while let Some(event) = feed.next().await {
        for shown in lines.show(&event) {
            match shown {
                Shown::Lead(piece) => words.take(&piece).iter().for_each(|line| print.line(line)),
                Shown::LeadEnd => words.rest().iter().for_each(|line| print.line(line)),
                Shown::Line(line) => {
                    // What others do does not break the lead's sentence; it goes on below.
                    if event.member.is_lead() {
                        words.rest().iter().for_each(|line| print.line(line));
                    }
                    print.line(&line);
                }
            }
        }
    }
}
