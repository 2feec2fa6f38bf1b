//! A member's engine, as its driver uses it: chosen when the member begins, opened before a turn if it has to be, handed what is
//! new, asked, opened again when it is lost, and left to rest when the member is idle for long.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    Incarnation,
    agent::{ContextWindow, Input},
    model::{ModelFailure, ModelRef, Remedy},
    port::{AgentPast, WorkspaceAccess},
    team::Member,
};
use tokio::time::Instant;

use super::{
    Driver, DriverParts,
    in_flight::{DriverJob, DriverJobEnd},
};
use crate::{
    base::Base,
    engine::{
        Engine, EngineAsk, EngineFailure, ModelEngine, OpenOrder, OpenedEngine,
        agent::{AgentEngine, AgentParts, Preface, handing_over, model_name},
    },
    identity::{self, Toolset},
    members::MemberError,
    workdir::Workdir,
};

/// How often an agent may be lost within [`LOSS_WINDOW`] before the turn fails.
const LOSSES_MAX: usize = 3;
const LOSS_WINDOW: Duration = Duration::from_secs(10 * 60);

/// How long an agent of an idle member goes on running.
const RESTS_AFTER: Duration = Duration::from_secs(10 * 60);

/// For an agent that makes room in its conversation itself.
const NO_WINDOW: ContextWindow = ContextWindow {
    tokens: u64::MAX,
    full_at: u64::MAX,
};

/// The engine of the member.
pub(super) struct MemberEngine {
    engine: Arc<dyn Engine>,
    /// Of an external agent, in the place of a model's name.
    agent: Option<AgentSide>,
}

/// The parts that only an external agent needs.
struct AgentSide {
    shown: String,
    identity: Arc<str>,
    losses: Vec<Instant>,
    rests_at: Option<Instant>,
}

/// The name in the place of a model, for a member that has none.
pub(super) fn model_shown(member: &Member) -> Option<ModelRef> {
    let agent = member.options.engine.as_ref()?;
    model_name(agent).parse().ok()
}

impl MemberEngine {
    pub(super) fn of(
        base: &Arc<Base>,
        parts: &DriverParts,
        member: &Member,
        (toolset, home): (&Arc<Toolset>, &Workdir),
    ) -> Self {
        let source = base
            .ports
            .agents
            .as_ref()
            .zip(member.options.engine.as_ref());
        let Some((source, agent)) = source else {
            return Self {
                engine: Arc::new(ModelEngine(parts.model_caller.clone())),
                agent: None,
            };
        };
        let parts = AgentParts {
            base: base.clone(),
            gate: parts.gate.clone(),
            contexts: parts.contexts.clone(),
            loops: parts.loops.clone(),
            toolset: toolset.clone(),
        };
        let who: (_, Incarnation) = (&member.name, member.incarnation);
        let engine = AgentEngine::new(source.clone(), agent.clone(), who, parts);
        Self {
            engine: Arc::new(engine),
            agent: Some(AgentSide {
                shown: model_name(agent),
                identity: identity::of_agent(&base.setup, home, &base.ledger.team(), member),
                losses: Vec::new(),
                rests_at: None,
            }),
        }
    }

    /// The name that is shown in the place of a model's, if the engine is no model.
    pub(super) fn shown(&self) -> Option<&str> {
        self.agent.as_ref().map(|agent| &*agent.shown)
    }

    /// How much of a conversation fits, if that is not the model's.
    pub(super) fn context(&self) -> Option<ContextWindow> {
        self.agent.as_ref().map(|_| NO_WINDOW)
    }

    /// When it ends if nothing comes.
    pub(super) fn rests_at(&self) -> Option<Instant> {
        self.agent.as_ref()?.rests_at
    }

    /// The member has begun to be idle, or to work.
    pub(super) fn set_idle(&mut self, is_idle: bool) {
        if let Some(agent) = &mut self.agent {
            agent.rests_at = is_idle.then(|| Instant::now() + RESTS_AFTER);
        }
    }

    /// Ends the turn, with whatever it has started.
    pub(super) async fn cut(&self) {
        self.engine.cut().await;
    }

    /// Ends what runs of it.
    pub(super) async fn rest(&mut self) {
        if let Some(agent) = &mut self.agent {
            agent.rests_at = None;
        }
        self.engine.rest().await;
    }
}

