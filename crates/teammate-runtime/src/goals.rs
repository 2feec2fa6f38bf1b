//! Keeps the team at its goal while the lead runs here: whenever the team rests, the goal's check is run, as a command of the user
//! in the sandbox, and the lead reads what came of it and goes on. What a run means is core's (`team::Goals`): it counts once, over
//! restarts, and ends the goal that is reached or stuck.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    board::Evidence,
    port::Refusal,
    team::{Command, Goal, GoalCommand, GoalEnd, GoalEvent, GoalRun, MessageCause, TeamEvent},
};

use crate::{
    base::Base,
    idle_wait::IdleWait,
    mailer::{MailDraft, Mailer},
    owned_task::OwnedTask,
    spending::UsageMeter,
    team_service::TeamService,
};

/// The goals of a team whose lead runs here. Ends when dropped.
pub(crate) struct GoalWatch {
    pursuit: GoalPursuit,
    running: OwnedTask,
}

#[derive(Clone)]
pub(crate) struct GoalPursuit {
    pub(crate) base: Arc<Base>,
    pub(crate) mailer: Arc<Mailer>,
    pub(crate) meter: Arc<UsageMeter>,
    pub(crate) rest: Arc<IdleWait>,
    pub(crate) team_service: TeamService,
}

impl GoalWatch {
    pub(crate) fn of(pursuit: GoalPursuit) -> Self {
        Self {
            pursuit,
            running: OwnedTask::default(),
        }
    }

    /// Keeps the team at its goal from now on.
    pub(crate) fn begin(&self) {
        self.running.begin(self.pursuit.clone().run());
    }

    /// No check is run any more: the team closes, or another worker has the lead.
    pub(crate) fn end(&self) {
        self.running.end();
    }
}

impl GoalPursuit {
    /// Runs until it is dropped.
    async fn run(self) {
        loop {
            let goal = self.rest.wait_goal_due().await;
            if self.base.ledger.is_closed() {
                return;
            }
            if let Err(refusal) = self.step(&goal).await {
                let text = format!("the goal {} waits: {refusal}", goal.id);
                self.base.feed.note(&MemberName::lead(), text);
                // Not again before something has changed.
                let mut changes = self.base.ledger.changes();
                changes.borrow_and_update();
                if changes.changed().await.is_err() {
                    return;
                }
            }
        }
    }

    /// One step of a team that rests: the lead hears of the last run, or the check is run.
    async fn step(&self, goal: &Goal) -> Result<(), Refusal> {
        if goal.is_untold {
            return self.send_news(goal).await;
        }
        if let Err(what) = self.meter.require_budget(&MemberName::lead()) {
            return self.end(goal, GoalEnd::Budget { what }).await;
        }
        let run = match self.run_check(goal).await {
            Ok(run) => run,
            Err(what) => return self.end(goal, GoalEnd::Unchecked { what }).await,
        };
        let (goal, number) = (goal.id, goal.tries + 1);
        let tried = GoalCommand::Try { goal, number, run };
        self.decide(tried).await
    }

    /// Sent again after a crash, the message has the same id, and is heard once.
    async fn send_news(&self, goal: &Goal) -> Result<(), Refusal> {
        let cause = MessageCause::Goal(goal.id, goal.tries);
        let id = self.base.ledger.team().message_id(cause);
        let news = goal.news().unwrap_or_default();
        let draft = MailDraft {
            wakes: true,
            ..MailDraft::notice(id, &MemberName::lead(), news)
        };
        self.mailer.send(draft).await?;
        let (goal, number) = (goal.id, goal.tries);
        self.decide(GoalCommand::Tell { goal, number }).await
    }

    async fn end(&self, goal: &Goal, end: GoalEnd) -> Result<(), Refusal> {
        let goal = goal.id;
        self.decide(GoalCommand::End { goal, end }).await
    }

    async fn decide(&self, command: GoalCommand) -> Result<(), Refusal> {
        let events = self.base.ledger.decide(Command::Goal(command)).await?;
        for event in &events {
            self.note(event);
        }
        self.base.activity.recheck();
        Ok(())
    }

    /// Runs the check where the team works. An error is why it could not be run.
    async fn run_check(&self, goal: &Goal) -> Result<GoalRun, String> {
        let call = format!("check-{}-{}", goal.id, goal.tries + 1);
        let ran = self.team_service.run_as_user(&call, &goal.check).await?;
        let files = match &self.base.ports.worktrees {
            Some(worktrees) => worktrees.files(&self.base.workspace.root).await,
            None => None,
        };
        Ok(GoalRun {
            exit: ran.exit,
            took_ms: ran.took_ms,
            tail: Evidence::tail_of(&ran.output).to_owned(),
            files,
        })
    }

    /// Says to the user what came of a run.
    fn note(&self, event: &TeamEvent) {
        let TeamEvent::Goal { goal, change } = event else {
            return;
        };
        let text = match change {
            GoalEvent::Tried { number, run } => {
                format!("goal {goal}, try {number}: its check {}", run.describe())
            }
            GoalEvent::Ended { end } => format!("goal {goal} {}", end.describe()),
            GoalEvent::Set { .. } | GoalEvent::Told { .. } => return,
        };
        self.base.feed.note(&MemberName::lead(), text);
    }
}
