//! A program from its start to its end, in bounded time: what it reads goes in, what it prints is kept up to a limit, and nothing
//! of it is left.

mod printed;

use std::{sync::Arc, time::Duration};

use teammate_core::port::{ProgramEnd, ProgramLife, ProgramOrder, ProgramStarter, RunningProgram};
use tokio::{
    io::AsyncWriteExt as _,
    net::unix::pipe,
    time::{Instant, timeout, timeout_at},
};

use self::printed::Printed;

/// The most bytes that it may print on each of its streams.
const PRINTED_BYTES_MAX: usize = 64 * 1024;

/// How long what its children still print is waited for after its end.
const OUTPUT_AFTER_EXIT: Duration = Duration::from_millis(50);

/// A program, ready to run.
pub(crate) struct Brief {
    pub(crate) programs: Arc<dyn ProgramStarter>,
    pub(crate) order: ProgramOrder,
    /// What it reads.
    pub(crate) told: Arc<[u8]>,
    pub(crate) limit: Duration,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BriefEnd {
    /// By itself.
    Exited {
        /// With this code; none if a signal ended it.
        code: Option<i32>,
        /// What it printed.
        stdout: String,
        /// The beginning of what it complained of.
        stderr: String,
    },
    /// It was not run to its end, and why.
    Failed(String),
}

impl Brief {
    /// Runs it. Dropped, it is killed with all that it started.
    pub(crate) async fn end(self) -> BriefEnd {
        let until = Instant::now() + self.limit;
        let started = self.programs.start(&self.order);
        let (mut life, mut streams) = match started.map_err(|error| error.to_string()) {
            Ok(running) => match Streams::of(running) {
                Ok(parts) => parts,
                Err(error) => return not_run(&error),
            },
            Err(error) => return not_run(&error),
        };
        let answered = timeout_at(until, streams.answered(&mut *life, &self.told)).await;
        // What it left runs no longer than itself.
        life.kill().await;
        answered.unwrap_or_else(|_| {
            let limit = self.limit.as_secs_f32();
            BriefEnd::Failed(format!("it took longer than {limit} s"))
        })
    }
}

fn not_run(why: &str) -> BriefEnd {
    BriefEnd::Failed(format!("it was not run: {why}"))
}

fn too_long() -> BriefEnd {
    let most = PRINTED_BYTES_MAX / 1024;
    BriefEnd::Failed(format!("it printed more than {most} kB"))
}

/// Its streams.
struct Streams {
    /// `None` once it has read all, or wants no more.
    input: Option<pipe::Sender>,
    output: Printed,
    errors: Printed,
}

impl Streams {
    fn of(running: RunningProgram) -> Result<(Box<dyn ProgramLife>, Self), String> {
        let RunningProgram {
            input,
            output,
            errors,
            life,
            census: _,
        } = running;
        let open = || -> std::io::Result<Self> {
            Ok(Self {
                input: Some(pipe::Sender::from_owned_fd(input.into())?),
                output: Printed::new(output)?,
                errors: Printed::new(errors)?,
            })
        };
        let streams = open().map_err(|error| error.to_string())?;
        Ok((life, streams))
    }

    /// Tells the program and reads what it prints, until its end.
    async fn answered(&mut self, life: &mut dyn ProgramLife, told: &[u8]) -> BriefEnd {
        let ended = tokio::select! {
            ended = life.ended() => ended,
            () = self.talk(told) => return too_long(),
        };
        let rest = async { tokio::join!(self.output.rest(), self.errors.rest()) };
        // Children that it left may hold the pipes for long.
        let _ = timeout(OUTPUT_AFTER_EXIT, rest).await;
        match ended {
            ProgramEnd::Exited(_) if self.output.is_too_long() => too_long(),
            ProgramEnd::Exited(code) => BriefEnd::Exited {
                code,
                stdout: self.output.text(),
                stderr: self.errors.text(),
            },
            ProgramEnd::Limit(_) | ProgramEnd::Killed => BriefEnd::Failed(ended.to_string()),
            ProgramEnd::NotStarted(error) => not_run(&error.to_string()),
        }
    }

    /// Ends only if it prints too much.
    async fn talk(&mut self, mut told: &[u8]) {
        while !self.output.is_too_long() {
            tokio::select! {
                () = self.output.read() => {}
                () = self.errors.read() => {}
                is_told = feed(&mut self.input, &mut told) => {
                    if is_told {
                        // With our end of the pipe it reads the end.
                        self.input = None;
                    }
                }
            }
        }
    }
}

/// Writes some of what is left. True if that was all, or if nobody reads it: it need not.
async fn feed(input: &mut Option<pipe::Sender>, told: &mut &[u8]) -> bool {
    let Some(input) = input else {
        return std::future::pending().await;
    };
    match input.write(told).await {
        Ok(count) => {
            *told = &told[count..];
            told.is_empty()
        }
        Err(_) => true,
    }
}
