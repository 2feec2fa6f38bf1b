//! Hooks: commands of the user, held like commands of members, with a `/tmp` and a network of their own.
//!
//! What a hook may answer, and what the answers come to, core knows (`hook`); here they are only run.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::{
    MemberName,
    hook::{HookCall, HookEnd, HookEntry, HookEvent, HookRun},
    port::{BoxFuture, Hooks, ProgramBounds, ProgramOrder, ProgramStarter},
};
use tokio::task::JoinSet;

use crate::{
    one_line::one_line,
    process::{Brief, BriefEnd},
};

/// The variable by which a program knows that a hook started it: it runs no team and no hooks.
pub const WITHIN_HOOK: &str = "TEAMMATE_HOOK";

/// The workspace, by the name that hooks written for other programs look for.
const PROJECT_DIR: &str = "CLAUDE_PROJECT_DIR";

/// The directory of the plug-in that a hook came with, by the name that such hooks look for.
const PLUGIN_ROOT: &str = "CLAUDE_PLUGIN_ROOT";

/// The most hooks that run at the same time, of all members.
const SIDE_BY_SIDE_MAX: usize = 32;

/// The most characters of a command by which a hook is called.
const NAME_CHARS_MAX: usize = 60;

/// A hook, and the directory of the plug-in that it came with.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedHook {
    /// The hook.
    pub entry: HookEntry,
    /// That directory.
    pub plugin: Option<PathBuf>,
}

/// Starts programs that work in this directory.
pub type ProgramsIn = Arc<dyn Fn(&Path) -> Arc<dyn ProgramStarter> + Send + Sync>;

/// The file of a member's transcript.
pub type TranscriptOf = Arc<dyn Fn(&MemberName) -> PathBuf + Send + Sync>;

/// Runs the hooks of one team.
pub struct HookCommands {
    hooks: Vec<PlacedHook>,
    events: BTreeSet<HookEvent>,
    shell: &'static str,
    workspace: PathBuf,
    programs: ProgramsIn,
    transcript: TranscriptOf,
    turn: Arc<tokio::sync::Semaphore>,
}

impl HookCommands {
    /// Runs these hooks of a team in this workspace.
    pub fn new(
        hooks: Vec<PlacedHook>,
        workspace: &Path,
        programs: ProgramsIn,
        transcript: TranscriptOf,
    ) -> Self {
        let bash = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];
        let shell = bash.into_iter().find(|path| Path::new(path).exists());
        Self {
            events: hooks.iter().map(|hook| hook.entry.event).collect(),
            hooks,
            shell: shell.unwrap_or("/bin/sh"),
            workspace: workspace.to_owned(),
            programs,
            transcript,
            turn: Arc::new(tokio::sync::Semaphore::new(SIDE_BY_SIDE_MAX)),
        }
    }

    /// Those that are for this event and match, with their places in the list.
    fn matching<'a>(
        &'a self,
        call: &'a HookCall,
    ) -> impl Iterator<Item = (usize, &'a PlacedHook)> + 'a {
        let (event, names) = (call.occasion.event(), call.matched());
        let is_meant = move |hook: &HookEntry| {
            hook.event == event
                && names
                    .as_ref()
                    .is_none_or(|names| hook.matcher.matches(names))
        };
        let all = self.hooks.iter().enumerate();
        all.filter(move |(_, hook)| is_meant(&hook.entry))
    }

    fn order(&self, at: usize, hook: &PlacedHook) -> ProgramOrder {
        let workspace = self.workspace.to_string_lossy().into_owned();
        let plugin = hook.plugin.as_ref().map(|dir| {
            let dir = dir.to_string_lossy().into_owned();
            (PLUGIN_ROOT.to_owned(), dir)
        });
        let environment = [
            (WITHIN_HOOK.to_owned(), "1".to_owned()),
            (PROJECT_DIR.to_owned(), workspace),
        ];
        ProgramOrder {
            // Programs of one name share a network.
            name: match hook.entry.hosts.is_empty() {
                true => "hooks".to_owned(),
                false => format!("hooks-{at}"),
            },
            command: self.shell.to_owned(),
            arguments: vec!["-c".to_owned(), hook.entry.command.clone()],
            environment: environment.into_iter().chain(plugin).collect(),
            directory: None,
            network: hook.entry.network.clone(),
            bounds: ProgramBounds::default(),
        }
    }
}

impl Hooks for HookCommands {
    fn listens(&self, event: HookEvent) -> bool {
        self.events.contains(&event)
    }

    fn run<'a>(&'a self, call: &'a HookCall) -> BoxFuture<'a, Vec<HookRun>> {
        let mut running = JoinSet::new();
        let mut told = None;
        for (nth, (at, hook)) in self.matching(call).enumerate() {
            let told: &Arc<[u8]> = told.get_or_insert_with(|| {
                let transcript = (self.transcript)(&call.identity.member);
                let text = format!("{}\n", call.to_json(&transcript));
                text.into_bytes().into()
            });
            let job = Brief {
                programs: (self.programs)(&call.cwd),
                order: self.order(at, hook),
                told: told.clone(),
                limit: hook.entry.limit,
            };
            let name = one_line(&hook.entry.command, NAME_CHARS_MAX);
            let (required, turn) = (hook.entry.required, self.turn.clone());
            running.spawn(async move {
                // Never closed.
                let _turn = turn.acquire().await;
                let end = hook_end(job.end().await);
                let run = HookRun {
                    hook: name,
                    required,
                    end,
                };
                (nth, run)
            });
        }
        Box::pin(async move {
            let mut runs = Vec::new();
            while let Some(ended) = running.join_next().await {
                match ended {
                    Ok(run) => runs.push(run),
                    Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                    Err(_) => {}
                }
            }
            runs.sort_by_key(|(nth, _)| *nth);
            runs.into_iter().map(|(_, run)| run).collect()
        })
    }
}

fn hook_end(end: BriefEnd) -> HookEnd {
    match end {
        BriefEnd::Exited {
            code,
            stdout,
            stderr,
        } => HookEnd::Exited {
            code,
            stdout,
            stderr,
        },
        BriefEnd::Failed(why) => HookEnd::Failed(why),
    }
}
