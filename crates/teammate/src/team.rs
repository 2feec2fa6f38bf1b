//! A running team, as a program or a screen sees it.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    board::{Board, TaskAsk, TaskId},
    event::RunId,
    model::ModelRef,
    permission::{Mode, Rules},
    port::{PlanRequired, RosterLine, TaskLine, TaskReport},
    price::Prices,
    request::{Answer, Request, RequestId},
    team::{Job, Spending},
};
use teammate_runtime::{EventFeed, Host, TeamConfig};
use teammate_store::files::{HostLock, Watch as Hints};
use teammate_tools::Leftovers;
use tokio::task::JoinSet;

use crate::{
    Ending, How, Outside, TeamError, builder::TeamBuilder, ending::Account, keep::Keepers,
    outside::Existing, place::TeamPlace,
};

/// A running team. Close it with [`Team::close`]; dropping it stops its members without ceremony, as a crash would.
pub struct Team {
    pub(crate) host: Host,
    pub(crate) place: TeamPlace,
    pub(crate) config: TeamConfig,
    pub(crate) keepers: Keepers,
    pub(crate) notices: Vec<String>,
    pub(crate) leftovers: Leftovers,
    pub(crate) answering: JoinSet<()>,
    pub(crate) _watch: Option<Hints>,
    // Let go last.
    pub(crate) _lock: HostLock,
}

impl Team {
    /// A team whose members use `model` unless told otherwise: the default team of a workspace, in `<workspace>/.team`, or
    /// the one in a [`TeamPlace`].
    pub fn builder(place: impl Into<TeamPlace>, model: ModelRef) -> TeamBuilder {
        Self::configured(place, TeamConfig::new(model))
    }

    /// The same with all settings.
    pub fn configured(place: impl Into<TeamPlace>, config: TeamConfig) -> TeamBuilder {
        TeamBuilder::new(place.into(), config)
    }

    /// What a person should know about the opening (a file that could not be read, say).
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The team's name.
    pub fn name(&self) -> String {
        self.host.name()
    }

    /// How much the lead may do without asking.
    pub fn mode(&self) -> Mode {
        self.host.mode()
    }

    /// The directory that members work in.
    pub fn workspace(&self) -> &std::path::Path {
        self.host.workspace()
    }

    /// The team as its files show it to another process.
    pub async fn look(&self) -> Result<Outside, TeamError> {
        let files = Existing::open(&self.place, self.config.read_max)?;
        Outside::proven(files, self.keepers.proof()).await
    }

    /// Starts the members of a team that was only prepared.
    pub async fn start(&self) -> Result<(), TeamError> {
        Ok(self.host.start().await?)
    }

    /// The same with a job for the lead, which hears it before anything else: an unfinished turn of it and the job are one.
    pub async fn start_with(&self, job: &str) -> Result<(), TeamError> {
        Ok(self.host.start_with(job).await?)
    }

    /// What happens from now on.
    pub fn events(&self) -> EventFeed {
        self.host.events()
    }

    /// Gives the lead a job and waits until it is done and nobody works; see [`Team::settled`].
    pub async fn run(&self, prompt: &str) -> Result<Ending, TeamError> {
        let feed = self.host.events();
        self.say("lead", prompt).await?;
        Ok(self.ending(feed).await)
    }

    /// Waits until the team has settled; `feed` must have been subscribed before the work was given.
    pub async fn ending(&self, feed: EventFeed) -> Ending {
        Watch::of(feed).ending(self, std::future::pending()).await
    }

    /// Follows a job from here on: to be called before the work is given.
    pub fn watch(&self) -> Watch {
        Watch::of(self.events())
    }

    /// Names this opening of the team: every event carries it.
    pub fn run_id(&self) -> RunId {
        self.host.run_id()
    }

    /// The person speaks to a member. Durable when this returns.
    pub async fn say(&self, to: &str, text: &str) -> Result<MemberName, TeamError> {
        Ok(self.host.say(to, text).await?)
    }

