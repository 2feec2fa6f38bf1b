//! What a member begins by itself: it looks at the board when it has nothing left to do.

use std::time::Duration;

use teammate_core::{
    Message, MessageKind,
    board::{Next, Task, TaskCommand, TaskEvent, TaskId},
    mail::Metadata,
    team::{Command, TeamEvent},
};
use tokio::time::Instant;

use super::Driver;
use crate::ledger::LedgerError;

/// The pause after the board could not be asked.
const SEEK_AGAIN: Duration = Duration::from_secs(1);

impl Driver {
    /// The next thing to do, if there is any; taken, so that nobody else does it.
    pub(super) async fn seek(&mut self) -> Option<Message> {
        // A member that is asked to shut down begins nothing.
        if self.shutdown().is_some() {
            return None;
        }
        // Who may not ask its model leaves the work to others.
        self.parts.meter.may_spend(&self.name).ok()?;
        let team = self.base.ledger.team();
        let member = team.member(&self.name)?;
        let is_current = member.incarnation == self.incarnation;
        let next = team.next_for(member).filter(|_| is_current);
        // Many claim at the same moment: each claim would copy the board while this is kept.
        drop(team);
        let found = match next? {
            Next::Own(task) => self.take_up(task).await,
            Next::Take(_) => self.take().await,
        };
        self.is_at_a_task = found.is_some();
        found
    }

    async fn take(&mut self) -> Option<Message> {
        let take = TaskCommand::Take(self.name.clone(), self.incarnation);
        match self.base.ledger.decide(Command::Task(take)).await {
            Ok(events) => events.iter().find_map(|event| match event {
                TeamEvent::Task {
                    task,
                    change: TaskEvent::Claimed { .. },
                } => self.work(*task),
                _ => None,
            }),
            Err(error) => self.seek_again(&error),
        }
    }

    fn seek_again(&mut self, error: &LedgerError) -> Option<Message> {
        let text = format!("the board could not be asked: {error}; trying again in a moment");
        self.base.feed.notice(&self.name, text);
        self.listen_again = Some(Instant::now() + SEEK_AGAIN);
        None
    }

    /// Goes on with what it has in hand: is told of it, or reminded.
    async fn take_up(&mut self, task: TaskId) -> Option<Message> {
        let work = self.work(task)?;
        if !self.agent.conversation().has_heard(&work.id) {
            return Some(work);
        }
        let nudge = TaskCommand::Nudge(self.name.clone(), self.incarnation, task);
        match self.base.ledger.decide(Command::Task(nudge)).await {
            Ok(events) if events.is_empty() => return None,
            Ok(_) => {}
            Err(error) => return self.seek_again(&error),
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

    fn work(&self, task: TaskId) -> Option<Message> {
        let team = self.base.ledger.team();
        let known = team.board().task(task)?;
        Some(self.message(
            team.work_id(known)?,
            known,
            team.work_text(known, &self.base.setup.tool_names),
        ))
    }

    fn message(&self, id: teammate_core::MessageId, task: &Task, content: String) -> Message {
        let mut metadata = Metadata::new();
        metadata.insert("task".to_owned(), task.id.number().into());
        Message {
            id,
            kind: MessageKind::TaskAssignment,
            from: task.by.clone(),
            from_incarnation: None,
            to: self.name.clone(),
            to_incarnation: Some(self.incarnation),
            content,
            sent_at: self.base.world.clock.now(),
            wakes: None,
            request_id: None,
            metadata,
        }
    }
}
