//! The driver of one member: one task that owns the agent machine and its transcript, feeds in what happens and does
//! what comes out. What the effects do is in the modules below.

mod calls;
mod compacting;
mod current;
mod damage;
mod going;
mod idle;
mod jobs;
mod mail;
mod nudge;
mod place;
mod spending;
mod turn_end;
mod work;

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    sync::Arc,
};

use teammate_core::{
    Incarnation, MemberName, Message, MessageKind, Sender,
    agent::{Agent, Effect, Input, Leave, Resting, Unfinished},
    board::TaskId,
    event::What,
    mail::Metadata,
    model::ModelFailure,
    port::{ClaimId, Model, Tail, Transcript, Workspace},
    team::Member,
    team::MessageCause,
    transcript::{Conversation, Entry, numbered},
};
use tokio::{
    task::{Id, JoinSet},
    time::Instant,
};

use self::{jobs::Job, nudge::Nudge};
use crate::{
    ask::Asker,
    base::Base,
    gate::Gate,
    home::Home,
    identity::{self, Kit, Kits},
    loops::Loops,
    mailer::Mailer,
    members::{MemberError, Order, Orders},
    open_requests::OpenRequests,
    rights::{Rights, ToolContexts},
    spending::Meter,
    told::UnknownCalls,
};

/// What drivers work with.
pub(crate) struct DriverParts {
    pub(crate) mailer: Arc<Mailer>,
    pub(crate) loops: Arc<Loops>,
    pub(crate) meter: Arc<Meter>,
    pub(crate) kits: Arc<Kits>,
    pub(crate) asker: Arc<Asker>,
    pub(crate) requests: Arc<OpenRequests>,
    pub(crate) gate: Arc<Gate>,
    pub(crate) contexts: Arc<dyn ToolContexts>,
}

/// The task's state.
pub(crate) struct Driver {
    base: Arc<Base>,
    parts: Arc<DriverParts>,
    name: MemberName,
    incarnation: Incarnation,
    rights: Rights,
    /// Where it works if no task of its says otherwise.
    home: Arc<Workspace>,
    /// The task of this turn whose worktree its tools work in.
    apart: Option<TaskId>,
    model: Result<Arc<dyn Model>, ModelFailure>,
    model_name: String,
    identity: Arc<str>,
    kit: Arc<Kit>,
    agent: Agent,
    log: Box<dyn Transcript>,
    /// How many entries the transcript has, lost ones included.
    recorded: u64,
    /// Whether the end of the transcript was proven when it was opened.
    tail: Tail,
    claims: Vec<ClaimId>,
    /// Claimed batches with mail for another conversation: they stay in the mailbox.
    held: BTreeSet<ClaimId>,
    jobs: JoinSet<Input>,
    running: HashMap<Id, Job>,
    is_working: bool,
    nudge: Nudge,
    unknown: UnknownCalls,
    /// The turn is about a task of the board: what comes of it is seen there.
    is_at_a_task: bool,
    /// How the last turn was cut, if the transcript ends with that: a crash may have come before anybody was told.
    cut: Option<Resting>,
    /// When to look into the mailbox again after it could not be read.
    listen_again: Option<Instant>,
    /// When it is stopped if nothing comes.
    idle_until: Option<Instant>,
}

impl Driver {
    /// Opens the member's transcript and gets ready. Nothing has begun yet.
    pub(crate) async fn open(
        base: Arc<Base>,
        parts: Arc<DriverParts>,
        member: &Member,
    ) -> Result<Self, MemberError> {
        let home = Home::of(&base, member).await?;
        let mut opened = base.world.transcripts.open(&member.name).await?;
        if member.name.is_lead() {
            current::turn_to_current(&base, &mut opened).await?;
        }
        let (entries, length) = numbered(opened.entries, &opened.gaps);
        let model = member
            .terms
            .model
            .clone()
            .unwrap_or_else(|| base.setup.config.model.clone());
        spending::take_up(&base, &parts.meter, member, &entries, length);
        let kit = parts.kits.of(&member.name, &member.terms);
        let cut = cut(&entries);
        let (conversation, mended) = Conversation::found(entries, length);
        if let Some(notice) = damage::notice(&opened.salvage, mended) {
            base.feed.notice(&member.name, notice);
        }
        let agent = Agent::new(
            member.incarnation,
            kit.classes.clone(),
            base.setup.config.limits,
            conversation,
        );
        let identity = identity::identity(&base.setup, &home, &base.ledger.team(), member);
        Ok(Self {
            name: member.name.clone(),
            incarnation: member.incarnation,
            rights: Rights {
                base: base.clone(),
                member: Some(member.name.clone()),
                ceiling: base.setup.config.mode,
                workspace: home.workspace.clone(),
                model: model.clone(),
                tools: member.terms.tools.clone(),
                is_subagent: false,
            },
            model: base
                .world
                .models
                .open(&model)
                .map_err(|failure| parts.asker.tellable(failure)),
            model_name: model.to_string(),
            identity,
            home: home.workspace,
            apart: None,
            kit,
            agent,
            log: opened.log,
            recorded: length,
            tail: opened.tail,
            claims: Vec::new(),
            held: BTreeSet::new(),
            jobs: JoinSet::new(),
            running: HashMap::new(),
            is_working: false,
            nudge: Nudge::default(),
            unknown: UnknownCalls::default(),
            is_at_a_task: false,
            cut,
            listen_again: None,
            idle_until: None,
            base,
            parts,
        })
    }