    /// Ends a member's turn; what it has done stays in its transcript.
    pub async fn interrupt(&self, member: &MemberName) {
        self.host.interrupt(member).await;
    }

    /// Ends every member's turn.
    pub async fn interrupt_all(&self) {
        for line in self.host.roster() {
            self.host.interrupt(&line.name).await;
        }
    }

    /// The person interrupted only to leave: turns that the last interrupt ended, and that nothing has followed, go on when the
    /// team is opened again. Members end their loops; to be called just before [`Team::close`].
    pub async fn take_back_interrupt(&self) {
        self.host.take_back_interrupt().await;
    }

    /// Has a member's conversation summed up by its own model, to make room: between two rounds, or at once if it rests.
    /// `focus` is what the summary shall keep above all. Returns when the member knows; the event `compacted` tells of it.
    pub async fn compact(
        &self,
        member: &str,
        focus: Option<&str>,
    ) -> Result<MemberName, TeamError> {
        Ok(self.host.compact(member, focus.map(str::to_owned)).await?)
    }

    /// Everything that was spent in the team's life, up to this moment.
    pub fn spending(&self) -> Spending {
        self.host.spending()
    }

    /// What was spent since the team was opened.
    pub fn spent_now(&self) -> Spending {
        self.host.spent_now()
    }

    /// What models cost.
    pub fn prices(&self) -> &Prices {
        &self.config.prices
    }

    /// Resolves when nobody works, no mail waits and nothing runs in the background.
    pub async fn at_rest(&self) {
        self.host.at_rest().await;
    }

