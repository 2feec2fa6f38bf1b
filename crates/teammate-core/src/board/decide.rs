//! The rules of the board: a command against the whole team gives events, or a refusal that says what would have worked.

use std::{collections::BTreeSet, sync::Arc};

use super::{
    By, CHECKS_MAX, NewTask, Next, SETBACKS_MAX, State, TASKS_MAX, Task, TaskAsk, TaskCommand,
    TaskEdit, TaskEvent, TaskId, TaskRefusal,
};
use crate::{
    Incarnation, MemberName, Sender,
    team::{Member, Phase, Team, TeamEvent, TeamRefusal},
};

const SUBJECT_BYTES_MAX: usize = 500;
const TEXT_BYTES_MAX: usize = 32 * 1024;
const CHECK_BYTES_MAX: usize = 4 * 1024;
/// A longer result is cut: what is long belongs into a file.
const RESULT_BYTES_MAX: usize = 16 * 1024;

type Events = Result<Vec<TeamEvent>, TeamRefusal>;

impl Team {
    /// Decides what is asked of the board.
    pub(crate) fn decide_task(&self, command: &TaskCommand) -> Events {
        match command {
            TaskCommand::Asked { by, ask, verified } => self.asked(by, ask, verified.as_deref()),
            TaskCommand::Take(member, life) => self.take_task(member, *life),
            TaskCommand::CheckFailed { by, task, output } => self.check_failed(by, *task, output),
            TaskCommand::Withdraw(member, life, id, why) => {
                let held = self.in_hand(member, *life, *id)?;
                Ok(held.map(|task| set_back(task, why)).into_iter().collect())
            }
            TaskCommand::Nudge(member, life, id) => {
                let held = self.in_hand(member, *life, *id)?;
                Ok(held
                    .filter(|task| task.may_be_nudged())
                    .map(|task| event(task.id, TaskEvent::Nudged))
                    .into_iter()
                    .collect())
            }
        }
    }

    fn asked(&self, by: &By, ask: &TaskAsk, verified: Option<&str>) -> Events {
        // What comes from an earlier life is refused, also where it would change nothing.
        if let By::Member(name, life) = by {
            self.living(name, *life)?;
        }
        match ask {
            TaskAsk::Create(new) => self.create_task(by, new),
            TaskAsk::Edit(id, edit) => self.edit_task(by, *id, edit),
            TaskAsk::Claim(id) => match by {
                By::User => Err(TaskRefusal::UserClaims.into()),
                By::Member(name, life) => self.claim_task(name, *life, *id),
            },
            TaskAsk::Complete(id, result) => self.complete_task(by, *id, result, verified),
            TaskAsk::Fail(id, why) => self.fail_task(by, *id, why),
            TaskAsk::Release(id, why) => self.release_task(by, *id, why),
            TaskAsk::Assign(id, to) => self.assign_task(by, *id, to),
            TaskAsk::Reopen(id, why) => self.reopen_task(by, *id, why),
            TaskAsk::Delete(id) => self.delete_task(by, *id),
        }
    }

    /// What happens to the task in a member's hand when its life ends.
    pub(crate) fn drop_task(&self, member: &MemberName, why: &str) -> Option<TeamEvent> {
        self.board().held_by(member).map(|task| set_back(task, why))
    }

    /// What happens to the task in a member's hand when it lives on in a new incarnation.
    pub(crate) fn keep_task(&self, member: &MemberName, life: Incarnation) -> Option<TeamEvent> {
        let task = self.board().held_by(member)?;
        Some(event(task.id, TaskEvent::Renewed { incarnation: life }))
    }

    fn create_task(&self, by: &By, new: &NewTask) -> Events {
        self.must_lead(by, "put tasks on the board")?;
        if self.board().made_by(&new.call).is_some() {
            return Ok(Vec::new());
        }
        let count = self.board().progress().total();
        if count >= TASKS_MAX {
            return Err(TaskRefusal::Full(count).into());
        }
        self.check_words(
            Some(&new.subject),
            Some(&new.description),
            new.check.as_deref(),
        )?;
        for id in new.blocked_by.iter().chain(&new.blocks) {
            self.living_task(*id)?;
        }
        let id = self.board().next_id();
        self.must_not_meet(id, &new.blocked_by, &new.blocks)?;
        let created = TaskEvent::Created {
            by: by.sender(),
            call: new.call.clone(),
            subject: new.subject.trim().to_owned(),
            description: new.description.clone(),
            active_form: new.active_form.clone(),
            blocked_by: new.blocked_by.clone(),
            requires: new.requires.clone(),
            check: new.check.clone().filter(|check| !check.trim().is_empty()),
            worktree: new.worktree,
            team: new.team.clone(),
            assigned: new.assigned.clone(),
        };
        if let Some(to) = &new.assigned {
            self.must_fit(to, &Task::created(id, &created, crate::Timestamp(0)))?;
        }
        let mut events = vec![event(id, created)];
        events.extend(new.blocks.iter().map(|later| waits(by, *later, id)));
        Ok(events)
    }