    /// What is told of the member's spawn.
    pub(crate) fn spawned(&self, member: &Member) -> What {
        let assignment = member.assignment.as_ref();
        let is_old = member.incarnation != Incarnation::FIRST;
        What::Spawned {
            role: member.role.clone(),
            incarnation: member.incarnation,
            woken: is_old && assignment.is_some_and(|assignment| !assignment.fresh),
            model: Some(self.rights.model.clone()),
            mode: Some(self.rights.mode()),
            worktree: member
                .terms
                .worktree
                .then(|| self.home.root.display().to_string()),
            by: assignment.map(|assignment| assignment.by.clone()),
        }
    }

    /// Runs until told to stop.
    pub(crate) async fn run(mut self, orders: &mut Orders) -> Result<(), MemberError> {
        if !self.begin().await? {
            return Ok(());
        }
        loop {
            let mut told = None;
            let input = tokio::select! {
                biased;
                order = orders.next() => match order {
                    Order::Interrupt => Input::Interrupt,
                    Order::TakeBack => match self.take_back().await? {
                        true => continue,
                        false => return Ok(()),
                    },
                    Order::Wake => Input::Rang,
                    Order::Leave => Input::Leave(Leave::Pause),
                    Order::Stop => Input::Stop,
                    Order::Pause { waits_for, known } => {
                        told = Some(known);
                        Input::Pause(waits_for)
                    }
                    Order::Compact { focus, known } => {
                        told = Some(known);
                        Input::Compact { focus }
                    }
                },
                Some(ended) = self.jobs.join_next_with_id() => match self.ended(ended) {
                    Some(input) => input,
                    None => continue,
                },
                () = self.base.world.mailbox.rang(&self.name) => Input::Rang,
                () = sleep_until(self.listen_again) => Input::Rang,
                () = sleep_until(self.idle_until) => match self.idled_out().await {
                    true => Input::Stop,
                    false => Input::Rang,
                },
            };
            let goes_on = self.feed(input).await?;
            drop(told);
            if !goes_on {
                return Ok(());
            }
        }
    }

    async fn begin(&mut self) -> Result<bool, MemberError> {
        let assignment = self.assignment();
        let is_old = assignment
            .as_ref()
            .is_none_or(|(message, _)| self.agent.conversation().has_heard(&message.id));
        if let Some(cut) = self.cut.take().filter(|_| is_old) {
            // The same turn ends only once, and its notice is heard once.
            self.end_turn(cut).await;
        }
        self.base.activity.works(&self.name, true);
        let untouched = self.untouched().await;
        let unfinished = match self.tail {
            Tail::Proven if self.has_agreed_to_shut_down() => Unfinished::Decline,
            Tail::Proven => Unfinished::TakeUp { untouched },
            Tail::InDoubt => Unfinished::Lapse,
        };
        let begin = Input::Begin {
            assignment,
            unfinished,
        };
        let goes_on = self.follow(begin).await? && self.agree_if_idle().await?;
        if self.agent.is_idle() {
            // Whoever waits until all rest shall not see it at work.
            self.record_idle().await;
            self.base.activity.works(&self.name, false);
        }
        self.watch_idleness();
        Ok(goes_on)
    }

