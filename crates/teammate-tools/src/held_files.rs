//! Files of the workspace for programs of other makes that have ours read and write: no further than file tools go, by the same
//! rules that deny, never what decides what programs do later, and never over what they have not read.

use std::{
    ffi::OsStr,
    io::Read as _,
    path::{Component, Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use teammate_core::{
    Incarnation, MemberName,
    cause::Cause,
    name::AgentName,
    permission::{Mode, Rule, RuleVerdict, Rules},
    port::{LineRange, Target, Workspace, WorkspaceAccess, WorkspaceFiles},
    tool::{CallId, EffectClass},
};
use teammate_process::blocking::CancelFlag;
use teammate_sandbox::{PROTECTED, PROTECTED_IF_THERE};

use crate::{
    ToolCatalogue,
    beneath::{Intent, ResolvedPath, resolve},
    workspace::{FileReader, FileVersion, KnownFiles, RunningMark, ShownLines, WholeWrite},
};

/// The longest text that is read or written, in bytes.
const TEXT_MAX: u64 = 4 << 20;

/// The writer of a file, as other members read it: `alice's agent`.
const AGENT: &str = "agent";

/// The tools whose rules hold for what is asked here.
const READS: &str = "read_file";
const WRITES: &str = "write_file";

/// Files beneath a workspace.
#[derive(Debug)]
pub struct HeldFiles {
    workspace: Workspace,
    access: WorkspaceAccess,
    rules: Rules,
    member: (MemberName, Incarnation),
    known: KnownFiles,
    /// How often something was written.
    writes: AtomicU64,
    /// It changes files itself as long as it runs.
    _running: Option<RunningMark>,
}

impl HeldFiles {
    /// Those of the workspace `root` of the team in `team_dir`; written only where the program itself may write.
    pub fn new((root, team_dir): (&Path, &Path), access: WorkspaceAccess) -> Self {
        Self {
            workspace: Workspace {
                root: root.to_owned(),
                team_dir: team_dir.to_owned(),
                outputs: team_dir.join("outputs"),
                tmp: None,
                unreadable: Vec::new(),
            },
            access,
            rules: Rules::default(),
            member: (MemberName::lead(), Incarnation::FIRST),
            known: KnownFiles::default(),
            writes: AtomicU64::new(0),
            _running: None,
        }
    }

    /// The files for the agent that answers this member: it replaces only what it knows, as the team's tools do, and what it
    /// changes itself is put down to it.
    #[must_use]
    pub fn of_member(
        mut self,
        agent: &AgentName,
        (member, incarnation): (&MemberName, Incarnation),
        tools: &ToolCatalogue,
    ) -> Self {
        self.known = tools.known_files().clone();
        self._running = match self.access {
            WorkspaceAccess::Writes => Some(self.known.command(member, agent.to_string())),
            WorkspaceAccess::Reads => None,
        };
        self.member = (member.clone(), incarnation);
        self
    }

    /// Has deny rules about files hold as they do for the team's tools.
    #[must_use]
    pub fn closing(mut self, deny: &[Rule]) -> Self {
        self.rules.deny = deny.to_vec();
        self
    }

    fn find(&self, path: &Path, intent: Intent) -> Result<ResolvedPath, String> {
        let text = path.to_str().ok_or("the path is no text")?;
        let place = resolve(&self.workspace, text, intent).map_err(|error| error.to_string())?;
        let target = Target::Path(place.location());
        let (tool, class) = match intent {
            Intent::Look => (READS, EffectClass::Reads),
            Intent::Change => (WRITES, EffectClass::Writes),
        };
        match self.rules.decide(Mode::Ask, tool, class, &target) {
            RuleVerdict::Deny(rule) => Err(format!("{} forbids it", rule.describe())),
            RuleVerdict::Allow | RuleVerdict::Ask => Ok(place),
        }
    }

    fn reader(&self) -> FileReader {
        let (member, incarnation) = self.member.clone();
        FileReader::of_member(member, incarnation)
    }

    /// A name for a write: each is asked for by itself, so that what became of the one before could be read.
    fn next_write(&self) -> Cause {
        let (member, incarnation) = &self.member;
        let number = self.writes.fetch_add(1, Ordering::Relaxed);
        Cause::call(member, *incarnation, number, &CallId::new(AGENT.to_owned()))
    }
}

impl WorkspaceFiles for HeldFiles {
    fn read(&self, path: &Path, lines: LineRange) -> Result<String, String> {
        let found = self.find(path, Intent::Look)?;
        let file = found.open().map_err(|error| error.to_string())?;
        let about = file.metadata().map_err(|error| error.to_string())?;
        if !about.is_file() {
            return Err("it is no file".to_owned());
        }
        let mut text = String::new();
        let mut file = file.take(TEXT_MAX + 1);
        file.read_to_string(&mut text)
            .map_err(|error| error.to_string())?;
        if text.len() as u64 > TEXT_MAX {
            return Err(format!("it has more than {} MiB", TEXT_MAX >> 20));
        }
        let all = text.split_inclusive('\n');
        let of = all.clone().count() as u64;
        let before = lines.first.saturating_sub(1);
        let asked: Vec<&str> = all.skip(before).take(lines.count).collect();
        let shown = ShownLines {
            first: before as u64 + 1,
            count: asked.len() as u64,
            of,
            is_cut: false,
        };
        let version = FileVersion::of(text.as_bytes());
        self.known
            .read(&self.reader(), found.full(), version, shown);
        Ok(asked.concat())
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), String> {
        if self.access == WorkspaceAccess::Reads {
            return Err("the workspace is read-only".to_owned());
        }
        if text.len() as u64 > TEXT_MAX {
            return Err(format!("it has more than {} MiB", TEXT_MAX >> 20));
        }
        let place = self.find(path, Intent::Change)?;
        if is_protected(place.display_path()) {
            return Err("it decides what programs do later; nobody writes there".to_owned());
        }
        let write = WholeWrite {
            by: AGENT,
            place,
            content: text.to_owned(),
            known: self.known.clone(),
            reader: self.reader(),
            call: self.next_write(),
            secrets: Arc::default(),
            allowed: None,
        };
        match write.run(&CancelFlag::default()) {
            Ok(outcome) if !outcome.is_error => Ok(()),
            Ok(refused) | Err(refused) => Err(refused.text()),
        }
    }
}

/// Whether commands may not write there either.
fn is_protected(path: &Path) -> bool {
    let path: PathBuf = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_ascii_lowercase()),
            Component::Prefix(_)
            | Component::RootDir
            | Component::CurDir
            | Component::ParentDir => None,
        })
        .collect();
    let names = PROTECTED.iter().chain(PROTECTED_IF_THERE);
    names
        .map(|name| OsStr::new(name).to_ascii_lowercase())
        .any(|name| path.starts_with(name))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use teammate_core::permission::RuleOrigin;

    use super::*;

    #[test]
    fn rules_that_deny_hold_whatever_leads_to_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("work");
        let team = root.join(".team");
        fs::create_dir_all(&team).unwrap();
        for name in [".env", "a.pem", "kept", "open"] {
            fs::write(root.join(name), "content").unwrap();
        }
        std::os::unix::fs::symlink(".env", root.join("link")).unwrap();
        let deny = ["read_file(.env)", "Read(**/*.pem)", "edit(kept)"];
        let deny = deny.map(|rule| Rule::parse(rule, RuleOrigin::User).unwrap());
        let files = HeldFiles::new((&root, &team), WorkspaceAccess::Writes).closing(&deny);
        for closed in [".env", "link", "./.env", "a.pem"] {
            let why = files.read(Path::new(closed), LineRange::ALL).unwrap_err();
            assert!(
                why.contains("the user's rule") && why.ends_with("forbids it"),
                "{why}"
            );
        }
        for path in ["kept", "open"] {
            files.read(Path::new(path), LineRange::ALL).unwrap();
        }
        let why = files.write(Path::new("kept"), "x").unwrap_err();
        assert_eq!(why, "the user's rule 'edit(kept)' forbids it");
        files.write(Path::new("open"), "x").unwrap();
    }

    #[test]
    fn files_of_the_workspace_and_no_others() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("work");
        let team = root.join(".team");
        fs::create_dir_all(&team).unwrap();
        fs::write(dir.path().join("secret"), "s").unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret"), root.join("link")).unwrap();
        let files = HeldFiles::new((&root, &team), WorkspaceAccess::Writes);
        files.write(&root.join("a/b.txt"), "text").unwrap();
        assert_eq!(
            files.read(&root.join("a/b.txt"), LineRange::ALL).unwrap(),
            "text"
        );
        for outside in ["/etc/passwd", "../secret", "link", ".team/x", "a"] {
            files.read(Path::new(outside), LineRange::ALL).unwrap_err();
        }
        for kept in [
            "../x",
            "link",
            ".team/x",
            ".git/config",
            ".mcp.json",
            ".Claude/settings.json",
            ".github/workflows/x.yml",
            "/tmp/x",
        ] {
            files.write(Path::new(kept), "x").unwrap_err();
        }
        assert_eq!(fs::read_to_string(dir.path().join("secret")).unwrap(), "s");
        let looks = HeldFiles::new((&root, &team), WorkspaceAccess::Reads);
        assert_eq!(
            looks.read(Path::new("a/b.txt"), LineRange::ALL).unwrap(),
            "text"
        );
        looks.write(Path::new("a/b.txt"), "x").unwrap_err();
    }
}
