//! The external agents that answer members of a team: those that the user has configured, each within the walls, in a home of
//! its own for this team and member, which has its sessions.

use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::{
    name::AgentName,
    permission::{Rule, Rules},
    port::{AgentError, AgentOrder, AgentSource, AgentTerms, BoxFuture, OpenAgent},
    team::{AgentDefinition, AgentDefinitions, MemberOptions},
};
use teammate_process::{HeldPrograms, TeamSandbox};
use teammate_protocols::acp::{
    AgentSettings, AgentTimeouts, MemberOpening, NativeTools, Opening, open_for_member,
};
use teammate_sandbox::Level;
use teammate_tools::{HeldFiles, ToolCatalogue};

use super::{AgentEntries, AgentOrigin, own_files::furnish};
use crate::project::{UserDirs, UserState, UserStateError};

/// The directory below the state directory.
const KIND: &str = "agents";

/// The tools that do what those of agents do.
const NATIVE: NativeTools = NativeTools {
    command: "bash",
    write: "write_file",
};

/// External agents for the members of a team.
#[derive(Debug, Clone, Default)]
pub struct MemberAgents {
    /// The user's. One that is not configured answers nobody.
    pub entries: AgentEntries,
    /// A program, with its first words, that runs [`bridge`](super::bridge) with the directory that comes behind. Agents start it
    /// to reach the team's tools; without one they are not started.
    pub bridge: Option<(PathBuf, Vec<String>)>,
}

/// The parts with which agents of one team are started.
pub(crate) struct TeamAgents {
    pub(crate) agents: MemberAgents,
    pub(crate) user: UserDirs,
    /// The user's home, from which logins are copied.
    pub(crate) home: Option<PathBuf>,
    pub(crate) sandbox: TeamSandbox,
    pub(crate) tools: ToolCatalogue,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) deny: Vec<Rule>,
    pub(crate) team_dir: PathBuf,
    /// The key that distinguishes the team from all others of the user.
    pub(crate) key: PathBuf,
}

impl MemberAgents {
    /// Each that can be used becomes a kind of teammate, unless one of that name is there.
    pub(crate) fn define(&self, kinds: &mut AgentDefinitions) {
        for agent in self.entries.all() {
            let is_own = agent.origin == AgentOrigin::Configuration;
            let Some(settings) = agent.settings.ok().filter(|_| is_own) else {
                continue;
            };
            if kinds.get(&agent.name).is_some() {
                continue;
            }
            let description = format!(
                "an agent of another make ({}), with its own model and tools",
                settings.describe()
            );
            let options = MemberOptions {
                engine: Some(settings.name),
                ..MemberOptions::default()
            };
            let definition = AgentDefinition {
                description,
                options,
            };
            kinds.add(agent.name, definition);
        }
    }
}

impl TeamAgents {
    fn settings(&self, agent: &AgentName) -> Result<AgentSettings, String> {
        let known = self.agents.entries.get(agent.as_str());
        match known {
            Some(known) if known.origin == AgentOrigin::Configuration => known
                .settings
                .map_err(|error| format!("[agent.{agent}] of your configuration {error}")),
            Some(_) | None => Err(format!(
                "the user has not configured an agent '{agent}': it takes a table [agent.{agent}] in the user's configuration"
            )),
        }
    }

