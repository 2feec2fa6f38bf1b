//! The driver of one member: one task that owns the agent machine and its transcript, feeds in what happens and does
//! what comes out. What the effects do is in the modules below.

mod calls;
mod compacting;
mod conversation;
mod damage;
mod engine;
mod hooked;
mod idle_timeout;
mod in_flight;
mod judging;
mod leave;
mod mail;
mod next_task;
mod opening;
mod recall;
mod results;
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
    Incarnation, MemberName,
    agent::{Agent, Effect, Input, Leave, TurnEnd},
    board::TaskId,
    event::EventKind,
    port::{BatchId, Tail, Transcript, Workspace},
    transcript::Entry,
};
use tokio::{
    task::{Id, JoinSet},
    time::Instant,
};

pub(crate) use self::conversation::highest_conversation;
use self::{
    engine::MemberEngine,
    in_flight::{DriverJob, DriverJobEnd},
    judging::Judging,
    todo_reminder::TodoReminder,
};
use crate::{
    base::Base,
    carried_work::WorkSaver,
    identity::{Toolset, Toolsets},
    last_turn::LastTurn,
    loops::Loops,
    mailer::Mailer,
    members::{MemberError, Order, Orders},
    model_calls::ModelCaller,
    model_chain::ModelChain,
    open_requests::OpenRequests,
    permission_gate::PermissionGate,
    rights::{Rights, ToolContexts},
    shown::UnknownCalls,
    spending::UsageMeter,
    worktree_setup::PendingSetup,
};

/// How a loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoopEnd {
    /// For good.
    Ended,
    /// To begin anew, in another conversation.
    BeginsAnew,
}

/// The parts that drivers work with.
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
    /// The set-up of the worktree in which its tools work, which calls wait for.
    setup: Option<Arc<PendingSetup>>,
    /// That of its own worktree, if that is new here and nobody else sets it up.
    home_setup: Option<Arc<PendingSetup>>,
    engine: MemberEngine,
    chain: Arc<ModelChain>,
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
    judging: Judging,
    jobs: JoinSet<DriverJobEnd>,
    running: HashMap<Id, DriverJob>,
    is_working: bool,
    nudge: TodoReminder,
    unknown: UnknownCalls,
    /// The turn is about a task of the board, which shows the result.
    is_turn_for_task: bool,
    /// The first task that the answer could make by which it was spawned, until it looks for one.
    first_task: Option<TaskId>,
    /// The unfinished end of the last turn, if a crash may have come before it was reported.
    unreported_end: Option<TurnEnd>,
    /// The last turn of an earlier life, whose notice may not have been sent: its driver may have been lost before.
    untold: Option<(Incarnation, LastTurn)>,
    /// When to look into the mailbox again after it could not be read.
    retry_mail_at: Option<Instant>,
    /// The saver of its work for other machines, where there are any.
    saver: Option<WorkSaver>,
    /// The team's pause keeps it from looking for mail and tasks.
    is_held: bool,
    /// When it is stopped if nothing comes.
    idle_deadline: Option<Instant>,
    /// Until when results wait to be heard together, if there are any.
    results_until: Option<Instant>,
}

impl Driver {
    /// Runs until it is stopped, or has to begin anew.
    pub(crate) async fn run(mut self, orders: &mut Orders) -> Result<LoopEnd, MemberError> {
        if !self.begin().await? {
            return Ok(LoopEnd::Ended);
        }
        loop {
            let (mut told, mut judged) = (None, None);
            let input = tokio::select! {
                biased;
                order = orders.next() => match order {
                    Order::Interrupt => Input::Interrupt,
                    Order::TakeBack => match self.take_back().await? {
                        true => continue,
                        false => return Ok(LoopEnd::Ended),
                    },
                    Order::Wake => Input::Rang,
                    Order::Leave => Input::Leave(Leave::Pause),
                    Order::Stop => Input::Stop,
                    Order::Pause { waits_for, known } => {
                        told = Some(known);
                        Input::Pause(waits_for)
                    }
                    Order::Recall { id, mail, known } => {
                        self.recall(id, mail).await;
                        told = Some(known);
                        // The mailbox is looked through: what was taken back no longer waits in it.
                        Input::Rang
                    }
                    Order::Clear { id, known } => match self.clear(id).await? {
                        true => return Ok(LoopEnd::BeginsAnew),
                        false => {
                            drop(known);
                            continue;
                        }
                    },
                    Order::Compact { known, .. } if self.engine.shown().is_some() => {
                        let text = "an agent of another make makes room in its conversation itself";
                        self.base.feed.note(&self.name, text);
                        drop(known);
                        continue;
                    }
                    Order::Compact { focus, known } => {
                        told = Some(known);
                        Input::Compact { focus }
                    }
                },
                Some(ended) = self.jobs.join_next_with_id() => match self.on_finished(ended) {
                    Some(DriverJobEnd::Input(input)) => input,
                    Some(DriverJobEnd::Opened(opened)) => {
                        self.on_opened(opened).await?;
                        continue;
                    }
                    Some(DriverJobEnd::Lost(why)) => match self.on_lost(why).await {
                        Some(failed) => failed,
                        None => continue,
                    },
                    None => continue,
                },
                Some(verdict) = self.judging.next() => {
                    judged = self.on_judged(verdict).await;
                    Input::Rang
                }
                () = self.base.ports.mailbox.rang(&self.name) => {
                    self.count_arrived().await;
                    self.judge_arrived().await;
                    match self.collects_results() {
                        true => continue,
                        false => Input::Rang,
                    }
                }
                () = results::collected(&self.base, &self.name, self.results_until), if self.results_until.is_some() => {
                    self.results_until = None;
                    Input::Rang
                }
                () = self.base.until_goes_on(), if self.is_held => {
                    self.is_held = false;
                    Input::Rang
                }
                () = sleep_until(self.engine.rests_at()) => {
                    self.engine.rest().await;
                    continue;
                }
                () = sleep_until(self.retry_mail_at) => {
                    // In a turn mail is taken when its round is over.
                    self.retry_mail_at = None;
                    self.count_arrived().await;
                    Input::Rang
                }
                () = sleep_until(self.idle_deadline) => match self.on_idle_timeout().await {
                    true => Input::Stop,
                    false => Input::Rang,
                },
            };
            let goes_on = self.step_and_track(input).await?;
            drop((told, judged));
            if !goes_on {
                return Ok(LoopEnd::Ended);
            }
        }
    }

