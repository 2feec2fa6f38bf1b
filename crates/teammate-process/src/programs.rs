//! Programs that talk over their standard streams, held like commands of members: in the workspace, with a `/tmp`, a network and
//! processes of their own.

use std::{
    collections::BTreeSet,
    env, io,
    os::{fd::AsFd as _, unix::fs::PermissionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};
use teammate_core::{
    permission::{Destination, Mode, NET, RuleVerdict, Rules},
    port::{
        BoxFuture, Census, ProgramEnd, ProgramError, ProgramLife, ProgramOrder, ProgramStarter,
        ProgramUse, Reach, RunningProgram, Target,
    },
    tool::EffectClass,
};
use teammate_sandbox::{Ended, Judge, Verdict};

use crate::git::for_members;
use crate::{CommandProcesses, HeldCommand, Leftovers, Mark, Owner, TeamSandbox, table};

/// How often it is looked for processes that are to end: some start others meanwhile.
const SWEEPS_MAX: u32 = 100;
/// The time that the kernel takes to end a process.
const SWEEP_PAUSE: Duration = Duration::from_millis(5);

/// Starts programs of one team.
#[derive(Debug, Clone)]
pub struct HeldPrograms {
    sandbox: TeamSandbox,
    root: PathBuf,
    team_dir: PathBuf,
    environment: Vec<(String, String)>,
    leftovers: Leftovers,
}

impl HeldPrograms {
    /// Starts them in the workspace `root` of the team in `team_dir`, with this environment. What gets away where nothing holds
    /// it ends with the `leftovers`.
    pub fn new(
        sandbox: TeamSandbox,
        (root, team_dir): (&Path, &Path),
        environment: Vec<(String, String)>,
        leftovers: Leftovers,
    ) -> Self {
        Self {
            sandbox,
            root: root.to_owned(),
            team_dir: team_dir.to_owned(),
            environment,
            leftovers,
        }
    }

    /// The whole environment of a program: what it names itself wins.
    fn environment(&self, own: &[(String, String)], run: &Mark) -> Vec<(String, String)> {
        let marks = [run, &Mark::of_team(&self.team_dir)];
        let marks = marks.map(|mark| mark.in_environment(&self.environment));
        let mut all = for_members(&self.environment);
        all.retain(|(name, _)| own.iter().all(|(named, _)| named != name));
        all.extend(own.iter().cloned().chain(marks));
        all
    }
}

impl ProgramStarter for HeldPrograms {
    fn start(&self, order: &ProgramOrder) -> Result<RunningProgram, ProgramError> {
        if let Some(gap) = self.sandbox.gap() {
            return Err(ProgramError::Unheld(gap.to_string()));
        }
        let run = Mark::of_run();
        let environment = self.environment(&order.environment, &run);
        let dir = order.directory.as_deref().unwrap_or(&self.root);
        let program = find_program(&order.command, dir, &environment)
            .ok_or_else(|| ProgramError::NotFound(order.command.clone()))?;
        let program = program.to_string_lossy().into_owned();
        let arguments = order.arguments.iter().map(String::as_str);
        let words: Vec<&str> = [&*program].into_iter().chain(arguments).collect();
        let (theirs, input) = io::pipe().map_err(|error| refused(&error))?;
        let (output, writer) = io::pipe().map_err(|error| refused(&error))?;
        let (errors, errors_writer) = io::pipe().map_err(|error| refused(&error))?;
        let command = HeldCommand {
            owner: Owner::Program(order),
            words: &words,
            input: Some(theirs),
            output: writer,
            errors: Some(errors_writer.as_fd()),
            dir,
            dirs: (&self.root, &self.team_dir),
            sandbox: &self.sandbox,
            judge: Some(Arc::new(RuledHosts(order.network.clone()))),
        };
        let census = Arc::new(ProcessCensus::of(run.clone()));
        let group = CommandProcesses::start(
            &command,
            environment.into_iter(),
            run,
            self.leftovers.clone(),
        )
        .map_err(|failure| ProgramError::Wall(failure.to_string()))?;
        Ok(RunningProgram {
            input,
            output,
            errors,
            life: Box::new(Life(group)),
            census,
        })
    }
}

fn refused(error: &io::Error) -> ProgramError {
    ProgramError::Io(error.to_string())
}

/// The program's file: a path as it is from this directory, a name from the `PATH` of its environment.
pub fn find_program(
    command: &str,
    dir: &Path,
    environment: &[(String, String)],
) -> Option<PathBuf> {
    let is_program = |path: &Path| {
        path.metadata()
            .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    if command.contains('/') {
        return Some(dir.join(command)).filter(|path| is_program(path));
    }
    let (_, path) = environment.iter().rfind(|(name, _)| name == "PATH")?;
    env::split_paths(path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(command))
        .find(|path| is_program(path))
}

struct Life(CommandProcesses);

impl ProgramLife for Life {
    fn ended(&mut self) -> BoxFuture<'_, ProgramEnd> {
        Box::pin(async {
            match self.0.ended().await {
                Ok(Ended::Program(status)) => ProgramEnd::Exited(status.code()),
                Ok(Ended::Limit(limit)) => ProgramEnd::Limit(limit.to_string()),
                Ok(Ended::Killed) => ProgramEnd::Killed,
                Err(failure) => ProgramEnd::NotStarted(ProgramError::Wall(failure.to_string())),
            }
        })
    }

    fn ask_to_stop(&self) {
        self.0.ask_to_stop();
    }

    fn kill(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.0.kill())
    }
}

