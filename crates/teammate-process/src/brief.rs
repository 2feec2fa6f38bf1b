//! A program from its start to its end, in bounded time: what it reads goes in, what it prints is kept up to a limit, and nothing
//! of it is left.

use std::{io, sync::Arc, time::Duration};

use teammate_core::port::{ProgramEnd, ProgramLife, ProgramOrder, ProgramStarter, RunningProgram};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::unix::pipe,
    time::{Instant, timeout, timeout_at},
};

/// The most bytes that it may print on each of its streams.
const PRINTED_BYTES_MAX: usize = 64 * 1024;

/// How long what its children still print is waited for after its end.
const OUTPUT_AFTER_EXIT: Duration = Duration::from_millis(50);

/// A program, ready to run.
pub struct Brief {
    pub programs: Arc<dyn ProgramStarter>,
    pub order: ProgramOrder,
    /// The input of the program.
    pub told: Arc<[u8]>,
    /// How long it may run.
    pub limit: Duration,
}

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BriefEnd {
    /// By itself.
    Exited {
        /// With this code; none if a signal ended it.
        code: Option<i32>,
        stdout: String,
        /// The beginning of what it complained of.
        stderr: String,
    },
    /// It was not run to its end, and why.
    Failed(String),
}

impl Brief {
    /// Runs it. Dropped, it is killed with all that it started.
    pub async fn end(self) -> BriefEnd {
        let until = Instant::now() + self.limit;
        let started = self.programs.start(&self.order);
        let (mut life, mut streams) = match started.map_err(|error| error.to_string()) {
            Ok(running) => match ProgramStreams::of(running) {
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
struct ProgramStreams {
    /// `None` once it has read all, or wants no more.
    input: Option<pipe::Sender>,
    output: KeptOutput,
    errors: KeptOutput,
}

impl ProgramStreams {
    fn of(running: RunningProgram) -> Result<(Box<dyn ProgramLife>, Self), String> {
        let RunningProgram {
            input,
            output,
            errors,
            life,
            census: _,
        } = running;
        let open = || -> io::Result<Self> {
            Ok(Self {
                input: Some(pipe::Sender::from_owned_fd(input.into())?),
                output: KeptOutput::new(output)?,
                errors: KeptOutput::new(errors)?,
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

/// The output of a program on one of its streams: the beginning is kept, all of it is read.
struct KeptOutput {
    /// `None` once it is closed.
    pipe: Option<pipe::Receiver>,
    kept: Vec<u8>,
    is_too_long: bool,
}

impl KeptOutput {
    fn new(pipe: io::PipeReader) -> io::Result<Self> {
        Ok(Self {
            pipe: Some(pipe::Receiver::from_owned_fd(pipe.into())?),
            kept: Vec::new(),
            is_too_long: false,
        })
    }

    /// Reads once; never ready when it is closed.
    async fn read(&mut self) {
        let Some(pipe) = &mut self.pipe else {
            return std::future::pending().await;
        };
        let mut chunk = [0; 8 * 1024];
        match pipe.read(&mut chunk).await {
            Ok(0) | Err(_) => self.pipe = None,
            Ok(count) => {
                let room = PRINTED_BYTES_MAX - self.kept.len();
                self.is_too_long |= count > room;
                self.kept.extend_from_slice(&chunk[..count.min(room)]);
            }
        }
    }

    /// Reads until it is closed.
    async fn rest(&mut self) {
        while self.pipe.is_some() {
            self.read().await;
        }
    }

    fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// The kept text.
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.kept).into_owned()
    }
}
