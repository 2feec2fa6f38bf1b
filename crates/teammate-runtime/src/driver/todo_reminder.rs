//! A reminder to a member that has not updated its unfinished todo list for long. It is added to an outcome, so it
//! costs no extra model call, and the bytes sent before stay the same.

use teammate_core::{
    team::TodoList,
    tool::{Outcome, OutcomePart, ToolNames},
};

/// After so many rounds without a change of an open list.
const ROUNDS_WITHOUT_CHANGE: u32 = 10;

const REMINDER: &str = "<system>Your todo list has not changed for a while. If it is out of date, update it with {tool:todo_write}. Do not mention this.</system>";

/// How long the list has been as it is.
#[derive(Default)]
pub(super) struct TodoReminder {
    seen: TodoList,
    rounds: u32,
    /// An outcome of this round carries the reminder.
    is_due: bool,
}

impl TodoReminder {
    /// A round begins with this list.
    pub(super) fn count_round(&mut self, list: &TodoList) {
        if self.seen != *list {
            self.seen = list.clone();
            self.rounds = 0;
        }
        self.rounds += u32::from(list.is_open());
        self.is_due = self.rounds >= ROUNDS_WITHOUT_CHANGE;
        if self.is_due {
            self.rounds = 0;
        }
    }

    /// Whether the reminder is due; then it is not due again for as long.
    pub(super) fn take(&mut self) -> bool {
        std::mem::take(&mut self.is_due)
    }
}

/// The reminder, with the tool's name as the model knows it.
pub(super) fn nudge_text(names: &ToolNames) -> String {
    names.render(REMINDER)
}

/// The outcome with the reminder.
pub(super) fn with_reminder(mut outcome: Outcome, word: String) -> Outcome {
    outcome.parts.push(OutcomePart::Text(word));
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use teammate_core::team::{Todo, TodoStatus};

    fn list(status: TodoStatus) -> TodoList {
        let todo = Todo {
            content: "test it".into(),
            status,
            active_form: None,
        };
        TodoList::new(vec![todo]).unwrap()
    }

    #[test]
    fn an_open_list_is_recalled_every_ten_rounds_and_a_done_one_never() {
        let mut nudge = TodoReminder::default();
        let mut is_due = |list: &TodoList| {
            nudge.count_round(list);
            nudge.take()
        };
        let open = list(TodoStatus::Pending);
        let due: Vec<u32> = (1..=25).filter(|_| is_due(&open)).collect();
        assert_eq!(due, [10, 20]);
        // A change begins the count anew.
        let at = list(TodoStatus::InProgress);
        let due: Vec<u32> = (1..=10).filter(|_| is_due(&at)).collect();
        assert_eq!(due, [10]);
        let done = list(TodoStatus::Completed);
        assert!((1..=40).all(|_| !is_due(&done)));
        assert!((1..=40).all(|_| !is_due(&TodoList::default())));
    }
}
