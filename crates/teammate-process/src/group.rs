//! The processes of one command, from its start until nothing of it is left.

use std::{
    io,
    os::fd::{AsFd as _, BorrowedFd},
    path::Path,
    sync::Arc,
    time::Duration,
};

use teammate_core::{
    MemberName,
    port::{ProgramOrder, WorkspaceAccess},
};
use teammate_sandbox::{
    By, CommandLimits, Ended, Failure, GuardLook, HeldFile, Judge, Level, Order, Place, Streams,
};

use crate::{Leftovers, Mark, TeamSandbox, ask_to_stop, end, kill_marked, leftovers::Remains};

/// How long a killed command is waited for. Only a process stuck in the kernel takes that long.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// Whose a command is.
#[derive(Debug, Clone, Copy)]
pub enum Owner<'a> {
    Member(&'a MemberName),
    /// The team's own, by this order: a server of tools, an external agent, a hook.
    Program(&'a ProgramOrder),
    /// The program's own git.
    Git,
}

/// A command to be started.
pub struct HeldCommand<'a> {
    pub owner: Owner<'a>,
    /// The program and its arguments.
    pub words: &'a [&'a str],
    /// The input of the command; nothing without one.
    pub input: Option<io::PipeReader>,
    /// Where the output goes.
    pub output: io::PipeWriter,
    /// Where errors go; with the output if nowhere else.
    pub errors: Option<BorrowedFd<'a>>,
    /// The directory that it begins in.
    pub dir: &'a Path,
    /// The workspace or worktree that it works on, and the team's directory.
    pub dirs: (&'a Path, &'a Path),
    /// The sandbox that holds it.
    pub sandbox: &'a TeamSandbox,
    /// The judge of its connections; it connects nowhere without.
    pub judge: Option<Arc<dyn Judge>>,
}

/// The processes of a running command. Dropped before [`CommandProcesses::leave`], they are killed.
#[derive(Debug)]
pub struct CommandProcesses(Option<Remains>, Leftovers);

impl HeldCommand<'_> {
    fn place(&self) -> io::Result<Place> {
        match self.owner {
            Owner::Member(owner) => self.sandbox.of_owner(owner.as_str(), self.dirs),
            // No member has such a name.
            Owner::Program(order) => {
                let name = format!("{}.program", order.name);
                let mut place = self.sandbox.of_owner(&name, self.dirs)?;
                place.own.clone_from(&order.bounds.own);
                place.by = match order.bounds.workspace {
                    WorkspaceAccess::Writes => By::Member,
                    WorkspaceAccess::Reads => By::Guest,
                };
                Ok(place)
            }
            Owner::Git => Ok(self.sandbox.of_program(self.dirs)),
        }
    }

    fn order(&self, environment: Vec<(String, String)>) -> Order {
        let (program, arguments) = self.words.split_first().unwrap_or((&"", &[]));
        Order {
            program: program.into(),
            arguments: arguments.iter().map(Into::into).collect(),
            environment,
            directory: self.dir.to_owned(),
            limits: self.limits(),
        }
    }

    fn limits(&self) -> CommandLimits {
        let mut limits = self.sandbox.sandbox().rules().limits;
        if let Owner::Program(order) = self.owner
            && let Some(max) = order.bounds.memory_max
        {
            let most = limits.total_memory_bytes.unwrap_or(u64::MAX);
            limits.total_memory_bytes = Some(max.min(most));
        }
        limits
    }
}

