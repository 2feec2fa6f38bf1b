//! Hooks for a process that runs no team: to try them.

use std::path::PathBuf;

use teammate_core::{
    hook::{HookCall, HookRun},
    port::Hooks as _,
};
use teammate_process::{Leftovers, environment::allowed_environment};
use teammate_tools::HookCommands;

use super::{FoundHooks, HookPlace, HookSources, commands};
use crate::{TeamError, place::TeamPlace, policy::MachinePolicy, project::UserDirs, sandbox};

/// The hooks of a place, held as its team would hold them.
pub struct OutsideHooks {
    commands: HookCommands,
    /// The workspace.
    pub workspace: PathBuf,
    /// Remarks for the user, a sentence each.
    pub notices: Vec<String>,
    _leftovers: Leftovers,
}

impl OutsideHooks {
    /// Those of this place.
    ///
    /// # Errors
    ///
    /// A file of hooks, the workspace, the machine's policy or the sandbox refuses it, or this process runs below a hook.
    pub async fn at(
        place: &TeamPlace,
        user: &UserDirs,
        sources: &HookSources,
        held: sandbox::SandboxRules,
        pass: &[String],
    ) -> Result<Self, TeamError> {
        if super::is_within_hook() {
            return Err(TeamError::WithinHook);
        }
        let site = place.site().map_err(|why| TeamError::Workspace {
            path: place.workspace().to_owned(),
            why,
        })?;
        let policy = MachinePolicy::of_machine()?;
        let held = match &policy {
            Some(policy) => policy.sandbox(held)?.0,
            None => held,
        };
        let workspace = site.workspace.clone();
        let FoundHooks { hooks, notices, .. } = sources.found(&workspace, user)?;
        let team = sandbox::team_sandbox(user, held, &workspace);
        let scratch = user.state.clone().unwrap_or_else(std::env::temp_dir);
        let tried = sandbox::try_out(team, (workspace.clone(), scratch), policy.as_ref());
        let (team, notice) = tried.await?;
        let all = std::env::vars_os();
        let all = all.filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let team_dir = site.dir.clone();
        let transcripts = team_dir.join("agents");
        let leftovers = Leftovers::default();
        let place = HookPlace {
            workspace: workspace.clone(),
            team_dir,
            environment: allowed_environment(all, pass),
            transcript: std::sync::Arc::new(move |member| {
                transcripts.join(member.as_str()).join("transcript.jsonl")
            }),
        };
        Ok(Self {
            commands: commands(hooks, place, user, (team, leftovers.clone())),
            workspace,
            notices: notices.into_iter().chain(notice).collect(),
            _leftovers: leftovers,
        })
    }

    /// Runs those that are for this event.
    pub async fn run(&self, call: &HookCall) -> Vec<HookRun> {
        self.commands.run(call).await
    }
}
