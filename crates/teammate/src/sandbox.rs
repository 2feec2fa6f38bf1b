//! How the commands of a team are held, put together: what the program that opens it says, and what is the user's own.

use std::path::{Path, PathBuf};

use teammate_core::permission::Rule;
use teammate_process::TeamSandbox;
pub use teammate_sandbox::{
    Cache, CommandLimits, HIDDEN, Level, MemberLimits, NetworkRule, PROTECTED, Sandbox,
    SandboxRules, Strength, UserCommand,
};

use crate::{
    TeamError,
    place::Site,
    policy::MachinePolicy,
    project::{Plugins, UserDirs},
};

/// Where the user's skills are in their configuration directory.
const SKILLS: &str = "skills";

/// For the commands of a team of this user in this workspace, which must be resolved.
pub(crate) fn team_sandbox(
    user: &UserDirs,
    mut rules: SandboxRules,
    workspace: &Path,
) -> TeamSandbox {
    // What the user says yes to, and to whom, is not for commands to read or write.
    for dir in user.state.iter().chain(&user.config) {
        // What is not there cannot be hidden. If it cannot be made by us, commands cannot make it either.
        let _ = std::fs::create_dir_all(dir);
        rules.hidden.push(dir.clone());
    }
    let sandbox = TeamSandbox::new(rules, Site::closed_to_all(workspace)).showing(skill_dirs(user));
    match &user.state {
        Some(state) => sandbox.remembering_in(state),
        None => sandbox,
    }
}

/// The deny rules about files that hold for file tools only here, as commands are not held well enough for more; in words.
pub fn open_to_commands(held: SandboxRules, deny: &[Rule], workspace: &Path) -> Option<String> {
    let sandbox = TeamSandbox::new(held, []).closing(deny, workspace);
    sandbox.open_to_commands()
}

/// Directories in hidden ones that commands see: the user's skills, and plug-ins, which have scripts for members to run.
fn skill_dirs(user: &UserDirs) -> Vec<PathBuf> {
    let own = user.config.iter().map(|config| config.join(SKILLS));
    own.chain(Plugins::dirs(user)).collect()
}

/// Finds out how well commands are held, so that [`try_out`] need not. What fails is said there.
pub(crate) async fn prove(sandbox: Sandbox, scratch: PathBuf) {
    let proven = tokio::task::spawn_blocking(move || sandbox.strength(&scratch).map(drop));
    if let Err(error) = proven.await {
        std::panic::resume_unwind(error.into_panic());
    }
}

/// Finds out how well commands are held here. What the user should know about it is the second value.
pub(crate) async fn try_out(
    mut sandbox: TeamSandbox,
    (workspace, scratch): (PathBuf, PathBuf),
    policy: Option<&MachinePolicy>,
) -> Result<(TeamSandbox, Option<String>), TeamError> {
    let tried =
        tokio::task::spawn_blocking(move || (sandbox.try_out(&workspace, &scratch), sandbox)).await;
    let (strength, sandbox) = match tried {
        Ok(tried) => tried,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    };
    match strength {
        Ok(strength) => {
            if let Some(policy) = policy {
                policy.check_strength(&strength)?;
            }
            let required = sandbox.sandbox().rules().required;
            if required.is_some_and(|required| strength.level < required) {
                return Err(TeamError::Sandbox(strength));
            }
            let open = sandbox.open_to_commands().map(|rules| {
                format!(" For file tools only, as commands open such files: {rules}.")
            });
            let notice = (strength.level < Level::Full)
                .then(|| format!("{strength}.{}", open.unwrap_or_default()));
            Ok((sandbox, notice))
        }
        Err(failure) => Ok((
            sandbox,
            Some(format!(
                "No command can run: the sandbox could not {failure}."
            )),
        )),
    }
}
