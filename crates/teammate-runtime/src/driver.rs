//! The driver of one member: one task that owns the agent machine and its transcript, feeds in what happens and does
//! what comes out. What the effects do is in the modules below.

mod calls;
mod compacting;
mod current;
mod damage;
mod idle_timeout;
mod in_flight;
mod leave;
mod mail;
mod next_task;
mod todo_reminder;
mod turn_end;
mod unstarted_calls;
mod usage;
mod workdir;

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    sync::Arc,
};

use teammate_core::{
    Incarnation, MemberName, Message, MessageKind, Sender,
    agent::{Agent, Effect, Input, Leave, Memory, SpawnPrompt, TurnEnd, Unfinished},
    board::TaskId,
    event::EventKind,
    mail::Metadata,
    model::ModelFailure,
    port::{BatchId, Model, Tail, Transcript, Workspace},
    team::Member,
    team::MessageCause,
    transcript::{Conversation, Entry, numbered},
};
use tokio::{
    task::{Id, JoinSet},
    time::Instant,
};

use self::{in_flight::InFlight, todo_reminder::TodoReminder};
use crate::{
    base::Base,
    identity::{self, Toolset, Toolsets},
    loops::Loops,
    mailer::Mailer,
    members::{MemberError, Order, Orders},
    model_calls::ModelCaller,
    open_requests::OpenRequests,
    permission_gate::PermissionGate,
    rights::{Rights, ToolContexts},
    shown::UnknownCalls,
    spending::UsageMeter,
    workdir::Workdir,
};

/// What drivers work with.
pub(crate) struct DriverParts {
    pub(crate) mailer: Arc<Mailer>,
    pub(crate) loops: Arc<Loops>,
    pub(crate) meter: Arc<UsageMeter>,
    pub(crate) toolsets: Arc<Toolsets>,
    pub(crate) model_caller: Arc<ModelCaller>,
    pub(crate) requests: Arc<OpenRequests>,
    pub(crate) gate: Arc<PermissionGate>,
    pub(crate) contexts: Arc<dyn ToolContexts>,
}

/// The task's state.
pub(crate) struct Driver {
    base: Arc<Base>,
    parts: Arc<DriverParts>,
    name: MemberName,
    incarnation: Incarnation,
    rights: Rights,
    /// Where the member works, unless its task has a worktree.
    workdir: Arc<Workspace>,
    /// The task of this turn whose worktree its tools work in.
    apart: Option<TaskId>,
    model: Result<Arc<dyn Model>, ModelFailure>,
    model_name: String,
    identity: Arc<str>,
    toolset: Arc<Toolset>,
    agent: Agent,
    transcript: Box<dyn Transcript>,
    /// How many entries the transcript has, lost ones included.
    entry_count: u64,
    /// Whether the end of the transcript was proven when it was opened.
    tail: Tail,
    claims: Vec<BatchId>,
    /// Claimed batches with mail for another conversation: they stay in the mailbox.
    held: BTreeSet<BatchId>,
    jobs: JoinSet<Input>,
    running: HashMap<Id, InFlight>,
    is_working: bool,
    nudge: TodoReminder,
    unknown: UnknownCalls,
    /// The turn is about a task of the board, which shows the result.
    is_turn_for_task: bool,
    /// The unfinished end of the last turn, if a crash may have come before it was reported.
    unreported_end: Option<TurnEnd>,
    /// When to look into the mailbox again after it could not be read.
    retry_mail_at: Option<Instant>,
    /// When it is stopped if nothing comes.
    idle_deadline: Option<Instant>,
}

