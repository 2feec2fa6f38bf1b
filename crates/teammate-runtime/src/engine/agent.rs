//! An external agent as an engine. It runs within the walls from the member's first turn until the member has been idle for
//! long, and goes on in its session when it was lost. While the member's plan gate is closed its workspace is read-only.

mod client;
mod prompt;

use std::{
    sync::{Arc, RwLock},
    time::Duration,
};

use teammate_core::{
    Incarnation, MemberName,
    block::Block,
    lock::HoldRw,
    model::{ModelFailure, Remedy, Reply, StopReason, Wire},
    name::{AGENT_PROVIDER, AgentName},
    port::{
        AgentError, AgentOrder, AgentSession, AgentSource, BoxFuture, OpenAgent, WorkspaceAccess,
    },
};
use tokio::{
    sync::Mutex,
    time::{Instant, sleep},
};

use self::client::MemberClient;
pub(crate) use self::prompt::{Preface, handing_over};
use super::{Engine, EngineAsk, EngineFailure, EngineOpening, OpenOrder, OpenedEngine};
use crate::{
    base::Base,
    identity::Toolset,
    loops::Loops,
    model_calls::{HookedCall, Purpose},
    permission_gate::PermissionGate,
    rights::ToolContexts,
};

/// The pauses before an agent that was lost while it started is started again.
const RETRY_PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// The parts that agents work with.
pub(crate) struct AgentParts {
    pub(crate) base: Arc<Base>,
    pub(crate) gate: Arc<PermissionGate>,
    pub(crate) contexts: Arc<dyn ToolContexts>,
    pub(crate) loops: Arc<Loops>,
    pub(crate) toolset: Arc<Toolset>,
}

/// An agent that answers one member.
pub(crate) struct AgentEngine {
    source: Arc<dyn AgentSource>,
    agent: AgentName,
    member: MemberName,
    incarnation: Incarnation,
    client: Arc<MemberClient>,
    /// The one that runs. Who uses it holds it for a moment only.
    running: Arc<RwLock<Option<AgentAtWork>>>,
    /// One is opened or ended at a time.
    turnstile: Arc<Mutex<()>>,
}

/// An agent that runs.
#[derive(Clone)]
struct AgentAtWork {
    agent: Arc<dyn AgentSession>,
    session: String,
    place: AgentPlace,
}

/// Where an agent runs.
#[derive(Clone, PartialEq, Eq)]
struct AgentPlace {
    root: std::path::PathBuf,
    access: WorkspaceAccess,
}

/// The name of an agent in the place of a model's.
pub(crate) fn model_name(agent: &AgentName) -> String {
    format!("{AGENT_PROVIDER}:{agent}")
}

impl AgentEngine {
    pub(crate) fn new(
        source: Arc<dyn AgentSource>,
        agent: AgentName,
        (member, incarnation): (&MemberName, Incarnation),
        parts: AgentParts,
    ) -> Self {
        Self {
            source,
            agent,
            member: member.clone(),
            incarnation,
            client: Arc::new(MemberClient::new(member.clone(), incarnation, parts)),
            running: Arc::default(),
            turnstile: Arc::default(),
        }
    }

    fn running(&self) -> Option<AgentAtWork> {
        let running = self.running.hold_read();
        running.clone()
    }
}

fn put(running: &RwLock<Option<AgentAtWork>>, new: Option<AgentAtWork>) -> Option<AgentAtWork> {
    let mut running = running.hold_write();
    std::mem::replace(&mut running, new)
}

impl Engine for AgentEngine {
    fn open(&self, order: OpenOrder) -> Option<EngineOpening> {
        let place = AgentPlace {
            root: order.rights.workspace.root.clone(),
            access: order.access,
        };
        let (running, turnstile) = (self.running.clone(), self.turnstile.clone());
        let known = self.running().filter(|it| it.place == place);
        self.client.begin(order.rights);
        let (source, client) = (self.source.clone(), self.client.clone());
        let (agent, member) = (self.agent.clone(), self.member.clone());
        let incarnation = self.incarnation;
        Some(Box::pin(async move {
            let _alone = turnstile.lock().await;
            if let Some(AgentAtWork { session, .. }) = known {
                return Ok(OpenedEngine {
                    session,
                    past: None,
                });
            }
            if let Some(elsewhere) = put(&running, None) {
                elsewhere.agent.close().await;
            }
            let order = || AgentOrder {
                agent: agent.clone(),
                member: member.clone(),
                incarnation,
                root: place.root.clone(),
                workspace: place.access,
                session: order.session.clone(),
                client: client.clone(),
            };
            let opened = opened(&*source, order).await;
            let opened = opened.map_err(|error| failure(&agent, &error.to_string()))?;
            let session = opened.session.clone();
            put(
                &running,
                Some(AgentAtWork {
                    agent: opened.agent,
                    session: opened.session,
                    place,
                }),
            );
            let past = Some(opened.past);
            Ok(OpenedEngine { session, past })
        }))
    }

