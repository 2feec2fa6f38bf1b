//! A running team, as a program or a screen sees it.

mod board;
mod watch;

use std::sync::Arc;

use teammate_core::{
    MemberName,
    audit::AuditEvent,
    event::RunId,
    mail::UserMessage,
    model::ModelRef,
    permission::{Mode, Rules},
    port::{Listening, MemberSummary, TeamClaim},
    price::Prices,
    request::{Request, RequestId},
    secrets::Secrets,
    team::{Job, Spending, TeamState},
};
use teammate_process::{Leftovers, TeamSandbox};
use teammate_runtime::{EventFeed, Host, ModelInUse, TeamConfig};
use teammate_store::{clock::SystemClock, files::FileWatch};
use tokio::task::JoinSet;

use crate::{
    RunReport, TeamClient, TeamError, audit::AuditFile, builder::TeamBuilder, existing::Existing,
    live::LiveServer, place::TeamPlace, project::UserDirs, recorder::Recorder, store::KeptIn,
};

pub use self::watch::TeamWatch;

/// A running team. Close it with [`Team::close`]; dropping it stops its members without ceremony, as a crash would.
pub struct Team {
    pub(crate) host: Host,
    pub(crate) place: TeamPlace,
    pub(crate) user: UserDirs,
    pub(crate) kept_in: KeptIn,
    pub(crate) config: TeamConfig,
    pub(crate) recorder: Recorder,
    pub(crate) warnings: Vec<String>,
    pub(crate) leftovers: Leftovers,
    pub(crate) sandbox: TeamSandbox,
    pub(crate) audit: Option<Arc<AuditFile>>,
    pub(crate) answering: JoinSet<()>,
    #[cfg(feature = "mcp")]
    pub(crate) servers: teammate_protocols::mcp::client::Servers,
    pub(crate) live: Option<LiveServer>,
    #[cfg(feature = "otel")]
    pub(crate) telemetry: Option<teammate_otel::Telemetry>,
    pub(crate) listening: Listening,
    // Let go last.
    pub(crate) _claims: Vec<Box<dyn TeamClaim>>,
}

impl Team {
    /// A team whose members use `model` by default: the default team of a workspace, in `<workspace>/.team`, or
    /// the one in a [`TeamPlace`].
    pub fn builder(place: impl Into<TeamPlace>, model: ModelRef) -> TeamBuilder {
        Self::configured(place, TeamConfig::new(model))
    }

    /// A builder with all settings given.
    pub fn configured(place: impl Into<TeamPlace>, config: TeamConfig) -> TeamBuilder {
        TeamBuilder::new(place.into(), config)
    }