    fn edit_task(&self, by: &By, id: TaskId, edit: &TaskEdit) -> Events {
        let task = self.living_task(id)?;
        let only_words = TaskEdit {
            description: edit.description.clone(),
            active_form: edit.active_form.clone(),
            ..TaskEdit::default()
        };
        if *edit == only_words {
            self.must_own(by, task)?;
        } else {
            self.must_lead(by, "change a task's subject, order or demands")?;
        }
        let check = edit.check.as_ref().and_then(Option::as_deref);
        self.check_words(edit.subject.as_deref(), edit.description.as_deref(), check)?;
        for blocker in &edit.add_blocked_by {
            self.must_not_circle(id, *blocker)?;
        }
        for later in &edit.add_blocks {
            self.must_not_circle(*later, id)?;
        }
        self.must_not_meet(id, &edit.add_blocked_by, &edit.add_blocks)?;
        let mut events: Vec<TeamEvent> = edit
            .add_blocks
            .iter()
            .filter(|later| !task.blocks.contains(later))
            .map(|later| waits(by, *later, id))
            .collect();
        let edited = TaskEvent::Edited {
            by: by.sender(),
            subject: edit.subject.as_ref().map(|text| text.trim().to_owned()),
            description: edit.description.clone(),
            active_form: edit.active_form.clone(),
            add_blocked_by: edit.add_blocked_by.clone(),
            remove_blocked_by: edit.remove_blocked_by.clone(),
            requires: edit
                .requires
                .as_ref()
                .map(|new| new.as_ref().map(ToString::to_string).unwrap_or_default()),
            check: edit
                .check
                .as_ref()
                .map(|new| new.clone().unwrap_or_default()),
        };
        if task.would_change(&edited) {
            events.push(event(id, edited));
        }
        Ok(events)
    }

    fn claim_task(&self, name: &MemberName, life: Incarnation, id: TaskId) -> Events {
        let member = self.living(name, life)?;
        if member.phase == Phase::Stopped {
            return Err(TaskRefusal::Stopped(name.clone()).into());
        }
        let task = self.living_task(id)?;
        match &task.state {
            State::InProgress { owner, .. } if owner == name => return Ok(Vec::new()),
            State::InProgress { owner, .. } => {
                return Err(TaskRefusal::Claimed {
                    task: id,
                    owner: owner.clone(),
                }
                .into());
            }
            State::Pending { assigned: Some(to) } if to != name => {
                return Err(TaskRefusal::AssignedTo {
                    task: id,
                    to: to.clone(),
                }
                .into());
            }
            State::Pending { .. } => {}
            State::Completed { .. } | State::Failed { .. } | State::Deleted => {
                return Err(status(task, "claimed", "").into());
            }
        }
        self.must_be_free(task, "claimed")?;
        must_meet(member, task)?;
        if let Some(held) = self.board().held_by(name) {
            return Err(TaskRefusal::Busy {
                member: name.clone(),
                held: held.id,
            }
            .into());
        }
        Ok(vec![claimed(member, task)])
    }

    fn take_task(&self, name: &MemberName, life: Incarnation) -> Events {
        let member = self.living(name, life)?;
        match self.next_for(member) {
            Some(Next::Take(id)) => {
                let task = self.living_task(id)?;
                Ok(vec![claimed(member, task)])
            }
            Some(Next::Own(_)) | None => Ok(Vec::new()),
        }
    }

    fn complete_task(&self, by: &By, id: TaskId, result: &str, verified: Option<&str>) -> Events {
        let task = self.living_task(id)?;
        match &task.state {
            State::Completed { by: earlier, .. } if *earlier == by.sender() || by.leads() => {
                return Ok(Vec::new());
            }
            State::InProgress { .. } => self.must_own(by, task)?,
            State::Pending { .. } if by.leads() => {}
            State::Pending { .. } => {
                return Err(status(task, "completed", "; claim it first (claim_task)").into());
            }
            State::Completed { .. } => return Err(not_yours(task).into()),
            State::Failed { .. } | State::Deleted => {
                return Err(status(task, "completed", "; the lead can reopen it").into());
            }
        }
        self.must_be_free(task, "completed")?;
        if let Some(check) = &task.check
            && verified != Some(check)
        {
            return Err(TaskRefusal::Unverified {
                task: id,
                check: check.clone(),
            }
            .into());
        }
        let completed = TaskEvent::Completed {
            by: by.sender(),
            result: cut(result),
        };
        Ok(vec![event(id, completed)])
    }

