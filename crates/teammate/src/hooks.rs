//! Hooks: whose count in a workspace, and how they are run for a team, or once to try them.

pub(crate) mod callbacks;
mod outside;
mod sample;
pub(crate) mod sources;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::{MemberName, port::ProgramStarter};
use teammate_process::{HeldPrograms, Leftovers, TeamSandbox};
use teammate_tools::HookCommands;

pub use callbacks::{CallbackHook, HookAnswer};
pub use outside::OutsideHooks;
pub use sample::HookSample;
pub use sources::{FoundHooks, HookFilesError, HookSources};
pub use teammate_core::hook::{
    Control, HookCall, HookDecision, HookEnd, HookEntry, HookEvent, HookFile, HookFileError,
    HookOrigin, HookRun, HookVerdict, Identity, Matcher, Occasion, TaskFacts, ToolUse,
    permission_word,
};
pub use teammate_tools::{HookGuard, PlacedHook, WITHIN_HOOK};

use crate::project::UserDirs;

/// Whether this process runs below a hook: it runs no team then, and no hooks.
pub fn is_within_hook() -> bool {
    std::env::var_os(WITHIN_HOOK).is_some()
}

/// Where a member's transcript is.
pub(crate) type TranscriptOf = Arc<dyn Fn(&MemberName) -> PathBuf + Send + Sync>;

/// Where a team is, for its hooks.
pub(crate) struct HookPlace {
    pub(crate) workspace: PathBuf,
    pub(crate) team_dir: PathBuf,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) transcript: TranscriptOf,
}

/// The port that runs these hooks. They see their own directories, which no other command does.
pub(crate) fn commands(
    hooks: Vec<PlacedHook>,
    place: HookPlace,
    user: &UserDirs,
    (sandbox, leftovers): (TeamSandbox, Leftovers),
) -> HookCommands {
    let sandbox = sandbox.showing(script_dirs(user));
    let HookPlace {
        workspace,
        team_dir,
        environment,
        transcript,
    } = place;
    let programs = move |dir: &Path| -> Arc<dyn ProgramStarter> {
        let (dirs, left) = ((dir, &*team_dir), leftovers.clone());
        Arc::new(HeldPrograms::new(
            sandbox.clone(),
            dirs,
            environment.clone(),
            left,
        ))
    };
    HookCommands::new(hooks, &workspace, Arc::new(programs), transcript)
}

/// Where the scripts of hooks are that stand in hidden directories. Those of plug-ins every command sees.
fn script_dirs(user: &UserDirs) -> Vec<PathBuf> {
    let own = user.config.iter().map(|config| config.join("hooks"));
    let of_other = std::env::home_dir().map(|home| home.join(".claude/hooks"));
    own.chain(of_other).collect()
}
