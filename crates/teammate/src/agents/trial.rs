//! A trial of one agent: in a workspace of its own, which is removed afterwards, so that nothing of the user's is touched.

use std::{path::PathBuf, sync::Arc};

use teammate_core::{
    permission::Rules,
    port::{WorkspaceAccess, WorkspaceFiles},
};
use teammate_process::{HeldPrograms, Leftovers, environment::allowed_environment};
use teammate_protocols::acp::{
    AgentFailure, AgentSettings, AgentTimeouts, Opening, Row, Trial, measure,
};
use teammate_tools::HeldFiles;

use super::{entries::environment, own_files::furnish, scratch::Scratch, trial_error::TrialError};
use crate::{TeamError, policy::MachinePolicy, project::UserDirs, sandbox};

/// An agent that is about to be measured.
pub struct AgentTrial {
    trial: Trial,
    /// Remarks for the user, a sentence each.
    pub notices: Vec<String>,
    _leftovers: Leftovers,
    _place: Scratch,
}

impl AgentTrial {
    /// Prepares one. Starts nothing yet. The user's rules that deny hold for its connections; `pass` names variables that it gets
    /// besides the harmless ones; `tool_server` is the program that serves a tool to it ([`serve_tool`](super::serve_tool)).
    ///
    /// # Errors
    ///
    /// It cannot begin.
    pub async fn of(
        settings: AgentSettings,
        user: &UserDirs,
        (rules, held): (Rules, sandbox::SandboxRules),
        pass: &[String],
        tool_server: Option<(PathBuf, Vec<String>)>,
    ) -> Result<Self, TrialError> {
        let place = Scratch::below(user.state.as_deref())?;
        let (root, team, own) = (place.make("work")?, place.make("team")?, place.make("own")?);
        let policy = MachinePolicy::of_machine().map_err(TeamError::from)?;
        let held = match &policy {
            Some(policy) => policy.sandbox(held).map_err(TeamError::from)?.0,
            None => held,
        };
        let variables = furnish(&own, &settings, held.home.as_deref())?;
        let walls = sandbox::team_sandbox(user, held, &root);
        let (walls, notice) = sandbox::try_out(
            walls,
            (root.clone(), place.path().to_owned()),
            policy.as_ref(),
        )
        .await?;
        let leftovers = Leftovers::default();
        let programs = HeldPrograms::new(
            walls,
            (&root, &team),
            allowed_environment(environment(), pass),
            leftovers.clone(),
        );
        let files = |access| -> Arc<dyn WorkspaceFiles> {
            Arc::new(HeldFiles::new((&root, &team), access))
        };
        let opening = Opening {
            name: format!("agent-{}", settings.name),
            programs: Arc::new(programs),
            files: files(WorkspaceAccess::Writes),
            root: root.clone(),
            workspace: WorkspaceAccess::Writes,
            own: (vec![own], variables),
            network: Rules {
                deny: rules.deny,
                ..Rules::default()
            },
            timeouts: AgentTimeouts::default(),
        };
        Ok(Self {
            trial: Trial {
                settings,
                opening,
                read_only_files: files(WorkspaceAccess::Reads),
                tool_server,
            },
            notices: notice.into_iter().collect(),
            _leftovers: leftovers,
            _place: place,
        })
    }

    /// Measures it. Takes some minutes with a real model.
    ///
    /// # Errors
    ///
    /// It does not come as far as a session.
    pub async fn row(&self) -> Result<Row, AgentFailure> {
        measure(&self.trial).await
    }
}