    fn answer(&self, ask: EngineAsk) -> BoxFuture<'static, Result<Reply, EngineFailure>> {
        let lost = |why: &str| EngineFailure::Lost(why.to_owned());
        let Some(running) = self.running() else {
            return Box::pin(async move { Err(lost("it has ended")) });
        };
        let (client, slot) = (self.client.clone(), self.running.clone());
        let name = self.agent.clone();
        Box::pin(async move {
            let begun = Instant::now();
            let base = client.base();
            let hooked = HookedCall {
                base: &base,
                scene: &ask.scene,
                purpose: Purpose::Turn,
                messages: ask.request.messages.len(),
            };
            let model = || model_name(&name);
            let refused = hooked.ask_hooks(model).await;
            refused.map_err(EngineFailure::Failed)?;
            let answer = answered(&running, &client, &slot, (&ask, &name)).await;
            let end = answer.as_ref().map_err(EngineFailure::as_str);
            hooked.show_hooks(end, model, begun);
            answer
        })
    }

    fn cut(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let Some(running) = self.running() else {
                return;
            };
            if !running.agent.cut().await {
                put(&self.running, None);
                running.agent.close().await;
            }
        })
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let _alone = self.turnstile.lock().await;
            if let Some(running) = put(&self.running, None) {
                running.agent.close().await;
            }
        })
    }
}

/// Hands it what is new, and waits for the end of its turn.
async fn answered(
    running: &AgentAtWork,
    client: &MemberClient,
    slot: &RwLock<Option<AgentAtWork>>,
    (ask, name): (&EngineAsk, &AgentName),
) -> Result<Reply, EngineFailure> {
    let closings = client.begin_prompt(ask);
    let answer = tokio::select! {
        biased;
        () = client.gate_closes(closings) => {
            let _ = running.agent.cut().await;
            put(slot, None);
            running.agent.close().await;
            let why = "its plan gate was closed; from now on it may only read";
            return Err(EngineFailure::Lost(why.to_owned()));
        }
        answer = running.agent.prompt(ask.news.0.clone()) => answer,
    };
    client.finished();
    match answer {
        Ok(answer) => {
            if let Some(why) = answer.stopped_by {
                client.note(&format!("the agent stopped before it was done: {why}"));
            }
            let blocks = match answer.text.trim() {
                "" => Vec::new(),
                text => vec![Block::text(text)],
            };
            let mut usage = answer.usage;
            usage.estimate_missing(&ask.request, &blocks);
            Ok(client.without_secrets(Reply {
                blocks,
                stop: StopReason::EndTurn,
                usage,
                model: model_name(name),
                wire: Wire::Plain,
            }))
        }
        Err(error) => {
            // What it knows by now, its session tells when it is loaded.
            put(slot, None);
            running.agent.close().await;
            Err(match error {
                AgentError::Lost(why) => EngineFailure::Lost(why),
                AgentError::Refused(why) => EngineFailure::Failed(failure(name, &why)),
            })
        }
    }
}

/// Opens it, and again where that can help.
async fn opened(
    source: &dyn AgentSource,
    order: impl Fn() -> AgentOrder,
) -> Result<OpenAgent, AgentError> {
    for pause in RETRY_PAUSES {
        match source.open(order()).await {
            Err(AgentError::Lost(_)) => sleep(pause).await,
            ended @ (Ok(_) | Err(AgentError::Refused(_))) => return ended,
        }
    }
    source.open(order()).await
}

fn failure(agent: &AgentName, why: &str) -> ModelFailure {
    ModelFailure {
        what: format!("the agent {agent} does not work: {why}"),
        remedy: Remedy::Never,
    }
}