    /// Feeds one input, and stays busy until all its effects are done. False when the loop has ended.
    async fn step_and_track(&mut self, input: Input) -> Result<bool, MemberError> {
        if matches!(input, Input::Rang) && self.agent.is_idle() && self.base.is_paused() {
            // It looks when the team goes on; who is asked to leave may leave.
            self.is_held = true;
            return self.agree_if_idle().await;
        }
        self.base.activity.set_busy(&self.name, true);
        self.refresh_models();
        let goes_on = self.run_effects(input).await? && self.agree_if_idle().await?;
        if goes_on && self.agent.is_idle() {
            self.base.activity.set_busy(&self.name, false);
        }
        self.engine.set_idle(self.agent.is_idle());
        self.arm_idle_timeout();
        Ok(goes_on)
    }

    /// Takes up what the user has chosen since, and what is known of the models by now.
    fn refresh_models(&mut self) {
        let team = self.base.ledger.team();
        if let Some(member) = team.member(&self.name)
            && !self.chain.is_of(&member.options)
        {
            self.chain = Arc::new(ModelChain::of(&self.base, &member.options));
            let agent = engine::model_shown(member);
            self.rights.model = agent.unwrap_or_else(|| self.chain.own().clone());
        }
        let context = self.engine.context();
        let context = context.unwrap_or_else(|| self.chain.context());
        self.agent.set_context(context);
        if self.engine.shown().is_none() && self.chain.has_slept() {
            self.agent.mark_cold();
        }
    }

    /// One input and whatever follows from it at once.
    async fn run_effects(&mut self, input: Input) -> Result<bool, MemberError> {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let mut has_heard = false;
            for effect in self.step(input) {
                match effect {
                    Effect::Record(entry) => self.record(entry).await?,
                    Effect::TakeMail => {
                        let mut mail = self.take_mail().await;
                        mail.extend(self.task_beside_prompt().await);
                        inputs.push_back(Input::Heard(mail));
                    }
                    Effect::FindTask => inputs.push_back(Input::TaskFound(self.find_task().await)),
                    Effect::AckMail => has_heard = true,
                    Effect::CallModel { round } => {
                        self.hear_answer().await;
                        inputs.extend(self.call_model(round).await);
                    }
                    Effect::Summarize {
                        focus,
                        bytes_max,
                        in_turn,
                        is_needed,
                    } => {
                        let how = (in_turn, is_needed);
                        inputs.extend(self.summarize(focus.as_deref(), bytes_max, how));
                    }
                    Effect::AskToEnd { result, held_back } => self.ask_to_end(result, held_back),
                    Effect::CancelModel | Effect::CancelTools | Effect::CancelAskToEnd => {
                        self.cancel().await;
                    }
                    Effect::RunTools(calls) => self.run_in_workdir(calls).await,
                    Effect::EndTurn(resting) => {
                        self.end_turn(resting).await;
                    }
                    Effect::Note(text) => self.base.feed.note(&self.name, text),
                    Effect::Exit => {
                        if has_heard {
                            self.ack_mail().await;
                        }
                        self.engine.rest().await;
                        self.flush_last_usage().await;
                        self.save_last_work().await;
                        return Ok(false);
                    }
                }
            }
            // The model is asked first: nothing waits for this.
            if has_heard {
                self.ack_mail().await;
            }
        }
        Ok(true)
    }

    /// Nothing more of the lead's answer runs.
    fn release_spawned(&self) {
        if self.name.is_lead() {
            self.base.spawn_hold.release();
        }
    }

    /// The effects that follow from an input. The member's agreement to a shutdown may be in the journal before it is known
    /// here.
    fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut effects = Vec::new();
        if !self.agent.is_idle() && self.has_agreed_to_shut_down() {
            effects = self.agent.step(Input::Leave(Leave::Shutdown));
        }
        effects.extend(self.agent.step(input));
        if !self.agent.is_running_calls() {
            self.release_spawned();
        }
        effects
    }

    /// Everything that a member spends passes here.
    async fn record(&mut self, entry: Entry) -> Result<(), MemberError> {
        self.transcript.append(&entry).await?;
        let at = self.entry_count;
        self.entry_count += 1;
        if let Some((model, usage)) = entry.usage() {
            self.record_usage(at, model, usage).await;
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
                    money: self.paid(&reply.model, &reply.usage),
                    context: self.context_use(&reply.model, &reply.usage),
                    entry: Some(at),
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
            | Entry::Taken { .. }
            | Entry::Conversation(_)
            | Entry::Prompted(_)
            | Entry::HandedOver(_)
            | Entry::TurnEnded(_) => {}
        }
        Ok(())
    }
}

/// Never, if there is no deadline.
async fn sleep_until(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