    /// The agent's own directory, for this member.
    fn own_dir(&self, order: &AgentOrder) -> Result<PathBuf, String> {
        let team = homes(&self.user, &self.key).map_err(|error| error.to_string())?;
        let own = format!("{}-{}", order.member, order.agent);
        let dir = team.join(own);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&dir);
        let resolved = made.and_then(|()| dir.canonicalize());
        resolved.map_err(|error| format!("{} cannot be made: {error}", dir.display()))
    }

    async fn opened(&self, order: AgentOrder) -> Result<OpenAgent, AgentError> {
        let refused = AgentError::Refused;
        let settings = self.settings(&order.agent).map_err(refused)?;
        let bridge = self.agents.bridge.clone();
        let bridge = bridge.ok_or_else(|| {
            refused("this program cannot bring the team's tools to an agent".to_owned())
        })?;
        let own = self.own_dir(&order).map_err(refused)?;
        let variables = furnish(&own, &settings, self.home.as_deref());
        let variables = variables.map_err(|error| refused(error.to_string()))?;
        let dirs: (&Path, &Path) = (&order.root, &self.team_dir);
        let programs = HeldPrograms::new(
            self.sandbox.clone(),
            dirs,
            self.environment.clone(),
            self.tools.leftovers().clone(),
        );
        let opening = Opening {
            name: format!("agent-{}-{}", order.agent, order.member),
            programs: Arc::new(programs),
            files: Arc::new(
                HeldFiles::new(dirs, order.workspace)
                    .of_member(
                        &order.agent,
                        (&order.member, order.incarnation),
                        &self.tools,
                    )
                    .closing(&self.deny),
            ),
            root: order.root.clone(),
            workspace: order.workspace,
            own: (vec![own.clone()], variables),
            network: Rules {
                deny: self.deny.clone(),
                ..Rules::default()
            },
            timeouts: AgentTimeouts::default(),
        };
        let member = MemberOpening {
            opening,
            session: order.session,
            socket_dir: own,
            bridge,
            native: NATIVE,
        };
        open_for_member(&settings, member, order.client).await
    }
}

/// Where the homes of a team's agents are.
fn homes(user: &UserDirs, key: &Path) -> Result<PathBuf, UserStateError> {
    UserState::at(user.state.as_deref(), KIND).short_file(key, "")
}

/// Removes the homes of a team's agents, with their logins and sessions. That there are none is no error.
pub(crate) fn remove_homes(user: &UserDirs, key: &Path) -> io::Result<()> {
    // Where none can be, none are.
    let Ok(homes) = homes(user, key) else {
        return Ok(());
    };
    match fs::remove_dir_all(homes) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

impl AgentSource for TeamAgents {
    fn find(&self, agent: &AgentName) -> Result<AgentTerms, String> {
        let settings = self.settings(agent)?;
        let level = self.sandbox.sandbox().level();
        let gate = match level {
            Ok(Level::Full) if settings.resumes => Ok(()),
            Ok(Level::Full) => Err(
                "it has `resume = false`, and would forget its plan when its workspace is opened for writing",
            ),
            Ok(_) | Err(_) => Err(
                "the sandbox here cannot keep its workspace read-only until the plan is approved",
            ),
        };
        Ok(AgentTerms { gate })
    }

    fn open(&self, order: AgentOrder) -> BoxFuture<'_, Result<OpenAgent, AgentError>> {
        Box::pin(self.opened(order))
    }
}

#[cfg(test)]
mod tests {
    use teammate_protocols::acp::AgentTable;

    use super::*;

    #[test]
    fn only_what_the_user_has_configured_becomes_a_kind_of_teammate() {
        let entries = [("codex".to_owned(), AgentTable::default())];
        let agents = MemberAgents {
            entries: AgentEntries(entries.into()),
            bridge: None,
        };
        let mut kinds = AgentDefinitions::default();
        agents.define(&mut kinds);
        let names: Vec<&str> = kinds.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["codex"]);
        let engine = kinds.get("codex").unwrap().options.engine.clone();
        assert_eq!(engine.unwrap().as_str(), "codex");
    }

    #[test]
    fn a_kind_of_the_users_own_keeps_its_name() {
        let entries = [("codex".to_owned(), AgentTable::default())];
        let agents = MemberAgents {
            entries: AgentEntries(entries.into()),
            bridge: None,
        };
        let mut kinds = AgentDefinitions::default();
        let own = AgentDefinition {
            description: "mine".to_owned(),
            options: MemberOptions::default(),
        };
        kinds.add("codex".to_owned(), own);
        agents.define(&mut kinds);
        assert_eq!(kinds.get("codex").unwrap().options.engine, None);
    }
}
