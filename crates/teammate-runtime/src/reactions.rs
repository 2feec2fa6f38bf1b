//! The only reader of the journal's news; does what follows automatically: shows what happens on the board, has
//! requests followed, wakes idle members for ready tasks, and sends the lead one notice when nothing can continue.
//! Decides nothing: the team's rules say who is woken and what the notices say.

mod starts;

use std::sync::Arc;

use teammate_core::{
    MemberName, Sender,
    board::{TaskEvent, TaskId},
    event::EventKind,
    team::MessageCause,
    team::{Command, MemberPhase, TeamEvent},
    transcript::EndReason,
};
use tokio::task::AbortHandle;

use crate::{
    base::Base,
    halt::Closings,
    idle_wait::IdleWait,
    jobs::JobRunner,
    ledger::{JournalNews, LedgerError, NewsReceiver},
    mailer::{MailDraft, Mailer},
    members::Members,
    open_requests::OpenRequests,
    owned_task::OwnedTask,
    requests::RequestService,
    spending::UsageMeter,
    user_orders::UserOrders,
};

/// The watch. Ends when dropped.
pub(crate) struct BoardWatch {
    reactions: Arc<Reactions>,
    follows: AbortHandle,
    tells: OwnedTask,
}

impl BoardWatch {
    /// Follows what happens.
    pub(crate) fn begin(reactions: Arc<Reactions>, news: NewsReceiver) -> Self {
        Self {
            follows: tokio::spawn(reactions.clone().react_to_news(news)).abort_handle(),
            tells: OwnedTask::default(),
            reactions,
        }
    }

    /// Tells the lead, too, from now on.
    pub(crate) fn send_board_notice(&self) {
        self.tells
            .begin(self.reactions.clone().send_board_notices());
    }

    /// Another worker tells the lead.
    pub(crate) fn leave_to_others(&self) {
        self.tells.end();
    }

    /// Nothing more follows from what happens.
    pub(crate) fn end(&self) {
        self.follows.abort();
        self.leave_to_others();
    }
}

impl Drop for BoardWatch {
    fn drop(&mut self) {
        self.end();
    }
}

/// The one reader of the journal's news, of this process and of others.
pub(crate) struct Reactions {
    pub(crate) base: Arc<Base>,
    pub(crate) members: Arc<Members>,
    pub(crate) mailer: Arc<Mailer>,
    pub(crate) jobs: Arc<JobRunner>,
    pub(crate) requests: Arc<OpenRequests>,
    pub(crate) keeper: Arc<RequestService>,
    pub(crate) rest: Arc<IdleWait>,
    pub(crate) orders: Arc<UserOrders>,
    pub(crate) meter: Arc<UsageMeter>,
}

impl Reactions {
    /// Shows what happens, follows requests, and wakes members that have something to do now.
    async fn react_to_news(self: Arc<Self>, mut news: NewsReceiver) {
        let mut closings = Closings::of(&self.base);
        loop {
            tokio::select! {
                told = news.recv() => match told {
                    Some(told) => self.on_news(&told).await,
                    None => return,
                },
                () = self.requests.asked_to_take_up() => self.keeper.resume_open().await,
                () = self.meter.minute_is_full() => self.meter.flush_time(),
            }
            while let Ok(told) = news.try_recv() {
                self.on_news(&told).await;
            }
            self.meter.team_changed();
            closings.look(&self.base, &self.jobs);
            // In a pause they would only look, and be called again for that.
            if !self.base.is_paused() {
                for member in self.rest.called() {
                    self.members.wake(&member);
                }
            }
            self.base.activity.recheck();
        }
    }

