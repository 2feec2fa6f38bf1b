//! The driver of one member: one task that owns the agent machine and its transcript, feeds in what happens and does
//! what comes out.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use teammate_core::{
    Incarnation, MemberName, Message, MessageKind, Sender,
    agent::{Agent, Effect, Input, Resting},
    event::What,
    model::{ModelFailure, Remedy, Request},
    permission::Mode,
    port::{Caller, ClaimId, Model, ToolContext, Transcript, TranscriptError},
    team::{Command, Member},
    tool::{CallId, Outcome, ToolCall},
    transcript::{Conversation, Entry, RestReason},
};
use tokio::{
    sync::mpsc,
    task::{Id, JoinError, JoinSet},
    time::Instant,
};

use crate::{ask::Ask, desk::Desk, dispatch::Dispatch, host::Shared, identity, post::Letter};

/// What the host tells a member's task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// End the turn.
    Interrupt,
    /// End the loop; the turn may go on another day.
    Stop,
}

/// The task's state.
pub(crate) struct Driver {
    shared: Arc<Shared>,
    name: MemberName,
    incarnation: Incarnation,
    mode: Mode,
    model: Result<Arc<dyn Model>, ModelFailure>,
    model_name: String,
    identity: Arc<str>,
    agent: Agent,
    log: Box<dyn Transcript>,
    claims: Vec<ClaimId>,
    jobs: JoinSet<Input>,
    running: HashMap<Id, Job>,
    is_working: bool,
    /// How the last turn was cut, if the transcript ends with that: a crash may have come before anybody was told.
    cut: Option<Resting>,
    /// When to look into the mailbox again after it could not be read.
    listen_again: Option<Instant>,
}

/// What a job is, so that one that crashes still has an answer.
enum Job {
    Model,
    Tool(CallId),
}

/// The pause after a mailbox could not be read.
const LISTEN_AGAIN: Duration = Duration::from_secs(1);

/// Why a member's loop ended early.
pub(crate) type DriverError = TranscriptError;

impl Driver {
    /// Opens the member's transcript and gets ready. Nothing has begun yet.
    pub(crate) async fn open(shared: Arc<Shared>, member: &Member) -> Result<Self, DriverError> {
        let opened = shared.world.transcripts.open(&member.name).await?;
        for line in opened.salvage {
            shared.feed.notice(&member.name, line);
        }
        let model = member
            .model
            .clone()
            .unwrap_or_else(|| shared.plan.model.clone());
        let kit = shared.kit(&member.name);
        let cut = cut(&opened.entries);
        let agent = Agent::new(
            member.name.clone(),
            member.incarnation,
            kit.classes.clone(),
            shared.plan.limits,
            Conversation::of(opened.entries),
        );
        let identity = identity::identity(&shared.plan, &shared.ledger.team(), member);
        Ok(Self {
            name: member.name.clone(),
            incarnation: member.incarnation,
            mode: member
                .mode
                .unwrap_or(shared.plan.mode)
                .min(shared.plan.mode),
            model: shared.world.models.open(&model),
            model_name: model.to_string(),
            identity,
            agent,
            log: opened.log,
            claims: Vec::new(),
            jobs: JoinSet::new(),
            running: HashMap::new(),
            is_working: false,
            cut,
            listen_again: None,
            shared,
        })
    }

    /// Runs until told to stop.
    pub(crate) async fn run(
        mut self,
        orders: &mut mpsc::UnboundedReceiver<Order>,
    ) -> Result<(), DriverError> {
        if !self.begin().await? {
            return Ok(());
        }
        loop {
            let input = tokio::select! {
                biased;
                order = orders.recv() => match order {
                    Some(Order::Interrupt) => Input::Interrupt,
                    Some(Order::Stop) | None => Input::Stop,
                },
                Some(ended) = self.jobs.join_next_with_id() => match self.ended(ended) {
                    Some(input) => input,
                    None => continue,
                },
                () = self.shared.world.mailbox.rang(&self.name) => Input::Rang,
                () = sleep_until(self.listen_again) => Input::Rang,
            };
            if !self.feed(input).await? {
                return Ok(());
            }
        }
    }

