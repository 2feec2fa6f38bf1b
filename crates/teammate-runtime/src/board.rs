//! Watches the team for what follows by itself: calls idle members to what can be begun, and tells the lead, once, when
//! nothing goes on any more. Decides nothing: who is called and what is told are the team's own rules.

use std::sync::{Arc, OnceLock};

use teammate_core::{
    MemberName, MessageId, MessageKind, Sender,
    board::{TaskEvent, TaskId},
    event::What,
    mail::Metadata,
    team::{Command, Phase, TeamEvent},
    transcript::RestReason,
};
use tokio::task::AbortHandle;

use crate::{
    halt::Closings,
    host::Shared,
    ledger::{LedgerError, News, Told},
    post::Letter,
};

/// The watch. Ends when dropped.
pub(crate) struct Watch {
    follows: AbortHandle,
    tells: OnceLock<AbortHandle>,
}

impl Watch {
    /// Follows what happens.
    pub(crate) fn begin(shared: &Arc<Shared>, news: News) -> Self {
        Self {
            follows: tokio::spawn(follow(shared.clone(), news)).abort_handle(),
            tells: OnceLock::new(),
        }
    }

    /// Tells the lead, too, from now on.
    pub(crate) fn tell_lead(&self, shared: &Arc<Shared>) {
        self.tells
            .get_or_init(|| tokio::spawn(tell_lead(shared.clone())).abort_handle());
    }

    pub(crate) fn end(&self) {
        self.follows.abort();
        if let Some(tells) = self.tells.get() {
            tells.abort();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end();
    }
}

/// Shows what happens on the board and calls whoever has something to do now.
async fn follow(shared: Arc<Shared>, mut news: News) {
    let mut closings = Closings::of(&shared);
    while let Some(told) = news.recv().await {
        shared.is_told(&told).await;
        while let Ok(told) = news.try_recv() {
            shared.is_told(&told).await;
        }
        closings.look(&shared);
        for member in shared.called() {
            shared.members.wake(&member);
        }
        shared.activity.look_again();
    }
}

/// Whenever everybody rests and the lead does not know how the board stands, it is told.
async fn tell_lead(shared: Arc<Shared>) {
    loop {
        shared
            .activity
            .at_a_standstill(|| shared.has_news_for_lead())
            .await;
        let (notice, wakes) = {
            let team = shared.ledger.team();
            let lead = team.member(&MemberName::lead());
            let is_interrupted = |phase: &Phase| {
                matches!(
                    phase,
                    Phase::Idle {
                        why: RestReason::Interrupted,
                        ..
                    }
                )
            };
            // Who was interrupted by the person is not set to work again by the board.
            let wakes = lead.is_some_and(|lead| !is_interrupted(&lead.phase));
            (team.board_notice(), wakes)
        };
        let Some(notice) = notice else { continue };
        let letter = Letter {
            id: notice.id,
            kind: MessageKind::TaskNotification,
            from: Sender::System,
            from_incarnation: None,
            to: MemberName::lead(),
            content: notice.text,
            request: None,
            to_incarnation: None,
            metadata: Metadata::from_iter([("wakes".to_owned(), wakes.into())]),
        };
        if let Err(error) = shared.post(letter).await {
            let text = format!("the lead was not told how the board stands: {error}");
            shared.feed.notice(&MemberName::lead(), text);
        }
        // After the mail: if this is lost, the mail is sent again and dropped by its id.
        let told = Command::BoardTold {
            changes: notice.changes,
        };
        if let Err(LedgerError::Closed) = shared.ledger.decide(told).await {
            return;
        }
        shared.activity.look_again();
    }
}

impl Shared {
    /// Resolves when nobody works, no mail waits, nothing runs in the background, and nothing on the board can be begun or
    /// is to be told.
    pub(crate) async fn at_rest(&self) {
        let is_over = || self.activity.has_no_jobs() && self.has_no_more();
        self.activity.at_rest(is_over).await;
    }

    /// The same, whatever runs in the background.
    pub(crate) async fn members_at_rest(&self) {
        self.activity.at_rest(|| self.has_no_more()).await;
    }

