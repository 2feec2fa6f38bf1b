//! The findings about an agent.

use serde::Serialize;
use teammate_core::port::ProgramUse;

use super::Tried;
use crate::acp::{hello::Hello, session::SessionModes, settings::AgentSettings};

/// Something that was seen, or why it was not.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Finding<T> {
    Seen(T),
    /// It was not, for this reason.
    NotMeasured(
        /// Why not.
        #[serde(serialize_with = "not_measured")]
        String,
    ),
}

fn not_measured<S: serde::Serializer>(why: &str, to: S) -> Result<S::Ok, S::Error> {
    use serde::ser::SerializeMap as _;
    let mut map = to.serialize_map(Some(1))?;
    map.serialize_entry("not_measured", why)?;
    map.end()
}

/// All that was found out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The name of the agent here.
    pub name: String,
    /// How it was started.
    pub command: String,
    /// The product that it says it is; empty if it does not say.
    pub product: String,
    /// How long it took.
    #[serde(flatten)]
    pub start: Start,
    /// The parts that it used when its first session was open.
    pub uses: Finding<Uses>,
    pub modes: ModeList,
    /// Whether it asks before it runs a shell command.
    pub asks_for_shell: Finding<Asked>,
    /// Whether it asks before it changes a file.
    pub asks_for_edit: Finding<Asked>,
    /// Whether it asks before it calls a tool of a server.
    pub asks_for_tool: Finding<Asked>,
    /// The effect of words for a turn that runs.
    pub steering: Finding<Steering>,
    /// The effect of cancelling a turn.
    pub cancel: Finding<Cancelled>,
    /// The rest of a session after it was killed.
    pub load: Finding<Loaded>,
    /// The costs that it reports.
    pub cost: Finding<CostReport>,
    pub end: Finding<Ending>,
    /// The fate of a write where the workspace is read-only and everything is allowed.
    pub gated_write: Finding<Gated>,
    /// Actions of it that the protocol does not have.
    pub oddities: Vec<String>,
}

/// How long it takes until it listens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Start {
    /// From its start to its greeting.
    pub start_seconds: f64,
    /// From there to its first session.
    pub session_seconds: f64,
}

/// The parts that an agent uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Uses {
    pub processes: u32,
    pub memory_mb: u64,
}

impl From<ProgramUse> for Uses {
    fn from(found: ProgramUse) -> Self {
        Self {
            processes: found.processes,
            memory_mb: found.memory_bytes / 1_000_000,
        }
    }
}

/// The modes of an agent; none if it has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ModeList {
    /// The one that a new session is in.
    pub first: Option<String>,
    /// All of them.
    pub all: Vec<String>,
}

impl From<Option<SessionModes>> for ModeList {
    fn from(offered: Option<SessionModes>) -> Self {
        let all = |it: SessionModes| Self {
            first: Some(it.current),
            all: it.available,
        };
        offered.map(all).unwrap_or_default()
    }
}

/// Whether it asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Asked {
    /// It asked, and did it when it was allowed.
    Asked,
    /// It did it without a question.
    Unasked,
}

/// The effect of words for a turn that runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Steering {
    /// It does not offer to take any.
    NotOffered,
    /// They reached the turn.
    Injected,
    /// It answered with another word of its own.
    Other(String),
}

/// The effect of cancelling a turn that runs a command.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cancelled {
    /// After how long the turn was answered; `None` if it was not.
    pub answered_after_seconds: Option<f64>,
    /// How many processes of the command were left a while later.
    pub left_running: u32,
}

/// The rest of a session after the agent was killed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loaded {
    /// It offers no loading.
    NotOffered,
    /// It could not load it, in its own words.
    Failed(String),
    Loaded {
        /// How many updates of its past came.
        updates: u64,
        /// Whether what it had been told was among them.
        has_prompt: bool,
    },
}

/// The costs that it reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CostReport {
    Money,
    Tokens,
    Nothing,
}

/// How it ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// When its input ends, after so many seconds.
    ByEof(f64),
    /// Only when it is asked to stop, after so many seconds.
    Asked(f64),
    /// Only when it is killed.
    Killed,
}

/// The fate of a write that the walls do not let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gated {
    /// Nothing was written.
    Held,
    /// It was written: nothing holds it here.
    Written,
}

impl Row {
    pub(super) fn of(settings: &AgentSettings, hello: &Hello) -> Self {
        Self {
            name: settings.name.to_string(),
            command: settings.describe(),
            product: hello.product.clone(),
            start: Start::default(),
            uses: not_reached(),
            modes: ModeList::default(),
            asks_for_shell: not_reached(),
            asks_for_edit: not_reached(),
            asks_for_tool: not_reached(),
            steering: not_reached(),
            cancel: not_reached(),
            load: not_reached(),
            cost: not_reached(),
            end: not_reached(),
            gated_write: not_reached(),
            oddities: Vec::new(),
        }
    }

    /// Takes down what the first session told by the way.
    pub(super) fn note(&mut self, tried: &Tried) {
        let heard = tried.client.take();
        self.cost = match (heard.money, heard.tokens, heard.turns) {
            (true, ..) => Finding::Seen(CostReport::Money),
            (false, true, _) => Finding::Seen(CostReport::Tokens),
            (false, false, 0) => Finding::NotMeasured("no turn came to its end".to_owned()),
            (false, false, _) => Finding::Seen(CostReport::Nothing),
        };
        self.oddities.extend(heard.oddities);
    }
}

fn not_reached<T>() -> Finding<T> {
    Finding::NotMeasured("it was not reached".to_owned())
}