    async fn begin(&mut self) -> Result<bool, DriverError> {
        let assignment = self.assignment();
        let is_old = assignment
            .as_ref()
            .is_none_or(|(message, _)| self.agent.conversation().has_heard(&message.id));
        if let Some(cut) = self.cut.take().filter(|_| is_old) {
            // The same turn ends only once, and its notice is heard once.
            self.rest(cut).await;
        }
        let goes_on = self.feed(Input::Begin { assignment }).await?;
        if self.agent.is_idle() {
            self.is_not_busy().await;
        }
        Ok(goes_on)
    }

    /// A member that has nothing to do is not shown to be in a turn, whatever the journal's last word was.
    async fn is_not_busy(&self) {
        let is_busy = {
            let team = self.shared.ledger.team();
            team.member(&self.name)
                .is_some_and(|member| member.phase.is_busy())
        };
        if !is_busy {
            return;
        }
        let rest = Command::Rest {
            member: self.name.clone(),
            incarnation: self.incarnation,
            why: RestReason::Done,
            turn: None,
            result: String::new(),
        };
        // If it cannot be noted now, the next opening does it.
        let _ = self.shared.ledger.decide(rest).await;
        self.shared.tell_status(&self.name);
    }

    /// What the member was last spawned to do.
    fn assignment(&self) -> Option<(Message, bool)> {
        let team = self.shared.ledger.team();
        let assignment = team.member(&self.name)?.assignment.as_ref()?;
        if assignment.prompt.is_empty() {
            return None;
        }
        let message = Message {
            id: team.assignment_id(&self.name, self.incarnation),
            kind: MessageKind::TaskAssignment,
            from: Sender::Member(assignment.by.clone()),
            from_incarnation: None,
            to: self.name.clone(),
            to_incarnation: Some(self.incarnation),
            content: assignment.prompt.clone(),
            sent_at: assignment.at,
            request_id: None,
            metadata: teammate_core::mail::Metadata::new(),
        };
        Some((message, assignment.fresh))
    }

