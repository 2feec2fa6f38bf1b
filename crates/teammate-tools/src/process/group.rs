//! A running command with all it started.

use std::{io, path::Path, process::Stdio, sync::Arc, time::Duration};

use rustix::process::Pid;
use teammate_core::MemberName;
use tokio::process::{Child, Command};

use super::{
    Confines, Errors, Held, Leftovers, Mark, end, in_rounds, leash::Leash, leftovers::Remains,
};

/// A command to be started.
pub(crate) struct Shell<'a> {
    /// Whose it is.
    pub(crate) owner: &'a MemberName,
    /// The program and its arguments.
    pub(crate) words: &'a [&'a str],
    /// Where the output goes. There is no input.
    pub(crate) output: io::PipeWriter,
    /// Where errors go; nothing if they go with the output.
    pub(crate) errors: Option<&'a Errors>,
    /// The directory that it begins in, and the team's.
    pub(crate) dirs: (&'a Path, &'a Path),
    pub(crate) confines: &'a Confines,
}

impl Shell<'_> {
    /// Without a keeper.
    fn untied(&self) -> io::Result<std::process::Command> {
        let (name, arguments) = self
            .words
            .split_first()
            .ok_or_else(|| io::Error::other("there is no command"))?;
        let errors = match self.errors {
            Some(errors) => Stdio::from(errors.file()?),
            None => Stdio::from(self.output.try_clone()?),
        };
        let mut command = std::process::Command::new(name);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(self.output.try_clone()?)
            .stderr(errors);
        Ok(command)
    }
}

/// The processes of a running command. Dropped before [`Group::leave`], they are killed.
#[derive(Debug)]
pub(crate) struct Group {
    owner: MemberName,
    held: Held,
    mark: Mark,
    leftovers: Leftovers,
    is_left: bool,
}

impl Group {
    /// Starts the command, which bears the mark, and takes charge of all that it will start.
    pub(crate) fn start(
        shell: &Shell,
        environment: impl Iterator<Item = (String, String)>,
        mark: Mark,
        leftovers: Leftovers,
    ) -> io::Result<(Self, Child)> {
        let tied = Leash::tie(
            shell.words,
            (&shell.output, shell.errors),
            shell.confines,
            shell.dirs,
        )?;
        let (command, leash) = match tied {
            Some((command, leash)) => (command, Some(leash)),
            None => (shell.untied()?, None),
        };
        let mut command = Command::from(command);
        let child = command
            .current_dir(shell.dirs.0)
            .env_clear()
            .envs(environment)
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        // With it goes the keeper's end of the leash.
        drop(command);
        let held = match leash {
            Some(leash) => Held::Leash(Arc::new(leash)),
            None => Held::Group(leader(&child)?),
        };
        let group = Self {
            owner: shell.owner.clone(),
            held,
            mark,
            leftovers,
            is_left: false,
        };
        Ok((group, child))
    }

    /// Asks all to stop. The shell may still run.
    pub(crate) fn ask_to_stop(&self) {
        if !self.held.ask_to_stop() {
            let told: Vec<Pid> = self.held.group().into_iter().collect();
            self.mark.ask_to_stop(&told);
        }
    }

    /// Waits until those who were asked have ended, at most so long. At once where nobody knows without looking.
    pub(crate) async fn ends_within(&self, limit: Duration) {
        if let Held::Leash(leash) = &self.held {
            let leash = leash.clone();
            let waiting = tokio::task::spawn_blocking(move || leash.is_over_within(limit));
            // What has not ended is killed next in any case.
            let _ = waiting.await;
        }
    }

    /// Kills all, in rounds until there is none.
    pub(crate) async fn kill(&self) {
        let (held, mark) = (self.held.clone(), self.mark.clone());
        let killing = tokio::task::spawn_blocking(move || kill_all(&held, &mark));
        // Only a runtime that goes down gives it up; then the drop below does it.
        let _ = killing.await;
    }

    /// Ends what the shell left, which has been waited for; true if there was anything.
    pub(crate) async fn end_rest(mut self) -> bool {
        self.is_left = true;
        let (held, mark) = (self.held.clone(), self.mark.clone());
        let ending = tokio::task::spawn_blocking(move || {
            let marks = if held.is_sure() { vec![] } else { vec![mark] };
            let was_left = held.is_left() || marks.iter().any(Mark::is_alive);
            if was_left {
                end(&[held], &marks);
            }
            was_left
        });
        ending.await.unwrap_or_default()
    }

    /// Lets the rest run on until the team ends. The shell has been waited for.
    pub(crate) fn leave(mut self) {
        self.is_left = true;
        if self.held.is_left() {
            self.leftovers.add(Remains {
                owner: self.owner.clone(),
                held: self.held.clone(),
                mark: self.mark.clone(),
            });
        }
    }
}

/// The group that a new child leads.
fn leader(child: &Child) -> io::Result<Pid> {
    child
        .id()
        .and_then(|id| i32::try_from(id).ok())
        .and_then(Pid::from_raw)
        .ok_or_else(|| io::Error::other("the shell ended before it began"))
}

fn kill_all(held: &Held, mark: &Mark) {
    if held.is_sure() {
        held.kill();
    } else {
        in_rounds(|| {
            let was_held = held.kill();
            mark.kill() > 0 || was_held
        });
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.is_left {
            kill_all(&self.held, &self.mark);
        }
    }
}
