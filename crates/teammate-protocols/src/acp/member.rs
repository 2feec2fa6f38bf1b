//! An agent that answers a member of the team: started within the walls, given the team's tools by a server of its own, put into
//! its session of before or a new one.

mod hearing;
mod likeness;
mod running;
mod team_tools;

use std::{path::PathBuf, sync::Arc};

use teammate_core::port::{
    AgentClient, AgentError, AgentPast, OpenAgent, ProgramError, WorkspaceAccess,
};

use self::{
    hearing::Hearing,
    running::RunningAgent,
    team_tools::{SERVER, TeamToolServer},
};
pub use self::{likeness::NativeTools, team_tools::bridge};
use crate::acp::{
    agent::{AcpAgent, Opening, SessionServer},
    failure::AgentFailure,
    session::Session,
    settings::AgentSettings,
};
use crate::rpc;

/// With what an agent is opened for a member.
pub struct MemberOpening {
    /// Where and how it is started.
    pub opening: Opening,
    /// The session to go on with.
    pub session: Option<String>,
    /// A directory that the agent sees, for the socket of the team's tools.
    pub socket_dir: PathBuf,
    /// The program, with its first words, that brings the agent to that socket: it runs [`bridge`] with the directory, which comes
    /// behind.
    pub bridge: (PathBuf, Vec<String>),
    /// Tools of the team that do what an agent's own do: rules about them hold for those.
    pub native: NativeTools,
}

/// Starts an agent and opens its session.
///
/// # Errors
///
/// It does not start, or does not come as far as a session.
pub async fn open_for_member(
    settings: &AgentSettings,
    member: MemberOpening,
    client: Arc<dyn AgentClient>,
) -> Result<OpenAgent, AgentError> {
    let names = client.tools().into_iter().map(|tool| tool.name).collect();
    let hearing = Arc::new(Hearing::new(client.clone(), names, member.native));
    let server = TeamToolServer::begin(&member.socket_dir, client.clone());
    let server = server.map_err(|error| {
        AgentError::Refused(format!("the team's tools cannot be served to it: {error}"))
    })?;
    let start = || started(settings, &member.opening, &hearing);
    let agent = start().await?;
    let servers = servers(&member);
    let (agent, session, past) = match &member.session {
        None => {
            let session = opened(&agent, &servers).await?;
            (agent, session, AgentPast::New(None))
        }
        Some(id) => {
            let load = async |agent: &AcpAgent| loaded(agent, settings, id, &servers).await;
            let (agent, loading) = match load(&agent).await? {
                // Some part of it may have died while it loaded.
                Loading::Broke(_) => {
                    agent.close().await;
                    let _ = hearing.take_past();
                    let another = start().await?;
                    let loading = load(&another).await?;
                    (another, loading)
                }
                done @ (Loading::Done(_) | Loading::Gone(_)) => (agent, done),
            };
            let (session, past) = match loading {
                Loading::Done(session) => (session, AgentPast::Loaded(hearing.take_past())),
                Loading::Broke(why) | Loading::Gone(why) => {
                    (opened(&agent, &servers).await?, AgentPast::New(Some(why)))
                }
            };
            (agent, session, past)
        }
    };
    match past {
        AgentPast::New(_) => hearing.begin_session(),
        // What it cost until now, it may have said while it was loaded.
        AgentPast::Loaded(_) => {
            let _ = hearing.take_cost();
        }
    }
    let mode = match member.opening.workspace {
        WorkspaceAccess::Writes => &settings.mode,
        WorkspaceAccess::Reads => &settings.gated_mode,
    };
    if let Some(mode) = mode
        && let Err(failure) = agent.set_mode(&session, mode).await
    {
        hearing.note(format!(
            "the agent stays in its own mode, as {mode} is not taken: {failure}"
        ));
    }
    let id = session.id.clone();
    let timeouts = member.opening.timeouts;
    Ok(OpenAgent {
        agent: Arc::new(RunningAgent::new(agent, session, hearing, server, timeouts)),
        session: id,
        past,
    })
}

fn servers(member: &MemberOpening) -> [SessionServer; 1] {
    let (command, arguments) = member.bridge.clone();
    let dir = member.socket_dir.display().to_string();
    [SessionServer {
        name: SERVER.to_owned(),
        command,
        arguments: arguments.into_iter().chain([dir]).collect(),
    }]
}

async fn opened(agent: &AcpAgent, servers: &[SessionServer]) -> Result<Session, AgentError> {
    agent
        .open(servers)
        .await
        .map_err(|failure| described(&failure))
}

async fn started(
    settings: &AgentSettings,
    opening: &Opening,
    hearing: &Arc<Hearing>,
) -> Result<AcpAgent, AgentError> {
    let agent = AcpAgent::start(settings, opening, hearing.clone()).await;
    agent.map_err(|failure| described(&failure))
}

/// The result of loading the session of before.
enum Loading {
    Done(Session),
    /// The agent failed at it, for this reason; another process of it may not.
    Broke(String),
    /// It has no such session, or none can be loaded, for this reason.
    Gone(String),
}

async fn loaded(
    agent: &AcpAgent,
    settings: &AgentSettings,
    id: &str,
    servers: &[SessionServer],
) -> Result<Loading, AgentError> {
    if !settings.resumes {
        return Ok(Loading::Gone("its entry has resume = false".to_owned()));
    }
    if !agent.hello().loads {
        return Ok(Loading::Gone("this agent loads none".to_owned()));
    }
    match agent.load(id, servers).await {
        Ok(session) => Ok(Loading::Done(session)),
        Err(AgentFailure::Ended(why)) => Err(AgentError::Lost(why)),
        Err(failure) => Ok(match described(&failure) {
            AgentError::Lost(why) => Loading::Broke(why),
            AgentError::Refused(why) => Loading::Gone(why),
        }),
    }
}

/// Whether trying again can help.
fn described(failure: &AgentFailure) -> AgentError {
    let text = failure.to_string();
    match failure {
        // A part of it may have died.
        AgentFailure::Refused { code, .. } if *code == rpc::INTERNAL => AgentError::Lost(text),
        AgentFailure::Ended(_)
        | AgentFailure::Silent { .. }
        | AgentFailure::NotStarted(ProgramError::Io(_)) => AgentError::Lost(text),
        AgentFailure::NotStarted(
            ProgramError::NotFound(_) | ProgramError::Wall(_) | ProgramError::Unheld(_),
        )
        | AgentFailure::Refused { .. }
        | AgentFailure::Unusable { .. }
        | AgentFailure::Version(_)
        | AgentFailure::LogIn { .. } => AgentError::Refused(text),
    }
}
