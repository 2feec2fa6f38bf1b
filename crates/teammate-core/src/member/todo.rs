//! A member's todo list: the steps of its own turn. Work for other members is on the board.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    member::{Member, MemberPhase},
    status::TaskStatusKind,
};

/// The most items of a list.
pub const TODOS_MAX: usize = 20;

/// The most characters of an item.
const TEXT_MAX: usize = 500;

/// A member's own steps; shared work is a task. At most [`TODOS_MAX`] items, at most one of them in progress.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TodoList(Vec<Todo>);

impl TodoList {
    /// Does this to every text.
    pub(crate) fn each_text(&mut self, work: &mut dyn FnMut(&mut String)) {
        for item in &mut self.0 {
            work(&mut item.content);
            item.active_form.iter_mut().for_each(&mut *work);
        }
    }
}

/// One item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// The step that is to be done.
    pub content: String,
    /// How far it is.
    pub status: TodoStatus,
    /// The present-tense form: `Running the tests`.
    #[serde(
        rename = "activeForm",
        alias = "active_form",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub active_form: Option<String>,
}

/// How far an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    Pending,
    /// Being worked on.
    InProgress,
    Completed,
}

impl TodoStatus {
    /// The mark before an item: that of a task that stands so.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Pending => TaskStatusKind::Pending.mark(),
            Self::InProgress => TaskStatusKind::InProgress.mark(),
            Self::Completed => TaskStatusKind::Completed.mark(),
        }
    }
}

/// Why a list cannot be. Items count from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TodoError {
    /// More items than a list may have.
    #[error("there are {0} items; a list has at most {TODOS_MAX}")]
    TooMany(usize),
    #[error("item {item}: `{field}` is empty")]
    Empty { item: usize, field: &'static str },
    #[error("item {item}: `{field}` is longer than {TEXT_MAX} characters")]
    TooLong { item: usize, field: &'static str },
    #[error("items {first} and {second} are both in_progress; only one may be")]
    TwoInProgress { first: usize, second: usize },
}

impl TodoList {
    /// The items, in order.
    pub fn items(&self) -> &[Todo] {
        &self.0
    }

    /// A list of these items, if they can be one.
    pub fn new(items: Vec<Todo>) -> Result<Self, TodoError> {
        if items.len() > TODOS_MAX {
            return Err(TodoError::TooMany(items.len()));
        }
        let mut first = None;
        for (item, todo) in (1..).zip(&items) {
            fits(item, "content", &todo.content)?;
            if let Some(text) = &todo.active_form {
                fits(item, "activeForm", text)?;
            }
            match (first, todo.status) {
                (Some(first), TodoStatus::InProgress) => {
                    return Err(TodoError::TwoInProgress {
                        first,
                        second: item,
                    });
                }
                (None, TodoStatus::InProgress) => first = Some(item),
                (_, TodoStatus::Pending | TodoStatus::Completed) => {}
            }
        }
        Ok(Self(items))
    }

    /// Whether something on it is left to do.
    pub fn is_open(&self) -> bool {
        self.0
            .iter()
            .any(|todo| todo.status != TodoStatus::Completed)
    }

    /// The current step, in its active form if it has one.
    pub fn doing(&self) -> Option<&str> {
        let todo = self
            .0
            .iter()
            .find(|todo| todo.status == TodoStatus::InProgress)?;
        Some(todo.active_form.as_deref().unwrap_or(&todo.content))
    }
}

fn fits(item: usize, field: &'static str, text: &str) -> Result<(), TodoError> {
    if text.trim().is_empty() {
        Err(TodoError::Empty { item, field })
    } else if text.chars().count() > TEXT_MAX {
        Err(TodoError::TooLong { item, field })
    } else {
        Ok(())
    }
}

impl fmt::Display for TodoList {
    /// `[x] done`, `[>] being done <- its active form`, `[ ] not begun`, and how many are done.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for todo in &self.0 {
            write!(f, "{} {}", todo.status.mark(), todo.content)?;
            if let (TodoStatus::InProgress, Some(form)) = (todo.status, &todo.active_form) {
                write!(f, " <- {form}")?;
            }
            writeln!(f)?;
        }
        let done = self
            .0
            .iter()
            .filter(|todo| todo.status == TodoStatus::Completed)
            .count();
        write!(f, "({done}/{} completed)", self.0.len())
    }
}

impl Member {
    /// The member's state for the user: its phase, what blocks it, and in a turn its current todo item.
    pub fn describe(&self) -> String {
        let phase = self.with_remark(self.phase.describe());
        match self.doing() {
            Some(doing) => format!("{phase}: {doing}"),
            None => phase,
        }
    }

    /// Its phase, in the words given, with what keeps it from working.
    pub fn with_remark(&self, phase: String) -> String {
        match self
            .gate
            .status_text()
            .filter(|_| self.phase != MemberPhase::Stopped)
        {
            Some(remark) => format!("{phase} ({remark})"),
            None => phase,
        }
    }

    /// Its current todo item, while it is in a turn.
    pub fn doing(&self) -> Option<&str> {
        self.todos.doing().filter(|_| self.phase.is_busy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn todo(content: &str, status: TodoStatus) -> Todo {
        Todo {
            content: content.into(),
            status,
            active_form: None,
        }
    }

    #[test]
    fn a_list_shows_how_far_it_is() {
        let running = Todo {
            active_form: Some("Running the tests".into()),
            ..todo("Run the tests", TodoStatus::InProgress)
        };
        let list = TodoList::new(vec![
            todo("Read", TodoStatus::Completed),
            running,
            todo("Write", TodoStatus::Pending),
        ])
        .unwrap();
        assert_eq!(
            list.to_string(),
            "[x] Read\n[>] Run the tests <- Running the tests\n[ ] Write\n(1/3 completed)"
        );
        assert_eq!(list.doing(), Some("Running the tests"));
        assert!(list.is_open());
        let done = TodoList::new(vec![todo("Read", TodoStatus::Completed)]).unwrap();
        assert!(!done.is_open() && !TodoList::default().is_open());
        assert_eq!(TodoList::default().to_string(), "(0/0 completed)");
    }

    #[test]
    fn a_list_is_written_down_in_words_that_stay() {
        let written = r#"{"event":"todos","member":"lead","incarnation":1,"items":[{"content":"a","status":"pending"},{"content":"b","status":"in_progress","activeForm":"B"}]}"#;
        let event: crate::team::TeamEvent = serde_json::from_str(written).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), written);
    }

    #[test]
    fn a_list_that_cannot_be_says_which_item() {
        let refused = |items| TodoList::new(items).unwrap_err().to_string();
        let at = TodoStatus::InProgress;
        assert_eq!(
            refused(vec![
                todo("a", at),
                todo("b", TodoStatus::Pending),
                todo("c", at)
            ]),
            "items 1 and 3 are both in_progress; only one may be"
        );
        assert_eq!(
            refused(vec![todo("a", at), todo(" ", TodoStatus::Pending)]),
            "item 2: `content` is empty"
        );
        let empty_form = Todo {
            active_form: Some(String::new()),
            ..todo("a", at)
        };
        assert_eq!(refused(vec![empty_form]), "item 1: `activeForm` is empty");
        assert!(refused(vec![todo(&"x".repeat(501), at)]).contains("longer than 500"));
        let many = vec![todo("a", TodoStatus::Pending); 21];
        assert!(refused(many).contains("21 items"));
    }
}
