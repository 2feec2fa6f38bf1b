//! External agents that answer members in their turns: programs with a model, a conversation and tools of their own. Which
//! protocol they speak is not known here.

use std::{path::PathBuf, sync::Arc};

use super::{BoxFuture, WorkspaceAccess};
use crate::{
    Incarnation, MemberName,
    model::Usage,
    name::AgentName,
    tool::{CallId, EffectClass, Outcome, ToolCall, ToolSpec},
};

/// Where agents come from.
pub trait AgentSource: Send + Sync {
    /// The terms of an agent, before it runs.
    ///
    /// # Errors
    ///
    /// There is none of this name, or it cannot be used: a sentence.
    fn find(&self, agent: &AgentName) -> Result<AgentTerms, String>;

    /// Starts an agent within the walls and opens its session.
    ///
    /// # Errors
    ///
    /// It does not start, or does not come as far as a session. Nothing runs then.
    fn open(&self, order: AgentOrder) -> BoxFuture<'_, Result<OpenAgent, AgentError>>;
}

/// The terms of an agent, before it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentTerms {
    /// Whether a plan can be required of it, or why not.
    pub gate: Result<(), &'static str>,
}

/// An agent that is to answer a member.
pub struct AgentOrder {
    pub agent: AgentName,
    pub member: MemberName,
    pub incarnation: Incarnation,
    /// Where it works.
    pub root: PathBuf,
    pub workspace: WorkspaceAccess,
    /// The session to go on with, if there is one.
    pub session: Option<String>,
    /// The client that hears it, answers its questions and runs the team's tools.
    pub client: Arc<dyn AgentClient>,
}

/// An agent that runs, with its session.
pub struct OpenAgent {
    pub agent: Arc<dyn AgentSession>,
    /// The agent's id of its session.
    pub session: String,
    pub past: AgentPast,
}

/// The past that an agent remembers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentPast {
    /// Nothing: the session is new. Why an earlier one could not be loaded, if one was asked for.
    New(Option<String>),
    /// Its session was loaded. All prompts that it repeated from it, one after the other.
    Loaded(String),
}

/// An agent in a session. Dropped, it is killed, with all that it started.
pub trait AgentSession: Send + Sync {
    /// Has it work on a text until its turn ends. Dropping the future does not end the turn; [`cut`](Self::cut) does.
    ///
    /// # Errors
    ///
    /// The turn failed; the agent may have ended.
    fn prompt(&self, text: String) -> BoxFuture<'_, Result<AgentAnswer, AgentError>>;

    /// Ends the turn, and whatever it has started that still runs. True if the agent can go on; otherwise it is to be dropped.
    fn cut(&self) -> BoxFuture<'_, bool>;

    /// Ends the agent: it is asked to, and killed if it does not listen. Within seconds. Nothing else may be asked of it then.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// How a turn of an agent ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentAnswer {
    pub text: String,
    /// Why it stopped before it was done, in the agent's word.
    pub stopped_by: Option<String>,
    /// The usage, as far as the agent reports it.
    pub usage: Usage,
}

/// Why an agent does not work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// It ended, or does not answer. A new one may go on.
    #[error("{0}")]
    Lost(String),
    /// Trying again does not help: it is not there, the user has to log in, it refuses.
    #[error("{0}")]
    Refused(String),
}

/// Our side of an agent. What it hears is a stranger's text.
pub trait AgentClient: Send + Sync {
    /// Something happened in its turn. Not to wait in.
    fn hear(&self, update: AgentUpdate);

    /// Whether a call of a tool of its own may run.
    fn allows(&self, question: AgentQuestion) -> BoxFuture<'_, bool>;

    /// The team's tools, as it is shown them.
    fn tools(&self) -> Vec<ToolSpec>;

    /// Runs one of the team's tools.
    fn call(&self, call: ToolCall) -> BoxFuture<'_, Outcome>;
}

/// An update of an agent about its turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentUpdate {
    /// A piece of what it says.
    Text(String),
    /// A piece of what it thinks.
    Thought(String),
    /// A tool of its own began.
    ToolStarted {
        call: CallId,
        /// The kind of tool, in a word.
        tool: String,
        /// A title of one line.
        title: String,
    },
    /// A tool of its own ended.
    ToolEnded {
        call: CallId,
        /// The kind of tool, in a word.
        tool: String,
        failed: bool,
    },
    /// Something that people should know, in a sentence.
    Note(String),
}

/// A question of an agent before it runs a tool of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentQuestion {
    /// The kind of tool, in a word.
    pub tool: String,
    /// The effects that such a tool can have on the world.
    pub class: EffectClass,
    /// The whole action, as the agent shows it.
    pub shows: String,
    /// The call of a tool of ours that does the same, if there is one: rules about that hold for this.
    pub like: Option<ToolCall>,
}
