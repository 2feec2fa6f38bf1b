//! Servers for a process that runs no team: to try them, to look at what they offer, and for their prompts.

use std::path::{Path, PathBuf};

use teammate_core::{next_step::Wording, permission::Rules};
use teammate_process::{Leftovers, environment::allowed_environment};
use teammate_protocols::mcp::client::Servers;

use super::{
    accepted::AcceptedServers,
    entries::{Entries, FoundServers},
    held,
};
use crate::{
    TeamError, place::TeamPlace, policy::MachinePolicy, project::UserDirs, rules::effective_rules,
    sandbox,
};

/// The servers of a workspace. Close them ([`Servers::close`]).
pub struct OutsideServers {
    /// The running servers.
    pub servers: Servers,
    /// The accepted lists of those servers.
    pub accepted: AcceptedServers,
    /// Names of the workspace's servers that are not trusted.
    pub untrusted: Vec<String>,
    /// Remarks for the user, a sentence each.
    pub notices: Vec<String>,
    _leftovers: Leftovers,
}

impl OutsideServers {
    /// Those of this place, held as its team would hold them. Starts none yet.
    ///
    /// # Errors
    ///
    /// The workspace, the machine's policy or the sandbox refuses it.
    pub async fn at(
        place: &TeamPlace,
        user: &UserDirs,
        entries: &Entries,
        (rules, held): (Rules, sandbox::SandboxRules),
        (pass, wording): (&[String], Wording),
    ) -> Result<Self, TeamError> {
        let site = place.site().map_err(|why| TeamError::Workspace {
            path: place.workspace().to_owned(),
            why,
        })?;
        let (root, dir): (&Path, PathBuf) = (&site.workspace, site.dir.clone());
        let policy = MachinePolicy::of_machine()?;
        let held = match &policy {
            Some(policy) => policy.sandbox(held)?.0,
            None => held,
        };
        let (rules, _) = effective_rules(root, user, policy.as_ref(), rules, wording);
        let FoundServers {
            settings,
            untrusted,
            notices,
        } = entries.found(root, user, pass);
        let team = sandbox::team_sandbox(user, held, root);
        let scratch = user.state.clone().unwrap_or_else(std::env::temp_dir);
        let (team, notice) =
            sandbox::try_out(team, (root.to_owned(), scratch), policy.as_ref()).await?;
        let all = std::env::vars_os();
        let all = all.filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let leftovers = Leftovers::default();
        let servers = held::servers(
            settings,
            (root, &dir),
            allowed_environment(all, pass),
            (rules.deny, wording),
            user,
            (team, leftovers.clone()),
        );
        Ok(Self {
            servers,
            accepted: AcceptedServers::of(root, user),
            untrusted,
            notices: notices.into_iter().chain(notice).collect(),
            _leftovers: leftovers,
        })
    }
}