/// Connects to the hosts that rules allow, and asks nobody.
struct RuledHosts(Rules);

impl Judge for RuledHosts {
    fn judge<'a>(&'a self, to: &'a Destination) -> Verdict<'a> {
        let target = Target::Host(to.clone());
        let verdict = self.0.decide(Mode::Ask, NET, EffectClass::Calls, &target);
        let verdict = match verdict {
            RuleVerdict::Allow if self.0.name_host(NET, to) => Ok(Reach::Anywhere),
            RuleVerdict::Allow => Ok(Reach::Public),
            RuleVerdict::Deny(rule) => Err(format!("{to}: {} forbids it", rule.describe())),
            RuleVerdict::Ask => Err(format!("{to}: this program's settings do not list it")),
        };
        Box::pin(async move { verdict })
    }

    fn failed(&self, _: &Destination, _: &str) {}
}

fn number(process: Pid) -> u32 {
    process.as_raw_nonzero().get().unsigned_abs()
}

/// Finds the processes of one program by the mark of its run.
#[derive(Debug)]
struct ProcessCensus(Mark);

impl ProcessCensus {
    fn of(run: Mark) -> Self {
        Self(run)
    }
}

impl Census for ProcessCensus {
    fn count(&self) -> Option<ProgramUse> {
        let mut found = ProgramUse::default();
        for process in table::beside(&self.0.processes()) {
            // One that has ended meanwhile, or whose memory nobody may look at, uses nothing that is known.
            found.memory_bytes += table::memory_of(process).unwrap_or_default();
            found.processes += 1;
        }
        cfg!(target_os = "linux").then_some(found)
    }

    fn processes(&self) -> Option<Vec<u32>> {
        let all = table::beside(&self.0.processes()).into_iter();
        cfg!(target_os = "linux").then(|| all.map(number).collect())
    }

    fn end_others(&self, kept: &[u32]) -> Option<u32> {
        let mut ended = BTreeSet::new();
        for _ in 0..SWEEPS_MAX {
            let all = table::beside(&self.0.processes()).into_iter();
            let others: Vec<Pid> = all.filter(|it| !kept.contains(&number(*it))).collect();
            if others.is_empty() {
                let count = u32::try_from(ended.len()).unwrap_or(u32::MAX);
                return cfg!(target_os = "linux").then_some(count);
            }
            for process in others {
                ended.insert(number(process));
                // It may have ended by itself.
                let _ = kill_process(process, Signal::KILL);
            }
            thread::sleep(SWEEP_PAUSE);
        }
        None
    }

    fn running(&self, text: &str) -> Option<u32> {
        let all = table::beside(&self.0.processes());
        let is_so = |process: &_| table::command_line(*process).contains(text);
        let count = all.iter().filter(|process| is_so(process)).count();
        cfg!(target_os = "linux").then_some(u32::try_from(count).unwrap_or(u32::MAX))
    }
}
