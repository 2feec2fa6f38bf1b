//! Hooks: commands of the user, held like commands of members, with a `/tmp` and a network of their own.
//!
//! What a hook may answer, and what the answers come to, core knows (`hook`); here they are only run.

use std::{
    collections::BTreeSet,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use teammate_core::{
    MemberName,
    hook::{HookCall, HookEnd, HookEntry, HookEvent, HookRun},
    port::{BoxFuture, Hooks, ProgramBounds, ProgramOrder, ProgramStarter},
};
use teammate_process::{Brief, BriefEnd};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::JoinSet,
    time::timeout,
};

use crate::display::one_line;

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

/// A hook, where it came from, and what it may rely on.
#[derive(Debug, Clone)]
pub struct PlacedHook {
    pub entry: HookEntry,
    /// The directory of the plug-in that it came with.
    pub plugin: Option<PathBuf>,
    /// The guard that looks before each run; `None` where nothing needs it.
    pub guard: Option<HookGuard>,
}

/// Whether a hook may run in this directory now; an error is why not. It may read files.
type MayRun = dyn Fn(&Path) -> Result<(), String> + Send + Sync;

/// The guard that is asked before a hook runs.
#[derive(Clone)]
pub struct HookGuard(Arc<MayRun>);

impl HookGuard {
    /// Asks this, away from where others wait.
    pub fn new(may_run: impl Fn(&Path) -> Result<(), String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(may_run))
    }
}

impl fmt::Debug for HookGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HookGuard")
    }
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
    places: Arc<Semaphore>,
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
            places: Arc::new(Semaphore::new(SIDE_BY_SIDE_MAX)),
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
            let (required, places) = (hook.entry.required, self.places.clone());
            let guard = hook.guard.clone().map(|guard| (guard, call.cwd.clone()));
            running.spawn(async move {
                let end = match place(places, job.limit).await {
                    Ok(_place) => guarded_end(guard, job).await,
                    Err(why) => HookEnd::Failed(why),
                };
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

/// One of the places, for which a hook waits no longer than it may take.
async fn place(places: Arc<Semaphore>, limit: Duration) -> Result<OwnedSemaphorePermit, String> {
    match timeout(limit, places.acquire_owned()).await {
        Ok(Ok(place)) => Ok(place),
        // They are never closed.
        Ok(Err(closed)) => Err(closed.to_string()),
        Err(_) => Err(format!(
            "it was not run: {SIDE_BY_SIDE_MAX} hooks ran for all of its {} s",
            limit.as_secs_f32()
        )),
    }
}

async fn guarded_end(guard: Option<(HookGuard, PathBuf)>, job: Brief) -> HookEnd {
    if let Some((guard, dir)) = guard {
        let looked = tokio::task::spawn_blocking(move || (guard.0)(&dir)).await;
        let may_run = looked.unwrap_or_else(|error| Err(error.to_string()));
        if let Err(why) = may_run {
            return HookEnd::Failed(format!("it was not run: {why}"));
        }
    }
    hook_end(job.end().await)
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