    fn check_failed(&self, by: &By, id: TaskId, output: &str) -> Events {
        let task = self.living_task(id)?;
        let State::InProgress { checks, .. } = &task.state else {
            return Ok(Vec::new());
        };
        self.must_own(by, task)?;
        let failed = TaskEvent::CheckFailed {
            by: by.sender(),
            output: cut(output),
        };
        let mut events = vec![event(id, failed)];
        if checks + 1 >= CHECKS_MAX {
            let why = format!(
                "its check failed {CHECKS_MAX} times; the last time: {}",
                cut(output)
            );
            events.push(event(
                id,
                TaskEvent::Failed {
                    by: Sender::System,
                    why,
                },
            ));
        }
        Ok(events)
    }

    fn fail_task(&self, by: &By, id: TaskId, why: &str) -> Events {
        let task = self.living_task(id)?;
        match &task.state {
            State::Failed { .. } => return Ok(Vec::new()),
            State::InProgress { .. } => self.must_own(by, task)?,
            State::Pending { .. } => self.must_lead(by, "fail a task that nobody has in hand")?,
            State::Completed { .. } | State::Deleted => {
                return Err(status(task, "failed", "").into());
            }
        }
        let failed = TaskEvent::Failed {
            by: by.sender(),
            why: cut(why),
        };
        Ok(vec![event(id, failed)])
    }

    fn release_task(&self, by: &By, id: TaskId, why: &str) -> Events {
        let task = self.living_task(id)?;
        match &task.state {
            State::Pending { .. } => return Ok(Vec::new()),
            State::InProgress { .. } => self.must_own(by, task)?,
            State::Completed { .. } | State::Failed { .. } | State::Deleted => {
                return Err(status(task, "given back", "; the lead can reopen it").into());
            }
        }
        let released = TaskEvent::Released {
            by: by.sender(),
            why: cut(why),
            is_setback: false,
        };
        Ok(vec![event(id, released)])
    }

    fn assign_task(&self, by: &By, id: TaskId, to: &MemberName) -> Events {
        self.must_lead(by, "assign tasks")?;
        let task = self.living_task(id)?;
        match &task.state {
            State::Pending {
                assigned: Some(known),
            } if known == to => return Ok(Vec::new()),
            State::InProgress { owner, .. } if owner == to => return Ok(Vec::new()),
            State::Pending { .. } | State::InProgress { .. } => {}
            State::Completed { .. } | State::Failed { .. } | State::Deleted => {
                return Err(status(task, "assigned", "; reopen it first").into());
            }
        }
        self.must_fit(to, task)?;
        let assigned = TaskEvent::Assigned {
            by: by.sender(),
            to: to.clone(),
            had: task.holder().cloned(),
        };
        Ok(vec![event(id, assigned)])
    }

    fn reopen_task(&self, by: &By, id: TaskId, why: &str) -> Events {
        self.must_lead(by, "reopen tasks")?;
        let task = self.living_task(id)?;
        if matches!(task.state, State::Pending { assigned: None }) {
            return Ok(Vec::new());
        }
        let reopened = TaskEvent::Reopened {
            by: by.sender(),
            why: cut(why),
            had: task.holder().cloned(),
        };
        Ok(vec![event(id, reopened)])
    }

    fn delete_task(&self, by: &By, id: TaskId) -> Events {
        self.must_lead(by, "delete tasks")?;
        let task = self.known_task(id)?;
        if task.state == State::Deleted {
            return Ok(Vec::new());
        }
        Ok(vec![event(
            id,
            TaskEvent::Deleted {
                by: by.sender(),
                had: task.holder().cloned(),
            },
        )])
    }

    /// The task, if this member has it in hand in this life.
    fn in_hand(
        &self,
        name: &MemberName,
        life: Incarnation,
        id: TaskId,
    ) -> Result<Option<&Arc<Task>>, TeamRefusal> {
        self.living(name, life)?;
        Ok(self.board().held_by(name).filter(|task| task.id == id))
    }

    pub(super) fn known_task(&self, id: TaskId) -> Result<&Arc<Task>, TaskRefusal> {
        self.board().task(id).ok_or_else(|| TaskRefusal::Unknown {
            task: id,
            known: match self.board().next_id().number() - 1 {
                0 => "the board is empty".to_owned(),
                1 => "there is task #1".to_owned(),
                last => format!("there are tasks #1 to #{last}"),
            },
        })
    }

    fn living_task(&self, id: TaskId) -> Result<&Arc<Task>, TaskRefusal> {
        let task = self.known_task(id)?;
        if task.state == State::Deleted {
            return Err(status(task, "changed", ""));
        }
        Ok(task)
    }

