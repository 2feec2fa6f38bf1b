//! The host: opens a team, keeps its members running, and is what a program or a screen talks to.

mod as_user;
#[cfg(feature = "fleet")]
mod as_worker;
mod compose;
mod conversation;
mod hooked;
mod lead;
mod leaving;
mod models;
mod orders;
mod starter;
mod starting;

use std::sync::Arc;

use teammate_core::{
    MemberName,
    event::{EventKind, RunId},
    mail::UserMessage,
    permission::{Mode, Rules},
    port::{JournalError, MemberSummary, Refusal, TranscriptError},
    request::Request,
    secrets::Secrets,
    team::{Command, Lapse, Spending, TeamState},
};
use tokio::{sync::watch, task::AbortHandle};

use self::{
    compose::Machines,
    lead::{LeadDuties, OpeningFindings},
};
use crate::{
    base::Base,
    deployment::WorkerRun,
    feed::EventFeed,
    idle_wait::IdleWait,
    jobs::JobRunner,
    ledger::{Ledger, LedgerError},
    mailer::Mailer,
    members::Members,
    open_requests::OpenRequests,
    permission_gate::PermissionGate,
    setup::{Ports, Setup},
    spending::UsageMeter,
    storage::Storage,
    team_service::TeamService,
    user_orders::UserOrders,
};

/// A running team.
pub struct Host {
    lead: Arc<LeadDuties>,
    /// The run of this process as a worker, where several run the team.
    worker: Option<Box<dyn WorkerRun>>,
    starter: AbortHandle,
    pub(crate) base: Arc<Base>,
    pub(crate) members: Arc<Members>,
    mailer: Arc<Mailer>,
    pub(crate) meter: Arc<UsageMeter>,
    pub(crate) jobs: Arc<JobRunner>,
    pub(crate) requests: Arc<OpenRequests>,
    gate: Arc<PermissionGate>,
    rest: Arc<IdleWait>,
    storage: Arc<Storage>,
    pub(crate) team_service: TeamService,
}

/// Why a team could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A member's transcript cannot be used, or another process runs it.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// Money is limited, and this model has no price.
    #[error("the budget limits money, but there is no price for '{0}'")]
    NoPrice(String),
    /// The lead could not be given its job.
    #[error("the job was not given to the lead: {0}")]
    Job(Refusal),
    /// The team could not be made.
    #[error("the team could not be created: {0}")]
    Refused(String),
}

impl From<LedgerError> for OpenError {
    fn from(error: LedgerError) -> Self {
        match error {
            LedgerError::Journal(error) => Self::Journal(error),
            LedgerError::Refused(_) | LedgerError::Closed => Self::Refused(error.to_string()),
        }
    }
}

impl Host {
    /// Opens the team, which this process runs alone, and makes it if it is not there. Nobody works before [`Host::start`].
    pub async fn open(ports: Ports, setup: Setup) -> Result<Self, OpenError> {
        Self::open_on(Machines::alone(), ports, setup).await
    }

    async fn open_on(machines: Machines, ports: Ports, setup: Setup) -> Result<Self, OpenError> {
        let (ledger, news, found) = Ledger::open_with(
            ports.journal.clone(),
            ports.clock.clone(),
            setup.secrets.clone(),
            machines.others,
        )
        .await?;
        let base = Arc::new(Base::new(ports, setup, (ledger, machines.deployment)));
        let host = Self::compose(base, news, machines.rest);
        host.require_prices()?;
        let dropped = match host.base.deployment.opens_team() {
            true => UserOrders::drop_earlier(&host.base).await?,
            // The team goes on: the holder of a member carries out what is ordered.
            false => Vec::new(),
        };
        if let Some(why) = found.new {
            let lapse = Lapse::Damage;
            let lapse = Command::Lapse { lapse, why };
            host.base.ledger.decide(lapse).await?;
        }
        let resumed = host.create_or_open().await?;
        host.require_conversation()?;
        let found = OpeningFindings {
            resumed,
            damaged: found.damaged,
            dropped,
        };
        // It was empty until now.
        let _ = host.lead.found.set(found);
        Ok(host)
    }

    /// Starts all members that were not stopped; unfinished turns continue. A worker starts those that the journal places on
    /// it, then and later.
    pub async fn start(&self) -> Result<(), OpenError> {
        if let Some(worker) = &self.worker {
            worker.begin();
            return Ok(());
        }
        let members = self.begin().await?;
        self.lead.show_hooks_start().await;
        self.begin_with(&members).await
    }

    /// Starts the team, and the lead hears these words of the user first: an unfinished turn of it and the new job are one.
    pub async fn start_with(&self, job: impl Into<UserMessage>) -> Result<(), OpenError> {
        if let Some(worker) = &self.worker {
            let said = self.send_as_user(MemberName::lead().as_str(), job).await;
            said.map_err(OpenError::Job)?;
            worker.begin();
            return Ok(());
        }
        let members = self.begin().await?;
        self.lead.show_hooks_start().await;
        let said = self.send_as_user(MemberName::lead().as_str(), job).await;
        said.map_err(OpenError::Job)?;
        self.begin_with(&members).await
    }