    /// Resolves when members are not at rest.
    pub(crate) async fn members_stir(&self) {
        self.activity.is_stirred(|| !self.has_no_more()).await;
    }

    /// The same for all but one, who waits for it; or there is pressing mail for it.
    pub(crate) async fn others_at_rest(&self, member: &MemberName) {
        self.activity
            .others_at_rest(member, || self.has_no_more())
            .await;
    }

    /// What the journal does not take cannot be begun or told: nobody waits for that.
    fn has_no_more(&self) -> bool {
        self.ledger.is_broken()
            || (self.called().is_empty()
                && self.are_requests_seen_to()
                && !self.ledger.team().has_board_news())
    }

    /// Who has something to do and may ask its model.
    fn called(&self) -> Vec<MemberName> {
        let mut poor = Vec::new();
        if !self.setup.budgets.is_empty() {
            poor.extend(
                self.ledger
                    .team()
                    .teammates()
                    .map(|member| member.name.clone()),
            );
            poor.retain(|name| self.may_spend(name).is_err());
        }
        let team = self.ledger.team();
        team.called_among(|name| !poor.contains(name))
    }

    fn has_news_for_lead(&self) -> bool {
        !self.ledger.is_broken()
            && self.are_requests_seen_to()
            && self.ledger.team().has_board_news()
            && self.called().is_empty()
    }

    async fn is_told(self: &Arc<Self>, told: &Told) {
        match told {
            Told::Event(event) => self.has_happened(event).await,
            Told::Damaged(line) => self.feed.notice(&MemberName::lead(), line),
        }
    }

    async fn has_happened(self: &Arc<Self>, event: &TeamEvent) {
        if let TeamEvent::Request { request, change } = event {
            return self.request_changed(*request, change).await;
        }
        if let TeamEvent::Joined { members, .. } = event {
            return self.have_joined(members).await;
        }
        let TeamEvent::Task { task, change } = event else {
            return;
        };
        self.show(*task, change);
        if let Some(had) = change.taken_from() {
            self.tell_taken(*task, change, had).await;
        }
    }

    /// From another process, or by this one, which seats them itself. Nobody begins before the team is started.
    async fn have_joined(self: &Arc<Self>, members: &[MemberName]) {
        if !self.has_started() {
            return;
        }
        for name in members {
            self.seat_joined(name).await;
        }
    }

    fn show(&self, id: TaskId, change: &TaskEvent) {
        let who = match change.by() {
            Some(Sender::Member(name)) => name,
            Some(Sender::User | Sender::System | Sender::Unverified(_)) | None => {
                MemberName::lead()
            }
        };
        let what = {
            let team = self.ledger.team();
            let Some(task) = team.board().task(id) else {
                return;
            };
            What::Task {
                task: id,
                subject: task.subject.clone(),
                status: task.state.word().to_owned(),
                owner: task.owner().cloned(),
                change: Box::new(change.clone()),
            }
        };
        self.feed.tell(&who, what);
    }

    /// Who works on what is not theirs any more should know; a late word of theirs is refused in any case.
    async fn tell_taken(&self, id: TaskId, change: &TaskEvent, had: &MemberName) {
        let (team, claims) = {
            let team = self.ledger.team();
            (
                team.id(),
                team.board().task(id).map_or(0, |task| task.claims),
            )
        };
        let letter = Letter {
            id: MessageId::derived(team, &format!("taken/{}/{claims}", id.number())),
            kind: MessageKind::TaskNotification,
            from: Sender::System,
            from_incarnation: None,
            to: had.clone(),
            content: format!(
                "Task {id} is not yours any more: {}. Stop working on it and leave the files in a sound state.",
                change.describe()
            ),
            request: None,
            to_incarnation: None,
            metadata: Metadata::from_iter([("wakes".to_owned(), false.into())]),
        };
        if let Err(error) = self.post(letter).await {
            let text = format!("{had} was not told that {id} was taken from it: {error}");
            self.feed.notice(had, text);
        }
    }
}