    fn must_lead(&self, by: &By, what: &'static str) -> Result<(), TeamRefusal> {
        match by {
            By::User => Ok(()),
            By::Member(name, life) => {
                self.living(name, *life)?;
                if name.is_lead() {
                    Ok(())
                } else {
                    Err(TaskRefusal::OnlyLead { what }.into())
                }
            }
        }
    }

    /// The owner in the life in which it claimed, the lead, or the user.
    fn must_own(&self, by: &By, task: &Task) -> Result<(), TeamRefusal> {
        match by {
            By::User => Ok(()),
            By::Member(name, life) => {
                self.living(name, *life)?;
                let owns = matches!(&task.state, State::InProgress { owner, lease, .. } if owner == name && lease.incarnation == *life);
                if name.is_lead() || owns {
                    Ok(())
                } else {
                    Err(not_yours(task).into())
                }
            }
        }
    }

    fn must_be_free(&self, task: &Task, what: &'static str) -> Result<(), TaskRefusal> {
        let blockers = self.board().open_blockers(task);
        if blockers.is_empty() {
            Ok(())
        } else {
            Err(TaskRefusal::Blocked {
                task: task.id,
                blockers,
                what,
            })
        }
    }

    fn must_fit(&self, to: &MemberName, task: &Task) -> Result<(), TeamRefusal> {
        let member = self
            .member(to)
            .ok_or_else(|| TeamRefusal::Unknown(to.clone()))?;
        if member.phase == Phase::Stopped {
            return Err(TaskRefusal::Stopped(to.clone()).into());
        }
        Ok(must_meet(member, task)?)
    }

    fn must_not_circle(&self, task: TaskId, blocker: TaskId) -> Result<(), TaskRefusal> {
        self.living_task(task)?;
        self.living_task(blocker)?;
        if task == blocker || self.waits_for(blocker, task) {
            return Err(TaskRefusal::Circle { task, blocker });
        }
        Ok(())
    }

    /// What is new between earlier and later tasks must not make a later one wait for itself.
    fn must_not_meet(
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
    fn waits_for(&self, task: TaskId, other: TaskId) -> bool {
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

    fn check_words(
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
                return Err(TaskRefusal::TooLong { what, bytes, max });
            }
        }
        Ok(())
    }
}

fn event(task: TaskId, change: TaskEvent) -> TeamEvent {
    TeamEvent::Task { task, change }
}

fn claimed(member: &Member, task: &Task) -> TeamEvent {
    let claimed = TaskEvent::Claimed {
        by: member.name.clone(),
        incarnation: member.incarnation,
        claim: task.claims + 1,
    };
    event(task.id, claimed)
}

fn waits(by: &By, later: TaskId, earlier: TaskId) -> TeamEvent {
    let edited = TaskEvent::Edited {
        by: by.sender(),
        subject: None,
        description: None,
        active_form: None,
        add_blocked_by: BTreeSet::from([earlier]),
        remove_blocked_by: BTreeSet::new(),
        requires: None,
        check: None,
    };
    event(later, edited)
}

/// Back to the board, or failed if that has happened too often.
fn set_back(task: &Arc<Task>, why: &str) -> TeamEvent {
    let change = if task.setbacks + 1 >= SETBACKS_MAX {
        TaskEvent::Failed {
            by: Sender::System,
            why: format!(
                "given up after {SETBACKS_MAX} members ended without finishing it; the last: {}",
                cut(why)
            ),
        }
    } else {
        TaskEvent::Released {
            by: Sender::System,
            why: cut(why),
            is_setback: true,
        }
    };
    event(task.id, change)
}

fn must_meet(member: &Member, task: &Task) -> Result<(), TaskRefusal> {
    if task.is_for(member) {
        return Ok(());
    }
    let requires = match (&task.requires, &task.team) {
        (Some(requires), _) if !requires.is_met_by(member) => requires.to_string(),
        (_, Some(team)) => format!("a member of team '{team}'"),
        (_, None) => String::new(),
    };
    Err(TaskRefusal::Unfit {
        task: task.id,
        requires,
        member: member.name.clone(),
    })
}

fn status(task: &Task, what: &'static str, hint: &'static str) -> TaskRefusal {
    TaskRefusal::Status {
        task: task.id,
        what,
        status: task.state.word(),
        hint,
    }
}

fn not_yours(task: &Task) -> TaskRefusal {
    let owner = match task.owner() {
        Some(owner) => format!(", it is {owner}'s"),
        None => String::new(),
    };
    TaskRefusal::NotYours {
        task: task.id,
        owner,
    }
}

fn cut(text: &str) -> String {
    let text = text.trim();
    if text.len() <= RESULT_BYTES_MAX {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(RESULT_BYTES_MAX);
    format!("{} ... (cut: keep what is long in a file)", &text[..end])
}
