//! How commands are held, and what is walled off from them besides the team's directory.

use std::path::Path;

use teammate_core::port::ContainmentLevel;
use teammate_tools::Confines;

use crate::{place::Site, project::UserDirs};

/// For the commands of a team of this user. All teams of the workspace, which must be resolved, are closed to them.
pub(crate) fn confines(user: &UserDirs, at_most: ContainmentLevel, workspace: &Path) -> Confines {
    // Commands must not write the user's decisions about trust.
    for dir in user.state.iter().chain(&user.config) {
        // What is not there cannot be walled off. If it cannot be made by us, commands cannot make it either.
        let _ = std::fs::create_dir_all(dir);
    }
    let teams = Site::closed_to_all(workspace);
    let confines = Confines::default().at_most(at_most).closing_teams(teams);
    let confines = user.state.iter().cloned().fold(confines, Confines::hiding);
    user.config
        .iter()
        .cloned()
        .fold(confines, Confines::closing)
}