    /// The same, but background jobs are waited for only so long once all members rest: a server would never end.
    /// Also until the person is asked nothing any more, if that is waited for.
    pub async fn settled(&self) {
        let mut changes = self.host.team_changes();
        loop {
            changes.borrow_and_update();
            self.host.settled(self.config.background_wait).await;
            if !self.config.waits_for_answers || self.questions().is_empty() {
                return;
            }
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// What runs in the background.
    pub fn jobs(&self) -> Vec<Job> {
        self.host.jobs()
    }

    /// What the journal says of the team now.
    pub(crate) fn snapshot(&self) -> Arc<teammate_core::team::Team> {
        self.host.team()
    }

    /// The roster, the lead first.
    pub fn roster(&self) -> Vec<RosterLine> {
        self.host.roster()
    }

    /// A member by name; an error names the roster.
    pub fn member(&self, name: &str) -> Result<MemberName, TeamError> {
        crate::outside::known_member(&self.host.team(), name)
    }

    /// The task board as it is now.
    pub fn board(&self) -> Board {
        self.host.team().board().clone()
    }

    /// All tasks that are not deleted, by id, each with how it stands.
    pub fn tasks(&self) -> Vec<TaskLine> {
        self.host.team().task_lines()
    }

    /// A task with its history.
    pub async fn task(&self, id: TaskId) -> Result<TaskReport, TeamError> {
        Ok(self.host.task(id).await?)
    }

    /// The person wants something of the board; returns the task as it is then. A task with a check is completed only if the
    /// check exits 0 just now.
    pub async fn ask_board(&self, ask: TaskAsk) -> Result<TaskLine, TeamError> {
        let task = self.host.ask_board(ask).await?.task;
        let outlook = self.host.team().outlook(&task);
        Ok(TaskLine { task, outlook })
    }

    /// What is not committed in the worktree of a task that is done in one, as far as that can be found out.
    pub async fn uncommitted(&self, id: TaskId) -> Vec<String> {
        self.host.uncommitted(id).await
    }

    /// The permission rules in force, with those that were answered with "always" since.
    pub fn rules(&self) -> Rules {
        self.host.rules()
    }

    /// What waits for an answer, oldest first.
    pub fn requests(&self) -> Vec<Arc<Request>> {
        self.host.requests()
    }

    /// What waits for the person's answer, oldest first.
    pub fn questions(&self) -> Vec<Arc<Request>> {
        self.host.questions()
    }

    /// The same as a function that can outlive the borrow.
    pub fn open_questions(&self) -> impl Fn() -> Vec<Arc<Request>> + Send + use<> {
        self.host.open_questions()
    }

    /// A request by id, also one that was settled lately; an error says what is open.
    pub fn request(&self, id: RequestId) -> Result<Arc<Request>, TeamError> {
        crate::outside::known_request(&self.host.team(), id)
    }

    /// The person answers a request; the first answer counts. An error says what is open.
    pub async fn answer(&self, request: RequestId, answer: Answer) -> Result<(), TeamError> {
        Ok(self.host.answer(request, answer).await?)
    }

    /// The person requires plans of a teammate: it only reads until one is approved, and is told what this one shall be about.
    /// What it had running in the background is ended; returns when all of it is gone.
    pub async fn require_plan(&self, member: &str, about: &str) -> Result<PlanRequired, TeamError> {
        Ok(self.host.require_plan(member, about).await?)
    }

    /// The person requires no plans of a teammate any more, whoever did.
    pub async fn lift_plan(&self, member: &str) -> Result<MemberName, TeamError> {
        Ok(self.host.lift_plan(member).await?)
    }

    /// Shuts a teammate down: it is asked, and stopped at the latest after `within` (at once, if that is zero). Returns when it
    /// is gone.
    pub async fn shut_down(&self, member: &str, within: Duration) -> Result<MemberName, TeamError> {
        Ok(self.host.shut_down(member, within).await?)
    }

    /// The same, but returns as soon as the member is asked; events tell what comes of it.
    pub async fn ask_to_shut_down(
        &self,
        member: &str,
        within: Duration,
    ) -> Result<MemberName, TeamError> {
        Ok(self.host.ask_to_shut_down(member, within).await?)
    }

    /// How long a member that is asked to shut down has unless told otherwise.
    pub fn shutdown_within(&self) -> Duration {
        self.host.shutdown_within()
    }

    /// Resolves when somebody has asked from another terminal for the whole team to stop, and its members have ended their
    /// steps: this program should close it. Everything goes on when the team is opened again.
    pub fn asked_to_close(&self) -> impl Future<Output = ()> + Send + use<> {
        self.host.asked_to_close()
    }

    /// Stops every member, ends what their commands left running, and writes everything down. Unfinished turns go on when
    /// the team is opened again.
    pub async fn close(mut self) {
        self.answering.shutdown().await;
        let team = self.host.close().await;
        self.leftovers.end();
        self.keepers.finish(team).await;
    }
}

/// A job that is followed to its end, over one answer of the lead or several.
pub struct Watch {
    feed: EventFeed,
    account: Account,
}

impl Watch {
    fn of(feed: EventFeed) -> Self {
        Self {
            feed,
            account: Account::default(),
        }
    }

    /// Waits until the team has settled, cannot go on, or is `cut`: then the job has ended as that says. May be called again
    /// after more work was given; the ending tells of all of it.
    pub async fn ending(&mut self, team: &Team, cut: impl Future<Output = How>) -> Ending {
        let how = tokio::select! {
            // Who is stopped rests, too: that is not the end of the job.
            biased;
            how = cut => Some(how),
            () = team.host.storage_fails() => None,
            () = self.follow(team.settled()) => None,
        };
        while let Some(event) = self.feed.try_next() {
            self.account.take(&event);
        }
        let how = how.or_else(|| team.host.storage_failure().map(How::Storage));
        let how = how.unwrap_or_else(|| self.account.how(&team.host.team()));
        self.account
            .ending(how, team.host.spent_now(), team.run_id())
    }

    /// Takes events until `end`, or until the feed ends.
    async fn follow(&mut self, end: impl Future<Output = ()>) {
        tokio::pin!(end);
        loop {
            tokio::select! {
                biased;
                event = self.feed.next() => match event {
                    Some(event) => self.account.take(&event),
                    None => return,
                },
                () = &mut end => return,
            }
        }
    }
}
