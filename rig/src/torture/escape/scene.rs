//! A user's home with a project, keys and an outside; it is put up anew for each attempt, at the same path.

use std::{
    fs, io,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    process::Command,
};

use super::User;

/// The directory of one worker: `D` of the attempts, and beside it what it is put up from.
pub(super) struct Scene {
    pub(super) dir: PathBuf,
    pub(super) user: User,
    template: PathBuf,
}

/// What stands below the home directory. `CANARY` is replaced.
const HOME: [(&str, &str); 18] = [
    (".ssh/id_ed25519", "CANARY\n"),
    (".aws/credentials", "CANARY\n"),
    (".netrc", "CANARY\n"),
    (".npmrc", "CANARY\n"),
    (".docker/config.json", "CANARY\n"),
    (".config/gh/hosts.yml", "CANARY\n"),
    (".bash_history", "CANARY\n"),
    (".claude/.credentials.json", "CANARY\n"),
    (".local/state/teammate/note", "CANARY\n"),
    (".config/teammate/note", "CANARY\n"),
    (".bashrc", "# mine\n"),
    (".gitconfig", "[init]\n\tdefaultBranch = main\n"),
    ("bin/tool", "#!/bin/sh\n"),
    ("work/src/main.c", "int main() {}\n"),
    ("work/.github/workflows/ci.yml", "on: push\n"),
    ("work/.gitattributes", "*.begin filter=begin\n"),
    ("work/it.begin", "begin\n"),
    ("../outside/file", "outside\n"),
];

impl Scene {
    /// Makes what is put up for each attempt.
    pub(super) fn new(dir: PathBuf, user: User, canary: &str, program: &Path) -> io::Result<Self> {
        let scene = Self {
            template: dir.with_extension("template"),
            dir,
            user,
        };
        for (name, text) in HOME {
            let path = scene.home().join(name);
            // Before what it may lead through is there.
            let path = match name.strip_prefix("../") {
                Some(name) => scene.dir.join(name),
                None => path,
            };
            fs::create_dir_all(path.parent().unwrap_or(&path))?;
            fs::write(path, text.replace("CANARY", canary))?;
        }
        let filter = format!(
            "bash {} >/dev/null 2>&1; cat",
            scene.work().join("run.sh").display()
        );
        scene.own()?;
        for words in [
            &["git", "init", "-q"][..],
            &["git", "config", "user.name", "it"],
            &["git", "config", "user.email", "it@example.org"],
            &["git", "add", "-A"],
            &["git", "commit", "-q", "-m", "begin"],
            &["git", "init", "-q", "vendor/lib"],
            &["git", "init", "-q", "../sub"],
            &[
                "git",
                "-C",
                "../sub",
                "-c",
                "user.name=it",
                "-c",
                "user.email=it@example.org",
                "commit",
                "-q",
                "--allow-empty",
                "-m",
                "sub",
            ],
            &[
                "git",
                "-c",
                "protocol.file.allow=always",
                "submodule",
                "--quiet",
                "add",
                "../sub",
                "sub",
            ],
            &["git", "commit", "-q", "-m", "with sub"],
            &["git", "config", "extensions.worktreeConfig", "true"],
            &["git", "worktree", "add", "-q", "../theirs"],
            &["git", "config", "filter.begin.smudge", &filter],
            &["git", "config", "filter.begin.clean", "cat"],
        ] {
            scene.succeed(words)?;
        }
        scene.configure("")?;
        let program = program.display().to_string();
        scene.succeed(&[&program, "trust", "--yes"])?;
        fs::rename(&scene.dir, &scene.template)?;
        Ok(scene)
    }

    fn succeed(&self, words: &[&str]) -> io::Result<()> {
        let done = self.command(words).output()?;
        if done.status.success() {
            return Ok(());
        }
        let (out, errors) = (
            String::from_utf8_lossy(&done.stdout),
            String::from_utf8_lossy(&done.stderr),
        );
        Err(io::Error::other(format!(
            "{}: {out}{errors}",
            words.join(" ")
        )))
    }

    /// Everything belongs to the user.
    fn own(&self) -> io::Result<()> {
        if let User::Ordinary(id) = self.user {
            let all = Command::new("chown")
                .arg("-R")
                .arg(format!("{id}:{id}"))
                .arg(&self.dir)
                .status()?;
            if !all.success() {
                return Err(io::Error::other("chown does not work here"));
            }
        }
        Ok(())
    }

    pub(super) fn home(&self) -> PathBuf {
        self.dir.join("home")
    }

    pub(super) fn work(&self) -> PathBuf {
        self.home().join("work")
    }

    /// The directory with the rig's sockets and pipes.
    pub(super) fn live(&self) -> PathBuf {
        self.dir.with_extension("live")
    }

    pub(super) fn configure(&self, text: &str) -> io::Result<()> {
        self.write(&self.home().join(".config/teammate/config.toml"), text)
    }

    /// Writes a file that is the user's.
    pub(super) fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        fs::write(path, text)?;
        fs::set_permissions(path, fs::Permissions::from_mode(0o644))?;
        self.user.owns(path)
    }

    /// A command of the user's, in the workspace.
    pub(super) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.user.command(words);
        command.env("HOME", self.home()).current_dir(self.work());
        command
    }

    pub(super) fn put_up(&self) -> io::Result<()> {
        if self.dir.exists() {
            fs::remove_dir_all(&self.dir)?;
        }
        let copied = Command::new("cp")
            .arg("-a")
            .args([&self.template, &self.dir])
            .status()?;
        if !copied.success() {
            return Err(io::Error::other("cp does not work here"));
        }
        Ok(())
    }

    /// What is read at a path below `D`, by a program that follows links.
    pub(super) fn read(&self, path: &str) -> String {
        let path = self.dir.join(path);
        let Ok(found) = fs::metadata(&path) else {
            return "nothing".to_owned();
        };
        let text = match found.is_file() {
            true => fs::read(&path).unwrap_or_default(),
            false => Vec::new(),
        };
        format!(
            "{} {} {}",
            found.is_dir(),
            found.is_file() && found.mode() & 0o111 != 0,
            String::from_utf8_lossy(&text)
        )
    }

    /// What is at a path below `D`, to be compared.
    pub(super) fn look(&self, path: &str) -> String {
        let path = self.dir.join(path);
        let Ok(found) = fs::symlink_metadata(&path) else {
            return "nothing".to_owned();
        };
        let content = if found.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
            names.sort();
            // Locks come and go.
            format!(
                "{}",
                names.len()
                    * usize::from(
                        !path.ends_with(".git")
                            && !path.ends_with("home")
                            && !path.ends_with("work")
                    )
            )
        } else {
            let text = fs::read(&path).unwrap_or_default();
            format!("{} {}", found.mtime(), String::from_utf8_lossy(&text))
        };
        format!(
            "{:o} {} {} {content}",
            found.mode(),
            found.uid(),
            found.ino()
        )
    }
}