    /// Warnings for the user about the opening (for example, a file that could not be read).
    pub fn warnings(&self) -> &[String] {
        &self.warnings
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

    /// The team as its store shows it to another process.
    pub async fn look(&self) -> Result<TeamClient, TeamError> {
        let client = match &self.kept_in {
            // Of a store of the program's own there is nothing in the directory.
            KeptIn::Files | KeptIn::Own(_) => {
                let files = Existing::open(&self.place, self.config.read_max)?;
                TeamClient::proven(files, self.recorder.proof()).await?
            }
            KeptIn::Shared(store) => {
                TeamClient::open_in(store.open(), self.place.clone(), &self.user).await?
            }
        };
        Ok(client.hiding(self.secrets().clone()))
    }

    /// The secrets that are neither written down nor shown. More become known while the team runs.
    pub fn secrets(&self) -> &Arc<Secrets> {
        self.host.secrets()
    }

    /// Starts the members of a team that was only prepared.
    pub async fn start(&self) -> Result<(), TeamError> {
        Ok(self.host.start().await?)
    }

    /// Starts the team with a job for the lead, which hears it before anything else: an unfinished turn of it and the job are
    /// one.
    pub async fn start_with(&self, job: impl Into<UserMessage>) -> Result<(), TeamError> {
        Ok(self.host.start_with(job).await?)
    }

    /// The events from now on.
    pub fn events(&self) -> EventFeed {
        self.host.events()
    }

    /// Gives the lead a job and waits until it is done and no member works; see [`Team::wait_done`].
    pub async fn run(&self, prompt: impl Into<UserMessage>) -> Result<RunReport, TeamError> {
        let feed = self.host.events();
        self.send("lead", prompt).await?;
        Ok(self.wait_report(feed).await)
    }

    /// Waits until the team has settled; `feed` must have been subscribed before the work was given.
    pub async fn wait_report(&self, feed: EventFeed) -> RunReport {
        TeamWatch::of(feed)
            .wait_report(self, std::future::pending())
            .await
    }

    /// Follows a job from here on: to be called before the work is given.
    pub fn watch(&self) -> TeamWatch {
        TeamWatch::of(self.events())
    }

    /// Names this opening of the team: every event carries it.
    pub fn run_id(&self) -> RunId {
        self.host.run_id()
    }

    /// Sends a message of the user to a member: a text, or a [`UserMessage`] with pictures and documents. Durable when this
    /// returns.
    pub async fn send(
        &self,
        to: &str,
        message: impl Into<UserMessage>,
    ) -> Result<MemberName, TeamError> {
        Ok(self.host.send_as_user(to, message).await?)
    }

    /// The user interrupted only to leave: turns that the last interrupt ended, with no entry after it, continue
    /// when the team is opened again. Members end their loops; to be called just before [`Team::close`].
    pub async fn take_back_interrupt(&self) {
        self.host.take_back_interrupt().await;
    }

    /// Which model a member asks now, and how much that thinks; `None` if there is no such member.
    pub fn model_in_use(&self, member: &MemberName) -> Option<ModelInUse> {
        self.host.model_in_use(member)
    }

    /// Everything that the team has spent in all its runs, up to now.
    pub fn spending(&self) -> Spending {
        self.host.spending()
    }

    /// The spending since the team was opened.
    pub fn session_spending(&self) -> Spending {
        self.host.session_spending()
    }

    /// The prices of models.
    pub fn prices(&self) -> &Prices {
        &self.config.prices
    }

    /// Resolves when the team is idle: no member works, no mail is unread and no job runs.
    pub async fn wait_idle(&self) {
        self.host.wait_idle().await;
    }

    /// Waits until the team is idle, but for background jobs only so long once all members are idle: a server would never
    /// end. Also waits until no question is open, if so configured.
    pub async fn wait_done(&self) {
        let mut changes = self.host.team_changes();
        loop {
            changes.borrow_and_update();
            self.host.wait_done(self.config.background_wait).await;
            if !self.config.waits_for_answers || self.questions().is_empty() {
                return;
            }
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// Resolves when a file of the team cannot be written, with the reason: nothing that follows is kept then, and this program
    /// should close the team.
    pub async fn storage_fails(&self) -> String {
        self.host.storage_fails().await;
        self.host.storage_failure().unwrap_or_default()
    }

    /// The jobs that run in the background.
    pub fn jobs(&self) -> Vec<Job> {
        self.host.jobs()
    }

    /// The team as of the journal now.
    pub(crate) fn snapshot(&self) -> Arc<teammate_core::team::TeamState> {
        self.host.team()
    }

    /// The roster, the lead first.
    pub fn roster(&self) -> Vec<MemberSummary> {
        self.host.roster()
    }

    /// A member by name; an error names the roster.
    pub fn member(&self, name: &str) -> Result<MemberName, TeamError> {
        crate::client::find_member(&self.host.team(), name)
    }

    /// The team as it is, and a hint whenever it has changed.
    pub fn changes(&self) -> tokio::sync::watch::Receiver<Arc<TeamState>> {
        self.host.team_changes()
    }

    /// How a server of tools is doing; nothing if there is none of this name.
    #[cfg(feature = "mcp")]
    pub fn server_state(&self, name: &str) -> Option<teammate_protocols::mcp::client::ServerState> {
        self.servers.get(name).map(|server| server.state())
    }

    /// The permission rules in force, including those made by "always" answers since.
    pub fn rules(&self) -> Rules {
        self.host.rules()
    }

    /// The requests that wait for an answer, oldest first.
    pub fn requests(&self) -> Vec<Arc<Request>> {
        self.host.requests()
    }

    /// The requests that wait for the user's answer, oldest first.
    pub fn questions(&self) -> Vec<Arc<Request>> {
        self.host.questions()
    }

    /// The questions for the user, by a function that can outlive the borrow.
    pub fn question_reader(&self) -> impl Fn() -> Vec<Arc<Request>> + Send + use<> {
        self.host.open_questions()
    }

    /// A request by id, also one that was settled lately; an error lists the open ones.
    pub fn request(&self, id: RequestId) -> Result<Arc<Request>, TeamError> {
        crate::client::known_request(&self.host.team(), id)
    }

    /// Resolves when another terminal has asked to pause the whole team, and its members have ended their steps:
    /// this program should close it. Everything continues when the team is opened again.
    pub fn close_requested(&self) -> impl Future<Output = ()> + Send + use<> {
        self.host.close_requested()
    }

    /// Stops every member, ends what their commands left running, and writes everything down. Unfinished turns
    /// continue when the team is opened again. Returns what the user should know of the end.
    pub async fn close(mut self) -> Vec<String> {
        self.answering.shutdown().await;
        let team = self.host.close().await;
        #[cfg(feature = "mcp")]
        self.servers.close().await;
        self.leftovers.end();
        self.sandbox.close();
        let watch = self.listening.downcast_ref::<FileWatch>();
        if let Some(slow) = watch.and_then(FileWatch::slow_to_close) {
            self.sandbox.sandbox().closes_last(slow);
        }
        // Beside what the recorder syncs: the disk does both at once.
        let audited = self.audit.map(|audit| {
            // What is lost of it was said when it was first lost.
            let _ = audit.note(&SystemClock, AuditEvent::Closed);
            tokio::task::spawn_blocking(move || audit.sync())
        });
        self.recorder.finish(team).await;
        if let Some(audited) = audited {
            let _ = audited.await;
        }
        // Last: what viewers have not read yet is in the event log by now.
        drop(self.live);
        #[cfg(feature = "otel")]
        if let Some(telemetry) = self.telemetry {
            return telemetry.finish().await.into_iter().collect();
        }
        Vec::new()
    }
}
