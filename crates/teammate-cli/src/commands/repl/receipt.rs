//! Receipts of words and answers when they are sent: a line or two below them.

use super::command::TypedAt;
use crate::{commands::typed::SentWords, screen::clean};
use teammate_view::t;

impl TypedAt<'_> {
    /// Says what came with the words, and that they are not heard at once.
    pub(super) fn receipt(&self, said: &SentWords) {
        for file in &said.files {
            self.printer.answer(&clean(&t!("  attached: {file}", file)));
        }
        if let Some(name) = said.queued_for.as_ref().filter(|_| self.is_terminal) {
            let whom = match name.is_lead() {
                true => String::new(),
                false => t!(" for {name}", name),
            };
            self.printer
                .answer(&t!("(queued{whom}; /recall takes it back)", whom));
        }
    }

    /// Says what an answer was. Where this process runs the team, the line about the question's end does, and comes at once; what
    /// another process does about the answer may come late, or never.
    pub(super) fn answered(&self, is_hosted: bool, receipt: &str) {
        if !is_hosted {
            self.printer.answer(&clean(receipt));
        }
    }
}