impl Driver {
    /// Asks the engine, once it is open.
    pub(super) async fn ask_engine(&mut self) {
        if self.engine.agent.is_some() {
            self.rights.workspace = match self.workdir_of_turn().await {
                Ok(workspace) => workspace,
                Err((task, error)) => {
                    let what = self.give_back(task, &error).await;
                    self.start(DriverJob::Model, async move { failed(what) });
                    return;
                }
            };
        }
        let order = OpenOrder {
            session: self.agent.conversation().agent_session().map(str::to_owned),
            rights: self.rights.clone(),
            access: self.access(),
        };
        let setup = self.setup.clone();
        match self.engine.engine.open(order) {
            Some(opening) => self.start(DriverJob::Model, async move {
                if let Some(setup) = setup {
                    setup.until_done().await;
                }
                match opening.await {
                    Ok(opened) => DriverJobEnd::Opened(opened),
                    Err(failure) => Input::ModelFailed(failure).into(),
                }
            }),
            None => {
                let news = (String::new(), 0);
                self.ask(news);
            }
        }
    }

    /// The access of an engine to the workspace: with a closed plan gate it only reads.
    fn access(&self) -> WorkspaceAccess {
        let team = self.base.ledger.team();
        let refused = team
            .member(&self.name)
            .and_then(|member| member.gate.refusal());
        match refused {
            Some(_) => WorkspaceAccess::Reads,
            None => WorkspaceAccess::Writes,
        }
    }

    /// The engine is open: hands it what is new, and asks.
    pub(super) async fn on_opened(&mut self, opened: OpenedEngine) -> Result<(), MemberError> {
        let conversation = self.agent.conversation();
        let how = handing_over(conversation, opened.past.as_ref(), |at| self.mark(at));
        if let Some(AgentPast::New(Some(why))) = &opened.past {
            let text = format!(
                "its conversation could not be loaded, so it begins a new one and gets what the team has of it: {why}"
            );
            self.base.feed.note(&self.name, text);
        }
        for entry in self.agent.hand_over(opened.session, how) {
            self.record(entry).await?;
        }
        let conversation = self.agent.conversation();
        let at = conversation.open_handover().map_or(0, |open| open.at);
        let is_new = matches!(opened.past, Some(AgentPast::New(_)));
        let preface = match self.engine.agent.as_ref().filter(|_| is_new) {
            Some(agent) => Preface::Identity(&agent.identity),
            None => Preface::None,
        };
        let prompt = preface.prompt(conversation, &self.mark(at));
        self.ask((prompt, at));
        Ok(())
    }

    /// The beginning of a prompt: by this the agent's own records show that it has it.
    fn mark(&self, at: u64) -> String {
        format!("[team prompt {}/{}/{at}]", self.name, self.incarnation)
    }

    fn ask(&mut self, news: (String, u64)) {
        let mut request = self.request();
        if self.name.is_lead() {
            request.options.schema = self.base.setup.config.result_schema.clone();
        }
        let ask = EngineAsk {
            scene: self.scene(),
            chain: self.chain.clone(),
            request,
            news,
            sources: Arc::new(self.agent.conversation().sources().clone()),
        };
        let answer = self.engine.engine.answer(ask);
        self.agent.mark_sent();
        let base = self.base.clone();
        self.start(DriverJob::Model, async move {
            base.until_may_ask().await;
            match answer.await {
                Ok(reply) => Input::Answered(reply).into(),
                Err(EngineFailure::Failed(failure)) => Input::ModelFailed(failure).into(),
                Err(EngineFailure::Lost(why)) => DriverJobEnd::Lost(why),
            }
        });
    }

    /// The engine was lost in its turn: it is opened again, unless that happens all the time.
    pub(super) async fn on_lost(&mut self, why: String) -> Option<Input> {
        let text = format!("the agent was lost ({why}); it is started again");
        let Some(agent) = &mut self.engine.agent else {
            return Some(failed(why));
        };
        agent.losses.retain(|moment| moment.elapsed() < LOSS_WINDOW);
        if agent.losses.len() >= LOSSES_MAX {
            return Some(failed(format!(
                "the agent was lost {LOSSES_MAX} times in a short time, and once more: {why}. A message to it tries again"
            )));
        }
        agent.losses.push(Instant::now());
        self.base.feed.note(&self.name, text);
        self.ask_engine().await;
        None
    }
}

fn failed(what: String) -> Input {
    Input::ModelFailed(ModelFailure {
        what,
        remedy: Remedy::Never,
    })
}