    /// Sends the board notice whenever all members are idle and one is due.
    async fn send_board_notices(self: Arc<Self>) {
        loop {
            self.rest.wait_stalled().await;
            let team = self.base.ledger.team();
            let Some(notice) = team.board_notice() else {
                continue;
            };
            // A lead that the user interrupted is not set to work again by the board.
            let wakes = team.member(&MemberName::lead()).is_some_and(|lead| {
                let why = EndReason::Interrupted;
                !matches!(&lead.phase, MemberPhase::Idle { why: ended, .. } if *ended == why)
            });
            let draft = MailDraft {
                wakes,
                ..MailDraft::notice(notice.id, &MemberName::lead(), notice.text)
            };
            if let Err(error) = self.mailer.send_or_wait(draft).await {
                let text = format!("the lead did not get the notice about the board: {error}");
                self.base.feed.note(&MemberName::lead(), text);
            }
            // After the mail: if this is lost, the mail is sent again and dropped by its id.
            let told = Command::MarkBoardReported {
                changes: notice.changes,
            };
            if let Err(LedgerError::Closed) = self.base.decide_or_wait(told).await {
                return;
            }
            self.base.activity.recheck();
        }
    }

    async fn on_news(&self, told: &JournalNews) {
        match told {
            JournalNews::Event(event) => self.on_event(event).await,
            JournalNews::Damaged(line) if self.base.has_lead() => {
                self.base.feed.note_damage(&MemberName::lead(), line);
            }
            JournalNews::Damaged(_) => {}
        }
    }

    async fn on_event(&self, event: &TeamEvent) {
        if let TeamEvent::Request { request, change } = event {
            return self.keeper.on_change(*request, change).await;
        }
        if let TeamEvent::Joined { members, .. } = event {
            return self.start_joined(members);
        }
        if let TeamEvent::Ordered { order, .. } = event {
            self.orders.interrupt_all_here(order).await;
            return self.orders.carry_out();
        }
        if let TeamEvent::Spawned { member, .. } = event {
            return self.start_spawned(member);
        }
        if let TeamEvent::BudgetsSet { .. } = event {
            return self.go_on_with_budgets();
        }
        if !self.base.has_lead() {
            return;
        }
        if let TeamEvent::Paused { device } = event {
            return self.note_pause("paused the team", device.as_ref());
        }
        if let TeamEvent::Continued { device } = event {
            return self.note_pause("had the team go on", device.as_ref());
        }
        if let TeamEvent::Stopped { .. } = event {
            return self.take_up_later();
        }
        let TeamEvent::Task { task, change } = event else {
            return;
        };
        self.emit_task_event(*task, change);
        if let Some(had) = change.previous_owner() {
            self.notify_task_taken(*task, change, had).await;
        }
    }

    fn emit_task_event(&self, id: TaskId, change: &TaskEvent) {
        let who = match change.by() {
            Some(Sender::Member(name)) => name,
            Some(Sender::User | Sender::System | Sender::Unverified(_)) | None => {
                MemberName::lead()
            }
        };
        let team = self.base.ledger.team();
        let Some(task) = team.board().task(id) else {
            return;
        };
        let what = EventKind::Task {
            task: id,
            subject: task.subject.clone(),
            status: task.status.kind(),
            owner: task.owner().cloned(),
            change: Box::new(change.clone()),
        };
        self.base.feed.emit(&who, what);
    }

    /// Tells the previous owner that the task was taken away. Its late updates are refused in any case.
    async fn notify_task_taken(&self, id: TaskId, change: &TaskEvent, had: &MemberName) {
        let team = self.base.ledger.team();
        let claims = team.board().task(id).map_or(0, |task| task.claims);
        let content = format!(
            "Task {id} is no longer yours: {}. Stop working on it and leave the files in a sound state.",
            change.describe()
        );
        let id_of_mail = team.message_id(MessageCause::Taken(id, claims));
        let draft = MailDraft::notice(id_of_mail, had, content);
        if let Err(error) = self.mailer.send(draft).await {
            let text = format!("{had} did not get the notice that {id} was taken away: {error}");
            self.base.feed.note(had, text);
        }
    }
}
