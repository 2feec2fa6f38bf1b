//! One agent that runs: started within the walls, greeted, and spoken with in sessions until its end.

use std::{path::PathBuf, sync::Arc, time::Duration};

use serde_json::{Value, json};
use teammate_core::{
    permission::Rules,
    port::{Census, ProgramBounds, ProgramOrder, ProgramStarter, WorkspaceAccess, WorkspaceFiles},
};

use crate::acp::{
    connection::{Client, Connection, Ours},
    failure::AgentFailure,
    hello::{self, Hello},
    session::{AgentTurn, METHOD_INITIALIZE, Session},
    settings::AgentSettings,
    timeouts::AgentTimeouts,
};
use crate::program::{Condition, ProgramClose, Talk};

/// The number by which an agent says that the user has to log in.
const NOT_LOGGED_IN: i64 = -32_000;

/// With what an agent is started.
#[derive(Clone)]
pub struct Opening {
    /// The name of the program: agents of one name share a `/tmp` and a network.
    pub name: String,
    /// The port that starts programs.
    pub programs: Arc<dyn ProgramStarter>,
    /// The files that it may have read and written for it.
    pub files: Arc<dyn WorkspaceFiles>,
    /// The workspace.
    pub root: PathBuf,
    /// The access to the workspace.
    pub workspace: WorkspaceAccess,
    /// Directories of its own, and variables that tell it of them.
    pub own: (Vec<PathBuf>, Vec<(String, String)>),
    /// Where it may connect besides what its entry lists, and where not.
    pub network: Rules,
    /// How long it is waited for.
    pub timeouts: AgentTimeouts,
}

/// A server of tools, a program that the agent itself starts, within its walls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionServer {
    pub name: String,
    /// The program's file.
    pub command: PathBuf,
    pub arguments: Vec<String>,
}

/// An agent that runs. Dropped, it is killed, with all that it started.
pub struct AcpAgent {
    connection: Connection,
    census: Arc<dyn Census>,
    hello: Hello,
    root: PathBuf,
    timeouts: AgentTimeouts,
}

impl AcpAgent {
    /// Starts it and greets it.
    ///
    /// # Errors
    ///
    /// It does not start, does not answer, or speaks otherwise.
    pub async fn start(
        settings: &AgentSettings,
        opening: &Opening,
        client: Arc<dyn Client>,
    ) -> Result<Self, AgentFailure> {
        let order = order(settings, opening);
        let programs = opening.programs.clone();
        let started = tokio::task::spawn_blocking(move || programs.start(&order)).await;
        let running = started.map_err(|bug| AgentFailure::Ended(bug.to_string()))??;
        let census = running.census.clone();
        let condition = Arc::new(Condition::default());
        let talk = Talk::new(running, condition.clone(), opening.timeouts.grace);
        let talk = talk.map_err(|error| AgentFailure::Ended(error.to_string()))?;
        let files = opening.files.clone();
        let connection = Connection::new(talk, condition, Ours { client, files });
        let limit = opening.timeouts.start;
        let ours = hello::ours();
        let answer = connection.ask(METHOD_INITIALIZE, &ours, limit).await?;
        Ok(Self {
            hello: Hello::read(answer)?,
            connection,
            census,
            root: opening.root.clone(),
            timeouts: opening.timeouts,
        })
    }

    /// The agent's words about itself.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Counts what runs of it, also after its end.
    pub fn census(&self) -> Arc<dyn Census> {
        self.census.clone()
    }

    /// Opens a session, in which it has these servers of tools.
    ///
    /// # Errors
    ///
    /// It refuses, or wants the user to log in.
    pub async fn open(&self, servers: &[SessionServer]) -> Result<Session, AgentFailure> {
        let params = json!({ "cwd": self.root, "mcpServers": described(servers) });
        let answer = self.first("session/new", &params).await;
        Session::read("session/new", answer.map_err(|it| self.log_in(it))?, None)
    }

    /// Loads a session of before: its past comes as updates.
    ///
    /// # Errors
    ///
    /// It has no such session.
    pub async fn load(&self, id: &str, servers: &[SessionServer]) -> Result<Session, AgentFailure> {
        let servers = described(servers);
        let params = json!({ "sessionId": id, "cwd": self.root, "mcpServers": servers });
        let answer = self.first("session/load", &params).await?;
        Session::read("session/load", answer, Some(id))
    }

    /// Puts a session into a mode.
    ///
    /// # Errors
    ///
    /// It has no such mode.
    pub async fn set_mode(&self, session: &Session, mode: &str) -> Result<(), AgentFailure> {
        let params = json!({ "sessionId": session.id, "modeId": mode });
        self.first("session/set_mode", &params).await.map(drop)
    }

    /// Has it work on a text until the turn ends.
    ///
    /// # Errors
    ///
    /// It fails, or works longer than this.
    pub async fn prompt(
        &self,
        session: &Session,
        text: &str,
        limit: Duration,
    ) -> Result<AgentTurn, AgentFailure> {
        session.prompt(&self.connection, text, limit).await
    }

    /// Tells a running turn more: what the agent did with it, in its own word.
    ///
    /// # Errors
    ///
    /// It does not know how.
    pub async fn steer(&self, session: &Session, text: &str) -> Result<String, AgentFailure> {
        let limit = self.timeouts.cancel;
        session.steer(&self.connection, text, limit).await
    }

    /// Has it end its turn, whose prompt it answers then.
    ///
    /// # Errors
    ///
    /// It no longer listens.
    pub async fn cancel(&self, session: &Session) -> Result<(), AgentFailure> {
        let (params, limit) = (json!({ "sessionId": session.id }), self.timeouts.grace);
        self.connection
            .notify("session/cancel", &params, limit)
            .await
    }

    /// Ends it, and says how that went.
    pub async fn close(&self) -> ProgramClose {
        self.connection.close().await
    }

    async fn first(&self, method: &'static str, params: &Value) -> Result<Value, AgentFailure> {
        self.connection
            .ask(method, params, self.timeouts.start)
            .await
    }

    /// A refusal to open a session is one of a user who is not logged in, if the agent says so.
    fn log_in(&self, failure: AgentFailure) -> AgentFailure {
        match failure {
            AgentFailure::Refused { code, words, .. } if code == NOT_LOGGED_IN => {
                let methods = self.hello.methods.iter();
                let methods: Vec<&str> = methods.map(|it| it.0.as_str()).collect();
                let methods = match methods.is_empty() {
                    true => "no way".to_owned(),
                    false => methods.join(", "),
                };
                AgentFailure::LogIn { words, methods }
            }
            other => other,
        }
    }
}

fn described(servers: &[SessionServer]) -> Vec<Value> {
    let servers = servers.iter();
    servers
        .map(|server| {
            json!({
                "name": server.name,
                "command": server.command,
                "args": server.arguments,
                "env": [],
            })
        })
        .collect()
}

fn order(settings: &AgentSettings, opening: &Opening) -> ProgramOrder {
    let (own, variables) = opening.own.clone();
    let mut network = opening.network.clone();
    network.allow.extend(settings.network.iter().cloned());
    ProgramOrder {
        name: opening.name.clone(),
        command: settings.command.clone(),
        arguments: settings.arguments.clone(),
        environment: variables
            .into_iter()
            .chain(settings.environment.clone())
            .collect(),
        directory: Some(opening.root.clone()),
        network,
        bounds: ProgramBounds {
            workspace: opening.workspace,
            own,
            memory_max: Some(settings.memory_max),
        },
    }
}
