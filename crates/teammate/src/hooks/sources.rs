//! Whose hooks count: the user's own file, files named on the command line, the workspace's, once it is trusted, and those of
//! plug-ins.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::hook::{HookEntry, HookFile, HookFileError, HookOrigin};
use teammate_store::disk::open_regular;
use teammate_tools::{HookGuard, PlacedHook};

use crate::project::{
    HookScripts, PROJECT_HOOKS_FILE, Plugin, Plugins, ProjectSettings, TrustStore, UserDirs,
};

/// The name of the user's own file in the configuration directory.
const OWN_FILE: &str = "hooks.json";

/// The most that a file of the user's may hold.
const BYTES_MAX: u64 = 1 << 20;

/// Files of hooks that are the user's.
#[derive(Debug, Clone, Default)]
pub struct HookSources {
    /// The user's own, there or not.
    pub own: Option<PathBuf>,
    /// Named on the command line.
    pub named: Vec<PathBuf>,
}

/// Why hooks of the user cannot be used. A team is not opened without them: they may be what keeps it in bounds.
#[derive(Debug, thiserror::Error)]
pub enum HookFilesError {
    /// A file cannot be read.
    #[error("the hooks in {} cannot be read: {error}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is no such file.
    #[error(transparent)]
    Shape(#[from] HookFileError),
}

/// The hooks that count.
#[derive(Debug, Default)]
pub struct FoundHooks {
    /// Those that run.
    pub hooks: Vec<PlacedHook>,
    /// Whether the workspace has some that are not trusted as they are.
    pub has_untrusted: bool,
    /// Why some of the workspace's do not run as they are, in order.
    pub changed: BTreeSet<String>,
    /// Settings that have no meaning here or cannot be used, in a sentence each.
    pub notices: Vec<String>,
}

impl HookSources {
    /// The user's own file, if they have a configuration directory.
    pub fn of_user(user: &UserDirs) -> Self {
        Self {
            own: user.config.as_ref().map(|config| config.join(OWN_FILE)),
            named: Vec::new(),
        }
    }

    /// All that count in this workspace, which must be resolved.
    ///
    /// # Errors
    ///
    /// A file of the user's cannot be used.
    pub fn found(&self, workspace: &Path, user: &UserDirs) -> Result<FoundHooks, HookFilesError> {
        let mut found = FoundHooks::default();
        if let Some(path) = &self.own {
            match read(path) {
                Ok(text) => found.add_own(path, &text)?,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(unreadable(path, error)),
            }
        }
        for path in &self.named {
            let text = read(path).map_err(|error| unreadable(path, error))?;
            found.add_own(path, &text)?;
        }
        found.add_of_project(workspace, user);
        for plugin in &Plugins::of_user(user).used {
            found.add_of_plugin(plugin);
        }
        Ok(found)
    }
}

impl FoundHooks {
    fn add_own(&mut self, path: &Path, text: &str) -> Result<(), HookFileError> {
        let origin = HookOrigin::User(path.display().to_string());
        self.add(HookFile::read(text, &origin)?, |_| (None, None));
        Ok(())
    }

    fn add_of_project(&mut self, workspace: &Path, user: &UserDirs) {
        let project = ProjectSettings::read(workspace);
        let Some(hooks) = &project.hooks else {
            return;
        };
        let record = TrustStore::at(user.state.as_deref());
        let Some(trusted) = record.trusted(workspace, &project) else {
            self.has_untrusted = true;
            return;
        };
        let scripts = Arc::new(trusted.scripts);
        match hooks.file() {
            Ok(file) => {
                for hook in &file.hooks {
                    let changed = scripts.check(&hook.command, (workspace, workspace)).err();
                    self.changed.extend(changed.map(|why| why.to_string()));
                }
                self.add(file.clone(), |hook| {
                    (None, Some(guard(hook, &scripts, workspace)))
                });
            }
            Err(why) => self.notices.push(format!("{why}; it is not used")),
        }
    }

    fn add_of_plugin(&mut self, plugin: &Plugin) {
        let origin = HookOrigin::Plugin(plugin.name().to_string());
        for text in plugin.hooks() {
            match HookFile::read(&text, &origin) {
                Ok(file) => self.add(file, |_| (Some(plugin.root().to_owned()), None)),
                Err(error) => self.notices.push(format!("the hooks of {error}")),
            }
        }
    }

    fn add(
        &mut self,
        file: HookFile,
        place: impl Fn(&HookEntry) -> (Option<PathBuf>, Option<HookGuard>),
    ) {
        self.notices.extend(file.remarks);
        let placed = |entry| {
            let (plugin, guard) = place(&entry);
            PlacedHook {
                entry,
                plugin,
                guard,
            }
        };
        self.hooks.extend(file.hooks.into_iter().map(placed));
    }

    /// A notice for the user about hooks that are not trusted, which `step` would change.
    pub fn untrusted_notice(&self, step: &str) -> Option<String> {
        if self.has_untrusted {
            return Some(format!(
                "the hooks in {PROJECT_HOOKS_FILE} do not run, as you have not trusted them as they are; you can {step}"
            ));
        }
        let changed: Vec<&str> = self.changed.iter().map(String::as_str).collect();
        (!changed.is_empty()).then(|| {
            format!(
                "hooks in {PROJECT_HOOKS_FILE} do not run: {}; you can {step}",
                changed.join(", ")
            )
        })
    }
}

/// Looks before each run whether what the hook names is as the user trusted it.
fn guard(hook: &HookEntry, scripts: &Arc<HookScripts>, workspace: &Path) -> HookGuard {
    let (command, scripts, workspace) =
        (hook.command.clone(), scripts.clone(), workspace.to_owned());
    HookGuard::new(move |dir| {
        let checked = scripts.check(&command, (&workspace, dir));
        checked.map_err(|why| why.to_string())
    })
}

fn read(path: &Path) -> io::Result<String> {
    use io::Read as _;
    let mut text = String::new();
    open_regular(fs::OpenOptions::new().read(true), path)?
        .take(BYTES_MAX)
        .read_to_string(&mut text)?;
    Ok(text)
}

fn unreadable(path: &Path, error: io::Error) -> HookFilesError {
    HookFilesError::Unreadable {
        path: path.to_owned(),
        error,
    }
}