impl Driver {
    /// Opens the member's transcript and gets ready. Nothing has begun yet.
    pub(crate) async fn open(
        base: Arc<Base>,
        parts: Arc<DriverParts>,
        member: &Member,
    ) -> Result<Self, MemberError> {
        let home = Workdir::of(&base, member).await?;
        let mut opened = base.ports.transcripts.open(&member.name).await?;
        if member.name.is_lead() {
            current::turn_to_current(&base, &mut opened).await?;
        }
        let (entries, length) = numbered(opened.entries, &opened.gaps);
        let model = member
            .options
            .model
            .clone()
            .unwrap_or_else(|| base.setup.config.model.clone());
        usage::restore_pending(&base, &parts.meter, member, &entries, length);
        let toolset = parts.toolsets.of(&member.name, &member.options);
        let cut = cut(&entries);
        let (conversation, mended) = Conversation::found(entries, length);
        if let Some(notice) = damage::notice(&opened.repairs, mended) {
            base.feed.note(&member.name, notice);
        }
        let agent = Agent::new(
            member.incarnation,
            toolset.classes.clone(),
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
                tools: member.options.tools.clone(),
                is_subagent: false,
            },
            model: base
                .ports
                .models
                .open(&model)
                .map_err(|failure| parts.model_caller.redacted(failure)),
            model_name: model.to_string(),
            identity,
            workdir: home.workspace,
            apart: None,
            toolset,
            agent,
            transcript: opened.log,
            entry_count: length,
            tail: opened.tail,
            claims: Vec::new(),
            held: BTreeSet::new(),
            jobs: JoinSet::new(),
            running: HashMap::new(),
            is_working: false,
            nudge: TodoReminder::default(),
            unknown: UnknownCalls::default(),
            is_turn_for_task: false,
            unreported_end: cut,
            retry_mail_at: None,
            idle_deadline: None,
            base,
            parts,
        })
    }

    /// The event of the member's spawn.
    pub(crate) fn spawned(&self, member: &Member) -> EventKind {
        let assignment = member.assignment.as_ref();
        let is_old = member.incarnation != Incarnation::FIRST;
        EventKind::Spawned {
            role: member.role.clone(),
            incarnation: member.incarnation,
            woken: is_old && assignment.is_some_and(|assignment| !assignment.fresh),
            model: Some(self.rights.model.clone()),
            mode: Some(self.rights.effective_mode()),
            worktree: member
                .options
                .worktree
                .then(|| self.workdir.root.display().to_string()),
            by: assignment.map(|assignment| assignment.by.clone()),
        }
    }

    /// Runs until it is stopped.
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
                Some(ended) = self.jobs.join_next_with_id() => match self.on_finished(ended) {
                    Some(input) => input,
                    None => continue,
                },
                () = self.base.ports.mailbox.rang(&self.name) => Input::Rang,
                () = sleep_until(self.retry_mail_at) => Input::Rang,
                () = sleep_until(self.idle_deadline) => match self.on_idle_timeout().await {
                    true => Input::Stop,
                    false => Input::Rang,
                },
            };
            let goes_on = self.step_and_track(input).await?;
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
            .is_none_or(|spawn| self.agent.conversation().has_heard(&spawn.message.id));
        if let Some(cut) = self.unreported_end.take().filter(|_| is_old) {
            // The same turn ends only once, and its notice is heard once.
            self.end_turn(cut).await;
        }
        self.base.activity.set_busy(&self.name, true);
        let untouched = self.unstarted_calls().await;
        let unfinished = match self.tail {
            Tail::Proven if self.has_agreed_to_shut_down() => Unfinished::Decline,
            Tail::Proven => Unfinished::TakeUp { untouched },
            Tail::InDoubt => Unfinished::Lapse,
        };
        let begin = Input::Begin {
            assignment,
            unfinished,
        };
        let goes_on = self.run_effects(begin).await? && self.agree_if_idle().await?;
        if self.agent.is_idle() {
            // Clear the busy flag before waiters are woken.
            self.record_idle().await;
            self.base.activity.set_busy(&self.name, false);
        }
        self.arm_idle_timeout();
        Ok(goes_on)
    }

    /// What the member was last spawned to do.
    fn assignment(&self) -> Option<SpawnPrompt> {
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
            metadata: Metadata::default(),
        };
        let memory = if assignment.fresh {
            Memory::Reset
        } else {
            Memory::Kept
        };
        Some(SpawnPrompt { message, memory })
    }

    /// Feeds one input, and stays busy until all its effects are done. False when the loop has ended.
    async fn step_and_track(&mut self, input: Input) -> Result<bool, MemberError> {
        self.base.activity.set_busy(&self.name, true);
        let goes_on = self.run_effects(input).await? && self.agree_if_idle().await?;
        if goes_on && self.agent.is_idle() {
            self.base.activity.set_busy(&self.name, false);
        }
        self.arm_idle_timeout();
        Ok(goes_on)
    }

    /// One input and whatever follows from it at once.
    async fn run_effects(&mut self, input: Input) -> Result<bool, MemberError> {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            for effect in self.step(input) {
                match effect {
                    Effect::Record(entry) => self.record(entry).await?,
                    Effect::TakeMail => inputs.push_back(Input::Heard(self.take_mail().await)),
                    Effect::FindTask => inputs.push_back(Input::TaskFound(self.find_task().await)),
                    Effect::AckMail => self.ack_mail().await,
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
                    Effect::RunTools(calls) => self.run_in_workdir(calls).await,
                    Effect::EndTurn(resting) => {
                        self.end_turn(resting).await;
                    }
                    Effect::Note(text) => self.base.feed.note(&self.name, text),
                    Effect::Exit => {
                        self.flush_usage_and_wait().await;
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// What follows from an input. The member's agreement to a shutdown may be in the journal before it is known
    /// here.
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
        self.transcript.append(&entry).await?;
        let at = self.entry_count;
        self.entry_count += 1;
        if let Some((model, usage)) = entry.usage() {
            self.record_usage(at, model, usage);
        }
        match entry {
            Entry::Heard(mail) => {
                for message in mail {
                    let heard = self.parts.mailer.heard(message);
                    self.base.feed.emit(&self.name, heard);
                }
            }
            Entry::Answered(reply) => {
                self.unknown.answered(&reply, &self.toolset);
                let text = reply.text();
                let event = EventKind::ModelAnswered {
                    text,
                    stop: reply.stop,
                    usage: reply.usage,
                    model: Some(reply.model),
                };
                self.base.feed.emit(&self.name, event);
            }
            Entry::Shortened { .. } | Entry::Compacted(_) | Entry::SummaryFailed { .. } => {
                self.emit_compaction(entry);
            }
            Entry::ToolOutcomes(outcomes) => {
                let secrets = &self.base.setup.secrets;
                for told in self.unknown.done(&outcomes, None, secrets) {
                    self.base.feed.emit(&self.name, told);
                }
            }
            Entry::MemoryReset
            | Entry::Conversation(_)
            | Entry::Prompted(_)
            | Entry::TurnEnded(_) => {}
        }
        Ok(())
    }
}

/// How the last turn was cut, if that is the last thing that happened.
fn cut(entries: &[(u64, Entry)]) -> Option<TurnEnd> {
    let is_compaction = |entry: &Entry| {
        matches!(
            entry,
            Entry::Shortened { .. } | Entry::Compacted(_) | Entry::SummaryFailed { .. }
        )
    };
    let mut said = entries.iter().filter(|(_, entry)| !is_compaction(entry));
    let (turn, Entry::TurnEnded(why)) = said.next_back()? else {
        return None;
    };
    Some(TurnEnd::Ended {
        turn: *turn,
        why: why.clone(),
    })
}

/// Never, if there is no deadline.
async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
