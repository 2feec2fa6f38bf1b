//! Makes tasks, changes them, and keeps their order.

use std::collections::BTreeSet;

use super::{Events, event};
use crate::{
    board::{Actor, NewTask, TASKS_MAX, Task, TaskEdit, TaskRefusal},
    id::TaskId,
    task::TaskEvent,
    team::{TeamEvent, TeamState},
};

const SUBJECT_BYTES_MAX: usize = 500;
const TEXT_BYTES_MAX: usize = 32 * 1024;
const CHECK_BYTES_MAX: usize = 4 * 1024;

impl TeamState {
    pub(super) fn create_task(&self, by: &Actor, new: &NewTask) -> Events {
        self.must_lead(by, "put tasks on the board")?;
        if self.board().created_by(&new.call).is_some() {
            return Ok(Vec::new());
        }
        let count = self.board().progress().total();
        if count >= TASKS_MAX {
            return Err(TaskRefusal::Full(count).into());
        }
        self.require_sizes(
            Some(&new.subject),
            Some(&new.description),
            new.check.as_deref(),
        )?;
        for id in new.blocked_by.iter().chain(&new.blocks) {
            self.existing_task(*id)?;
        }
        let id = self.board().next_id();
        self.require_apart(id, &new.blocked_by, &new.blocks)?;
        let created = new.created(by);
        if let Some(to) = &new.assigned {
            self.must_fit(to, &Task::created(id, &created, crate::Timestamp(0)))?;
        }
        let mut events = vec![event(id, created)];
        events.extend(new.blocks.iter().map(|later| blocked_event(by, *later, id)));
        Ok(events)
    }

    pub(super) fn edit_task(&self, by: &Actor, id: TaskId, edit: &TaskEdit) -> Events {
        let task = self.existing_task(id)?;
        let only_words = TaskEdit {
            description: edit.description.clone(),
            active_form: edit.active_form.clone(),
            ..TaskEdit::default()
        };
        if *edit == only_words {
            self.must_own(by, task)?;
        } else {
            self.must_lead(
                by,
                "change a task's subject, blockers, requirement or check",
            )?;
        }
        let check = edit.check.as_ref().and_then(Option::as_deref);
        self.require_sizes(edit.subject.as_deref(), edit.description.as_deref(), check)?;
        for blocker in &edit.add_blocked_by {
            self.require_no_cycle(id, *blocker)?;
        }
        for later in &edit.add_blocks {
            self.require_no_cycle(*later, id)?;
        }
        self.require_apart(id, &edit.add_blocked_by, &edit.add_blocks)?;
        let mut events: Vec<TeamEvent> = edit
            .add_blocks
            .iter()
            .filter(|later| !task.blocks.contains(later))
            .map(|later| blocked_event(by, *later, id))
            .collect();
        let edited = edit.edited(by);
        if task.would_change(&edited) {
            events.push(event(id, edited));
        }
        Ok(events)
    }

    pub(super) fn require_no_cycle(
        &self,
        task: TaskId,
        blocker: TaskId,
    ) -> Result<(), TaskRefusal> {
        self.existing_task(task)?;
        self.existing_task(blocker)?;
        if task == blocker || self.waits_for(blocker, task) {
            return Err(TaskRefusal::Circle { task, blocker });
        }
        Ok(())
    }

    /// Refuses new links between earlier and later tasks that make a later one wait for itself.
    pub(super) fn require_apart(
        &self,
        between: TaskId,
        earlier: &BTreeSet<TaskId>,
        later: &BTreeSet<TaskId>,
    ) -> Result<(), TaskRefusal> {
        for later in later {
            for earlier in earlier {
                if earlier == later || self.waits_for(*earlier, *later) {
                    return Err(TaskRefusal::Circle {
                        task: *later,
                        blocker: between,
                    });
                }
            }
        }
        Ok(())
    }

    /// Whether `task` waits for `other`, directly or through others.
    pub(super) fn waits_for(&self, task: TaskId, other: TaskId) -> bool {
        let (mut seen, mut open) = (BTreeSet::new(), vec![task]);
        while let Some(id) = open.pop() {
            let Some(task) = self.board().task(id).filter(|_| seen.insert(id)) else {
                continue;
            };
            if task.blocked_by.contains(&other) {
                return true;
            }
            open.extend(&task.blocked_by);
        }
        false
    }

    pub(super) fn require_sizes(
        &self,
        subject: Option<&str>,
        description: Option<&str>,
        check: Option<&str>,
    ) -> Result<(), TaskRefusal> {
        if subject.is_some_and(|subject| subject.trim().is_empty()) {
            return Err(TaskRefusal::NoSubject);
        }
        let texts = [
            ("subject", subject, SUBJECT_BYTES_MAX),
            ("description", description, TEXT_BYTES_MAX),
            ("check", check, CHECK_BYTES_MAX),
        ];
        for (what, text, max) in texts {
            let bytes = text.map_or(0, str::len);
            if bytes > max {
                let what = what.into();
                return Err(TaskRefusal::TooLong { what, bytes, max });
            }
        }
        Ok(())
    }
}

fn blocked_event(by: &Actor, later: TaskId, earlier: TaskId) -> TeamEvent {
    let earlier = BTreeSet::from([earlier]);
    event(later, TaskEvent::blocked(by.sender(), earlier))
}