    /// Feeds one input and whatever follows from it at once. False when the loop is over.
    async fn feed(&mut self, input: Input) -> Result<bool, DriverError> {
        self.shared.activity.works(&self.name, true);
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            for effect in self.agent.step(input) {
                match effect {
                    Effect::Record(entry) => self.record(entry).await?,
                    Effect::Listen => inputs.push_back(Input::Heard(self.listen().await)),
                    Effect::Settle => self.settle().await,
                    Effect::CallModel { round } => self.call_model(round),
                    Effect::CancelModel | Effect::CancelTools => self.cancel().await,
                    Effect::RunTools(calls) => self.run_tools(calls),
                    Effect::Rest(resting) => self.rest(resting).await,
                    Effect::Note(text) => self.shared.feed.notice(&self.name, text),
                    Effect::Retire => return Ok(false),
                }
            }
        }
        if self.agent.is_idle() {
            self.shared.activity.works(&self.name, false);
        }
        Ok(true)
    }

    async fn record(&mut self, entry: Entry) -> Result<(), DriverError> {
        self.log.append(&entry).await?;
        match entry {
            Entry::Heard(mail) => {
                for Message { id, from, kind, .. } in mail {
                    self.shared
                        .feed
                        .tell(&self.name, What::MailHeard { id, from, kind });
                }
            }
            Entry::Answered(reply) => {
                let text = reply.text();
                let event = What::Answered {
                    text,
                    stop: reply.stop,
                    usage: reply.usage,
                };
                self.shared.feed.tell(&self.name, event);
            }
            Entry::Fresh | Entry::Done(_) | Entry::Prompted(_) | Entry::Rested(_) => {}
        }
        Ok(())
    }

    // ─── mail ───

    async fn listen(&mut self) -> Vec<Message> {
        self.listen_again = None;
        match self.shared.world.mailbox.claim(&self.name).await {
            Ok(claims) => {
                let mut mail = Vec::new();
                for claim in claims {
                    for line in claim.damaged {
                        let text = format!(
                            "a line of mail could not be read ({}); it is kept in {}",
                            line.why, line.kept_in
                        );
                        self.shared.feed.notice(&self.name, text);
                    }
                    self.claims.push(claim.id);
                    mail.extend(claim.messages);
                }
                let ids = mail.iter().map(|message: &Message| &message.id);
                self.shared.activity.takes(&self.name, ids);
                mail
            }
            Err(error) => {
                self.shared
                    .feed
                    .notice(&self.name, format!("{error}; looking again in a moment"));
                self.shared.activity.is_deaf(&self.name);
                self.listen_again = Some(Instant::now() + LISTEN_AGAIN);
                Vec::new()
            }
        }
    }

    async fn settle(&mut self) {
        for claim in std::mem::take(&mut self.claims) {
            // What stays claimed is read again at the next opening and skipped by its ids.
            if let Err(error) = self.shared.world.mailbox.settle(&self.name, claim).await {
                self.shared.feed.notice(&self.name, error.to_string());
            }
        }
    }

    // ─── the model ───

    fn call_model(&mut self, round: u32) {
        self.working();
        let model = self.model_name.clone();
        self.shared
            .feed
            .tell(&self.name, What::Asked { round, model });
        let model = match &self.model {
            Ok(model) => model.clone(),
            Err(failure) => {
                let failure = failure.clone();
                return self.start(Job::Model, async { Input::ModelFailed(failure) });
            }
        };
        let ask = Ask {
            shared: self.shared.clone(),
            member: self.name.clone(),
            incarnation: self.incarnation,
            model,
            model_name: self.model_name.clone(),
            request: self.request(),
        };
        self.agent.was_sent();
        self.start(Job::Model, async move {
            match ask.run().await {
                Ok(reply) => Input::Answered(reply),
                Err(failure) => Input::ModelFailed(failure),
            }
        });
    }

    fn request(&self) -> Request {
        Request {
            preamble: self.shared.kit(&self.name).preamble.clone(),
            identity: self.identity.clone(),
            messages: self.agent.conversation().messages().to_vec(),
            cached: self.agent.cached(),
            max_tokens: self.shared.plan.max_tokens,
            conversation: format!("{}/{}", self.shared.ledger.team().id(), self.name).into(),
        }
    }

    fn working(&mut self) {
        if !std::mem::replace(&mut self.is_working, true) {
            let (member, incarnation) = (self.name.clone(), self.incarnation);
            self.shared.status(Command::Work {
                member,
                incarnation,
            });
        }
    }

    // ─── tools ───

    fn run_tools(&mut self, calls: Vec<ToolCall>) {
        self.working();
        let at = self.agent.conversation().last_answer().unwrap_or_default();
        for call in calls {
            let id = call.id.clone();
            let Some(tool) = self
                .shared
                .kit(&self.name)
                .tools
                .get(call.name.as_str())
                .cloned()
            else {
                let outcome = Outcome::error(format!("Unknown tool '{}'.", call.name));
                self.start(Job::Tool(id.clone()), async {
                    Input::ToolDone(id, outcome)
                });
                continue;
            };
            let caller = Caller {
                name: self.name.clone(),
                incarnation: self.incarnation,
                call: format!("{}/{}/{at}/{}", self.name, self.incarnation, call.id),
            };
            let dispatch = Dispatch {
                tool,
                call,
                mode: self.mode,
                context: ToolContext {
                    caller,
                    workspace: self.shared.workspace.clone(),
                    environment: self.shared.environment.clone(),
                    office: Arc::new(Desk(self.shared.clone())),
                },
                shared: self.shared.clone(),
            };
            self.start(Job::Tool(id.clone()), async move {
                Input::ToolDone(id, dispatch.run().await)
            });
        }
    }

    // ─── jobs ───

    fn start(&mut self, what: Job, job: impl Future<Output = Input> + Send + 'static) {
        let id = self.jobs.spawn(job).id();
        self.running.insert(id, what);
    }

    /// A job's input. One that crashed still answers; one that was cancelled does not.
    fn ended(&mut self, ended: Result<(Id, Input), JoinError>) -> Option<Input> {
        let error = match ended {
            Ok((id, input)) => {
                self.running.remove(&id);
                return Some(input);
            }
            Err(error) => error,
        };
        let job = self.running.remove(&error.id())?;
        if error.is_cancelled() {
            return None;
        }
        self.shared
            .feed
            .notice(&self.name, format!("a bug: {error}"));
        match job {
            Job::Model => Some(Input::ModelFailed(ModelFailure {
                what: "the model's adapter crashed; this is a bug".to_owned(),
                remedy: Remedy::Never,
            })),
            Job::Tool(call) => {
                let text =
                    "The tool crashed; this is a bug in it. It may have done part of its work.";
                Some(Input::ToolDone(call, Outcome::error(text)))
            }
        }
    }

    /// Drops the request or the tools, and waits until they are gone.
    async fn cancel(&mut self) {
        self.jobs.shutdown().await;
        self.running.clear();
    }

    // ─── endings ───

    async fn rest(&mut self, resting: Resting) {
        self.is_working = false;
        let (why, turn, result) = match resting {
            Resting::Done { turn, result } => (RestReason::Done, turn, result),
            Resting::Cut { turn, why } => (why, turn, String::new()),
        };
        let rest = Command::Rest {
            member: self.name.clone(),
            incarnation: self.incarnation,
            why: why.clone(),
            turn: Some(turn),
            result: result.clone(),
        };
        let is_news = match self.shared.ledger.decide(rest).await {
            Ok(events) => !events.is_empty(),
            Err(error) => {
                self.shared.feed.notice(
                    &self.name,
                    format!("the end of a turn was not noted: {error}"),
                );
                true
            }
        };
        if !self.name.is_lead() {
            self.tell_lead(&why, turn, &result).await;
        }
        // What was said last time is no news today, but the lead's last word is what a resumed job ends with.
        if is_news || (self.name.is_lead() && why == RestReason::Done) {
            self.shared
                .feed
                .tell(&self.name, What::Rested { why, result });
        }
        self.shared.tell_status(&self.name);
    }

    /// The idle notice with the result. Its id follows from the turn, so telling it twice is harmless.
    async fn tell_lead(&self, why: &RestReason, turn: u64, result: &str) {
        let (word, content) = match why {
            RestReason::Done if result.is_empty() => {
                ("done", "(finished without a last word)".to_owned())
            }
            RestReason::Done => ("done", result.to_owned()),
            RestReason::Interrupted => ("interrupted", "(interrupted by the user)".to_owned()),
            RestReason::Failed { what } => ("failed", format!("failed: {what}")),
            RestReason::Limit { what } => ("limit", what.clone()),
        };
        let mut metadata = teammate_core::mail::Metadata::new();
        metadata.insert("why".to_owned(), word.into());
        metadata.insert("wakes".to_owned(), (*why != RestReason::Interrupted).into());
        let id = self
            .shared
            .ledger
            .team()
            .notice_id(&self.name, self.incarnation, turn);
        let letter = Letter {
            id,
            kind: MessageKind::IdleNotification,
            from: Sender::Member(self.name.clone()),
            from_incarnation: Some(self.incarnation),
            to: MemberName::lead(),
            content,
            metadata,
        };
        if let Err(error) = self.shared.post(letter).await {
            let text = format!(
                "the lead was not told of the end of this turn: {error}; it is told when the team is opened again"
            );
            self.shared.feed.notice(&self.name, text);
        }
    }
}

/// How the last turn was cut, if that is the last thing that happened.
fn cut(entries: &[Entry]) -> Option<Resting> {
    let (Entry::Rested(why), before) = entries.split_last()? else {
        return None;
    };
    Some(Resting::Cut {
        turn: before.len() as u64,
        why: why.clone(),
    })
}

/// Never, if there is no moment.
async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
