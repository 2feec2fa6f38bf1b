//! How commands are held, and what is walled off from them besides the team's directory.

use teammate_tools::{Confines, Level};

use crate::texts::UserDirs;

/// For the commands of a team of this user.
pub(crate) fn confines(user: &UserDirs, at_most: Level) -> Confines {
    // What the user says yes to, and to whom, is not for commands to write.
    for dir in user.state.iter().chain(&user.config) {
        // What is not there cannot be walled off. If it cannot be made by us, commands cannot make it either.
        let _ = std::fs::create_dir_all(dir);
    }
    let confines = Confines::default().at_most(at_most);
    let confines = user.state.iter().cloned().fold(confines, Confines::hiding);
    user.config
        .iter()
        .cloned()
        .fold(confines, Confines::closing)
}
