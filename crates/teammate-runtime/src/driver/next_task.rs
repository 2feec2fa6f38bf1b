//! Work that an idle member begins without mail: it looks at the board.

use std::time::Duration;

use teammate_core::{
    Message, MessageKind,
    board::{Task, TaskCommand, TaskEvent, TaskId},
    mail::Metadata,
    team::{Command, NextTask, TeamEvent},
};
use tokio::time::Instant;

use super::Driver;
use crate::ledger::LedgerError;

/// The pause after the board could not be asked.
const BOARD_RETRY_PAUSE: Duration = Duration::from_secs(1);

impl Driver {
    /// The next thing to do, if there is any; claimed, so that no other member does it.
    pub(super) async fn find_task(&mut self) -> Option<Message> {
        // A member with a pending shutdown begins nothing.
        if self.open_shutdown().is_some() {
            return None;
        }
        if self.base.is_paused() {
            self.is_held = true;
            return None;
        }
        // Who may not ask its model leaves the work to others.
        self.parts.meter.require_budget(&self.name).ok()?;
        let team = self.base.ledger.team();
        let member = team.member(&self.name)?;
        let is_current = member.incarnation == self.incarnation;
        let next = team.next_for(member).filter(|_| is_current);
        // Many claim at the same moment: each claim would copy the board while this is kept.
        drop(team);
        let found = match next? {
            NextTask::Continue(task) => self.continue_or_nudge(task).await,
            NextTask::Claim(_) => self.claim_next().await,
        };
        self.is_turn_for_task = found.is_some();
        found
    }

    /// A task that was put on the board by the answer that spawned the member: it hears both at once, and so begins one turn
    /// instead of two.
    pub(super) async fn task_beside_prompt(&mut self) -> Option<Message> {
        let first = self.first_task.take()?;
        let next = {
            let team = self.base.ledger.team();
            team.next_for(team.member(&self.name)?)?
        };
        match next {
            NextTask::Claim(task) if task >= first => self.find_task().await,
            NextTask::Claim(_) | NextTask::Continue(_) => None,
        }
    }

    async fn claim_next(&mut self) -> Option<Message> {
        let take = TaskCommand::ClaimNext(self.name.clone(), self.incarnation);
        match self.base.ledger.decide(Command::Task(take)).await {
            Ok(events) => events.iter().find_map(|event| match event {
                TeamEvent::Task {
                    task,
                    change: TaskEvent::Claimed { .. },
                } => self.task_assignment(*task),
                _ => None,
            }),
            Err(error) => self.retry_later(&error),
        }
    }

    fn retry_later(&mut self, error: &LedgerError) -> Option<Message> {
        let text = format!("the board could not be read: {error}; trying again in a moment");
        self.base.feed.note(&self.name, text);
        self.retry_mail_at = Some(Instant::now() + BOARD_RETRY_PAUSE);
        None
    }

    /// Continues the task in progress: sends its assignment, or a reminder.
    async fn continue_or_nudge(&mut self, task: TaskId) -> Option<Message> {
        let work = self.task_assignment(task)?;
        if !self.agent.conversation().has_heard(&work.id) {
            return Some(work);
        }
        let nudge = TaskCommand::Nudge(self.name.clone(), self.incarnation, task);
        match self.base.ledger.decide(Command::Task(nudge)).await {
            Ok(events) if events.is_empty() => return None,
            Ok(_) => {}
            Err(error) => return self.retry_later(&error),
        }
        let team = self.base.ledger.team();
        let known = team.board().task(task)?;
        let id = team.nudge_id(known)?;
        Some(self.message(
            id,
            known,
            team.nudge_text(known, &self.base.setup.tool_names),
        ))
    }

    fn task_assignment(&self, task: TaskId) -> Option<Message> {
        let team = self.base.ledger.team();
        let known = team.board().task(task)?;
        Some(self.message(
            team.task_assignment_id(known)?,
            known,
            team.task_assignment_text(known, &self.base.setup.tool_names),
        ))
    }

    fn message(&self, id: teammate_core::MessageId, task: &Task, content: String) -> Message {
        Message {
            id,
            kind: MessageKind::TaskAssignment,
            from: task.by.clone(),
            from_incarnation: None,
            to: self.name.clone(),
            to_incarnation: Some(self.incarnation),
            content,
            sent_at: self.base.ports.clock.now(),
            wakes: None,
            request_id: None,
            metadata: Metadata {
                task: Some(task.id),
                ..Metadata::default()
            },
        }
    }
}
