//! Starts servers as programs of the team.

use std::{path::Path, sync::Arc};

use teammate_core::{next_step::Wording, permission::Rule};
use teammate_process::{HeldPrograms, Leftovers, TeamSandbox};
use teammate_protocols::mcp::client::{ServerSettings, Servers, Surroundings};
use teammate_tools::FiledOutputs;

use crate::project::UserDirs;

/// Servers that are started within these walls.
pub fn servers(
    settings: Vec<ServerSettings>,
    (root, team_dir): (&Path, &Path),
    environment: Vec<(String, String)>,
    (deny, wording): (Vec<Rule>, Wording),
    user: &UserDirs,
    (sandbox, leftovers): (TeamSandbox, Leftovers),
) -> Servers {
    let programs = HeldPrograms::new(sandbox, (root, team_dir), environment, leftovers);
    let mut surroundings = Surroundings::new(
        Arc::new(programs),
        Arc::new(FiledOutputs),
        root.to_owned(),
        deny,
        wording,
    );
    surroundings.tokens = user.state.as_ref().map(|state| state.join("mcp-tokens"));
    Servers::new(settings, surroundings)
}