    async fn begin_with(&self, members: &[MemberName]) -> Result<(), OpenError> {
        self.team_service.ask_again().await;
        self.start_members(members).await?;
        self.lead.begin_team();
        Ok(())
    }

    /// The secrets that are neither written down nor shown. More become known while the team runs.
    pub fn secrets(&self) -> &Arc<Secrets> {
        &self.base.setup.secrets
    }

    /// The team's name.
    pub fn name(&self) -> String {
        self.base.ledger.team().name().to_string()
    }

    /// How much the lead may do without asking.
    pub fn mode(&self) -> Mode {
        self.base.mode()
    }

    /// The directory that members work in.
    pub fn workspace(&self) -> &std::path::Path {
        &self.base.workspace.root
    }

    /// Names this opening of the team: every event carries it.
    pub fn run_id(&self) -> RunId {
        self.base.feed.run()
    }

    /// A subscription to what happens from now on.
    pub fn events(&self) -> EventFeed {
        self.base.feed.subscribe()
    }

    /// The source of events for a reader that comes later; it keeps nothing running.
    pub fn event_source(&self) -> EventSource {
        EventSource(self.base.clone())
    }

    /// Resolves when the team is idle: no member works, no mail is unread and no job runs.
    pub async fn wait_idle(&self) {
        self.rest.wait_idle().await;
    }

    /// The roster, the lead first.
    pub fn roster(&self) -> Vec<MemberSummary> {
        self.base.roster()
    }

    /// The team as it is now. It does not change while it is kept.
    pub fn team(&self) -> Arc<TeamState> {
        self.base.ledger.team()
    }

    /// Everything that the team has spent in all its runs, up to now.
    pub fn spending(&self) -> Spending {
        self.meter.spending()
    }

    /// The spending since the team was opened.
    pub fn session_spending(&self) -> Spending {
        self.meter.session()
    }

    /// The team as it is now, and a hint whenever it may have changed.
    pub fn team_changes(&self) -> watch::Receiver<Arc<TeamState>> {
        self.base.ledger.changes()
    }

    /// The permission rules in force, including those made by "always" answers since.
    pub fn rules(&self) -> Rules {
        self.gate.rules()
    }

    /// The requests that wait for an answer, oldest first.
    pub fn requests(&self) -> Vec<Arc<Request>> {
        let team = self.base.ledger.team();
        team.requests().pending().cloned().collect()
    }

    /// The requests that wait for the user's answer, oldest first.
    pub fn questions(&self) -> Vec<Arc<Request>> {
        self.requests.questions()
    }

    /// The questions for the user, by a function that can outlive the borrow.
    pub fn open_questions(&self) -> impl Fn() -> Vec<Arc<Request>> + Send + use<> {
        let requests = self.requests.clone();
        move || requests.questions()
    }

    /// Resolves when the user has asked, from another terminal, for the whole team to stop, and members have ended their
    /// steps: the team is to be closed.
    pub fn close_requested(&self) -> impl Future<Output = ()> + Send + use<> {
        self.base.closing.reached()
    }

    /// Stops every member, ends background jobs, and closes the feed. Unfinished turns continue at the
    /// next opening. Returns the team as of the pause, with no member working.
    pub async fn close(self) -> TeamState {
        let why = self.closing_reason();
        self.base.closing.close();
        if let Some(worker) = &self.worker {
            worker.end();
        }
        self.lead.watch.end();
        self.lead.schedules.end();
        self.lead.goals.end();
        let members = self.members.close();
        let stops = members
            .into_iter()
            .map(|member| tokio::spawn(member.stop()));
        for stop in stops.collect::<Vec<_>>() {
            // A stop that panicked stopped nothing else.
            let _ = stop.await;
        }
        self.jobs.close().await;
        self.show_hooks_end(why).await;
        // A worker that no longer holds the lead leaves; the team goes on.
        if self.base.has_lead() {
            let closed = EventKind::TeamClosed { why };
            self.base.feed.emit(&MemberName::lead(), closed);
        }
        self.base.feed.close();
        self.base.ledger.team().as_of_pause()
    }
}

/// Gives subscriptions to what happens in a team.
pub struct EventSource(Arc<Base>);

impl EventSource {
    /// A subscription to what happens from now on.
    pub fn subscribe(&self) -> EventFeed {
        self.0.feed.subscribe()
    }

    /// Says something to the user, as a notice among the events.
    pub fn note(&self, text: String) {
        self.0.feed.note(&MemberName::lead(), text);
    }
}

/// Without [`Host::close`] the members end as in a crash.
impl Drop for Host {
    fn drop(&mut self) {
        self.base.ledger.abort();
        if let Some(worker) = &self.worker {
            worker.end();
        }
        self.lead.watch.end();
        self.lead.schedules.end();
        self.lead.goals.end();
        self.jobs.drop_all();
        drop(self.members.close());
        self.starter.abort();
    }
}
