//! Finds out what an agent can do: starts it within the walls, in a workspace of its own, and has it work. Nothing is believed that
//! it says of itself; what could not be seen is said to be not measured.

mod asks;
mod cancel;
mod command;
mod gate;
mod load;
mod row;
mod steering;

use std::{path::PathBuf, sync::Arc, time::Instant};

use teammate_core::port::{WorkspaceAccess, WorkspaceFiles};

use crate::acp::{
    agent::{AcpAgent, Opening, SessionServer},
    failure::AgentFailure,
    question::QuestionAnswer,
    session::Session,
    settings::AgentSettings,
    tool_server::SERVER,
    trial_client::TrialClient,
};

pub use row::{
    Asked, Cancelled, CostReport, Ending, Finding, Gated, Loaded, Row, Start, Steering, Uses,
};

/// The agent that is measured, and where.
pub struct Trial {
    pub settings: AgentSettings,
    /// With what it is started. Its workspace is for the trial alone.
    pub opening: Opening,
    /// The files, where nothing may be written.
    pub read_only_files: Arc<dyn WorkspaceFiles>,
    /// The program that serves a tool ([`serve_tool`](crate::acp::serve_tool)), and what it is given before the file; without one
    /// calls of tools are not measured.
    pub tool_server: Option<(PathBuf, Vec<String>)>,
}

/// An agent that is tried, in a session.
pub(crate) struct Tried {
    agent: AcpAgent,
    session: Session,
    client: Arc<TrialClient>,
}

/// Measures an agent. It works for some minutes, with the user's own model where it has one.
///
/// # Errors
///
/// It does not come as far as a session.
pub async fn measure(trial: &Trial) -> Result<Row, AgentFailure> {
    let (mut row, tried) = first_session(trial).await?;
    row.asks_for_shell = asks::shell(trial, &tried).await;
    row.asks_for_edit = asks::edit(trial, &tried).await;
    row.asks_for_tool = asks::tool(trial, &tried).await;
    row.steering = steering::steer(trial, &tried, tried.agent.hello().steers).await;
    row.cancel = cancel::cancel(trial, &tried).await;
    row.note(&tried);
    (row.load, row.end) = load::after_kill(trial, tried, &mut row.oddities).await;
    row.gated_write = gate::write(trial).await;
    Ok(row)
}

async fn first_session(trial: &Trial) -> Result<(Row, Tried), AgentFailure> {
    let begun = Instant::now();
    let client = Arc::new(TrialClient::answering(QuestionAnswer::Allow));
    let agent = AcpAgent::start(&trial.settings, &trial.opening, client.clone()).await?;
    let start = begun.elapsed();
    let session = agent.open(&trial.servers()).await?;
    let mut row = Row::of(&trial.settings, agent.hello());
    row.start = Start {
        start_seconds: start.as_secs_f64(),
        session_seconds: (begun.elapsed() - start).as_secs_f64(),
    };
    row.modes = session.modes.clone().into();
    row.uses = agent.census().count().map_or_else(
        || Finding::NotMeasured("processes cannot be counted here".to_owned()),
        |found| Finding::Seen(found.into()),
    );
    let tried = Tried {
        agent,
        session,
        client,
    };
    if let Some(mode) = &trial.settings.mode {
        row.oddities.extend(tried.put_into(mode).await);
    }
    Ok((row, tried))
}

impl Trial {
    /// The servers that the agent gets in its sessions.
    fn servers(&self) -> Vec<SessionServer> {
        let server = self.tool_server.as_ref().map(|(command, words)| {
            let note = self.opening.root.join(asks::NOTE).display().to_string();
            SessionServer {
                name: SERVER.to_owned(),
                command: command.clone(),
                arguments: words.iter().cloned().chain([note]).collect(),
            }
        });
        server.into_iter().collect()
    }

    /// A session where the workspace is read-only.
    fn gated(&self) -> Opening {
        Opening {
            workspace: WorkspaceAccess::Reads,
            files: self.read_only_files.clone(),
            ..self.opening.clone()
        }
    }
}

impl Tried {
    /// Puts the session into a mode; what became of that, if it is not in it.
    async fn put_into(&self, mode: &str) -> Option<String> {
        let put = self.agent.set_mode(&self.session, mode).await;
        let why = put.err()?;
        Some(format!("the mode {mode} was not taken: {why}"))
    }
}