impl CommandProcesses {
    /// Starts the command, which bears the mark, and takes charge of all that it will start.
    ///
    /// # Errors
    ///
    /// It may not or cannot be walled: nothing runs.
    pub fn start(
        command: &HeldCommand<'_>,
        environment: impl Iterator<Item = (String, String)>,
        mark: Mark,
        leftovers: Leftovers,
    ) -> Result<Self, Failure> {
        let place = command
            .place()
            .map_err(|error| Failure::of("make a private directory", &error))?;
        let order = command.order(environment.collect());
        let output = command.output.as_fd();
        let errors = command.errors.unwrap_or(output);
        let sandbox = command.sandbox.sandbox();
        let streams = Streams {
            input: command.input.as_ref().map(io::PipeReader::as_fd),
            ..Streams::to(output, errors)
        };
        let running = sandbox.start(&place, order, streams, command.judge.clone())?;
        let remains = Remains {
            owner: match command.owner {
                Owner::Member(owner) => owner.clone(),
                // It is not left to anybody.
                Owner::Program(_) | Owner::Git => MemberName::lead(),
            },
            running,
            // In namespaces of its own nothing gets away.
            mark: (sandbox.level()? != Level::Full).then_some(mark),
        };
        Ok(Self(Some(remains), leftovers))
    }

    /// Waits for the program's end; what it started may go on.
    ///
    /// # Errors
    ///
    /// A wall could not be put up, or there is no such program: nothing ran.
    pub async fn ended(&mut self) -> Result<Ended, Failure> {
        match &mut self.0 {
            Some(remains) => remains.running.ended().await,
            None => Ok(Ended::Killed),
        }
    }

    /// For a look at what was written where it may not be, also when nothing is left of it.
    pub fn looking(&self) -> Option<GuardLook> {
        self.0.as_ref()?.running.looking()
    }

    /// A remark for the member about how the command was started; empty if there is nothing.
    pub fn remark(&self) -> &'static str {
        let is_first = |remains: &Remains| remains.running.is_first_of_replacement();
        match self.0.as_ref().is_some_and(is_first) {
            true => "(The sandbox's helper had ended; this command is the first of a new one.)\n",
            false => "",
        }
    }

    /// Whether it runs in namespaces of its own, where the full sandbox holds it.
    pub fn is_held_fully(&self) -> bool {
        self.0
            .as_ref()
            .is_some_and(|remains| remains.mark.is_none())
    }

    /// Asks all to stop. The program may still run.
    pub fn ask_to_stop(&self) {
        if let Some(remains) = &self.0 {
            ask_to_stop(&remains.running, remains.mark.as_slice());
        }
    }

    /// Waits until those who were asked have ended, at most so long.
    pub async fn ends_within(&self, limit: Duration) {
        if let Some(remains) = &self.0 {
            // What has not ended is killed next in any case.
            let _ = tokio::time::timeout(limit, remains.running.all_ended()).await;
        }
    }

    /// Kills all, and waits until nothing is left.
    pub async fn kill(&self) {
        let Some(remains) = &self.0 else {
            return;
        };
        remains.running.end();
        let _ = tokio::time::timeout(KILL_GRACE, remains.running.all_ended()).await;
        if let Some(mark) = remains.mark.clone() {
            // Only a runtime that goes down gives it up; then the drop below does it.
            let _ = tokio::task::spawn_blocking(move || kill_marked(&[mark])).await;
        }
    }

    /// Ends what the program left, which has ended; true if there was anything.
    pub async fn end_rest(mut self) -> bool {
        let Some(remains) = self.0.take() else {
            return false;
        };
        if !remains.is_left() {
            return false;
        }
        let ending = tokio::task::spawn_blocking(move || {
            let marks: Vec<Mark> = remains.mark.into_iter().collect();
            end(&[remains.running], &marks);
        });
        // Only a runtime that goes down gives it up; then dropping it has killed all.
        let _ = ending.await;
        true
    }

    /// Lets the rest run on until the team ends. The program has ended.
    pub fn leave(mut self) {
        if let Some(remains) = self.0.take()
            && remains.is_left()
        {
            self.1.add(remains);
        }
    }
}

/// Looks at what commands wrote where it may not be, and moves it away.
pub async fn look(looking: Option<GuardLook>) -> Vec<HeldFile> {
    match looking {
        Some(looking) if looking.is_needed() => crate::blocking::run(move |_| looking.look()).await,
        Some(_) | None => Vec::new(),
    }
}

impl Drop for CommandProcesses {
    fn drop(&mut self) {
        if let Some(remains) = self.0.take() {
            remains.running.kill();
            kill_marked(remains.mark.as_slice());
        }
    }
}
