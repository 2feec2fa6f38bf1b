//! What is known of words when they are sent: a line or two below them.

use super::command::TypedAt;
use crate::{commands::typed::Said, screen::clean};

impl TypedAt<'_> {
    /// Says what came with the words, and that they are not heard at once.
    pub(super) fn receipt(&self, said: &Said) {
        for file in &said.files {
            self.printer.answer(&clean(&format!("  attached: {file}")));
        }
        if let Some(name) = said.queued_for.as_ref().filter(|_| self.is_terminal) {
            let whom = match name.is_lead() {
                true => String::new(),
                false => format!(" for {name}"),
            };
            self.printer
                .answer(&format!("(queued{whom}; /recall takes it back)"));
        }
    }
}