    /// What the member was last spawned to do.
    fn assignment(&self) -> Option<(Message, bool)> {
        let team = self.base.ledger.team();
        let assignment = team.member(&self.name)?.assignment.as_ref()?;
        if assignment.prompt.is_empty() {
            return None;
        }
        let message = Message {
            id: team.message_id(MessageCause::Assignment(&self.name, self.incarnation)),
            kind: MessageKind::TaskAssignment,
            from: Sender::Member(assignment.by.clone()),
            from_incarnation: None,
            to: self.name.clone(),
            to_incarnation: Some(self.incarnation),
            content: assignment.prompt.clone(),
            sent_at: assignment.at,
            wakes: None,
            request_id: None,
            metadata: Metadata::new(),
        };
        Some((message, assignment.fresh))
    }

    /// Feeds one input, and is busy until nothing follows from it any more. False when the loop is over.
    async fn feed(&mut self, input: Input) -> Result<bool, MemberError> {
        self.base.activity.works(&self.name, true);
        let goes_on = self.follow(input).await? && self.agree_if_idle().await?;
        if goes_on && self.agent.is_idle() {
            self.base.activity.works(&self.name, false);
        }
        self.watch_idleness();
        Ok(goes_on)
    }

    /// One input and whatever follows from it at once.
    async fn follow(&mut self, input: Input) -> Result<bool, MemberError> {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            for effect in self.step(input) {
                match effect {
                    Effect::Record(entry) => self.record(entry).await?,
                    Effect::Listen => inputs.push_back(Input::Heard(self.listen().await)),
                    Effect::Seek => inputs.push_back(Input::Found(self.seek().await)),
                    Effect::Settle => self.settle().await,
                    Effect::CallModel { round } => {
                        self.hear_answer().await;
                        inputs.extend(self.call_model(round));
                    }
                    Effect::Summarize {
                        focus,
                        bytes_max,
                        in_turn,
                    } => inputs.extend(self.summarize(focus.as_deref(), bytes_max, in_turn)),
                    Effect::CancelModel | Effect::CancelTools => self.cancel().await,
                    Effect::RunTools(calls) => self.run_in_place(calls).await,
                    Effect::Rest(resting) => {
                        self.end_turn(resting).await;
                    }
                    Effect::Note(text) => self.base.feed.notice(&self.name, text),
                    Effect::Retire => {
                        self.settle_up().await;
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// What follows from an input. That the member has agreed to shut down may be in the journal before anybody says so here.
    fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut effects = Vec::new();
        if !self.agent.is_idle() && self.has_agreed_to_shut_down() {
            effects = self.agent.step(Input::Leave(Leave::Shutdown));
        }
        effects.extend(self.agent.step(input));
        effects
    }

    /// Everything that a member spends passes here.
    async fn record(&mut self, entry: Entry) -> Result<(), MemberError> {
        self.log.append(&entry).await?;
        let at = self.recorded;
        self.recorded += 1;
        if let Some((model, usage)) = entry.spent() {
            self.spends(at, model, usage);
        }
        match entry {
            Entry::Heard(mail) => {
                for message in mail {
                    let heard = self.parts.mailer.heard(message);
                    self.base.feed.tell(&self.name, heard);
                }
            }
            Entry::Answered(reply) => {
                self.unknown.answered(&reply, &self.kit);
                let text = reply.text();
                let event = What::Answered {
                    text,
                    stop: reply.stop,
                    usage: reply.usage,
                    model: Some(reply.model),
                };
                self.base.feed.tell(&self.name, event);
            }
            Entry::Shortened { .. } | Entry::Compacted(_) | Entry::Wasted { .. } => {
                self.tell_compaction(entry);
            }
            Entry::Done(outcomes) => {
                let secrets = &self.base.setup.secrets;
                for told in self.unknown.done(&outcomes, None, secrets) {
                    self.base.feed.tell(&self.name, told);
                }
            }
            Entry::Fresh | Entry::Conversation(_) | Entry::Prompted(_) | Entry::Rested(_) => {}
        }
        Ok(())
    }
}

/// How the last turn was cut, if that is the last thing that happened.
fn cut(entries: &[(u64, Entry)]) -> Option<Resting> {
    let is_compaction = |entry: &Entry| {
        matches!(
            entry,
            Entry::Shortened { .. } | Entry::Compacted(_) | Entry::Wasted { .. }
        )
    };
    let mut said = entries.iter().filter(|(_, entry)| !is_compaction(entry));
    let (turn, Entry::Rested(why)) = said.next_back()? else {
        return None;
    };
    Some(Resting::Cut {
        turn: *turn,
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
