//! `teammate run`: one job, then exit.

mod deadline;
mod expected;
mod stdin;

use std::{
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use clap::Args;
use teammate::{Ending, How, Team};
use tokio::signal::unix::{SignalKind, signal};

use self::{
    deadline::Deadline,
    expected::{Expected, Flaw, SchemaFile},
};
use super::{Ended, Place, UsageError, error_line, exit_code, say, say_json};
use crate::screen::{JobResult, Live, OutputFormat, cost_line, put, why};

/// Give the lead one job and exit when it is done and nobody works
#[derive(Args)]
pub(crate) struct Run {
    /// The job; read from standard input if it is '-'. Otherwise what comes on standard input is added to it, if that is no
    /// terminal
    prompt: String,

    #[command(flatten)]
    headless: Headless,
}

/// How a team works where nobody sits at a prompt.
#[derive(Args)]
pub(super) struct Headless {
    /// What is printed
    #[arg(long, value_enum, default_value_t)]
    pub(super) output_format: OutputFormat,

    /// What becomes of questions: refuse them at once, or wait for `teammate approve` from another terminal
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    answers: HowAnswered,

    /// End after this time with exit code 124, in seconds or as 90s, 10m, 2h; members pause, `teammate resume` goes on
    #[arg(
        long,
        value_name = "TIME",
        default_value = "0",
        hide_default_value = true
    )]
    timeout: Deadline,

    /// The lead's last word must be JSON that fits the JSON Schema in this file; it is told so, and once what does not fit
    #[arg(long, value_name = "FILE")]
    output_schema: Option<SchemaFile>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum HowAnswered {
    /// Nobody can be asked
    #[default]
    Refuse,
    /// Somebody answers from another terminal
    Wait,
}

impl Run {
    pub(crate) async fn run(self, place: Place) -> Ended {
        let prompt = stdin::job(self.prompt).await?;
        if prompt.trim().is_empty() {
            let what = "the job is empty: say what the lead shall do";
            return Err(UsageError(what.to_owned()).into());
        }
        let team = self.headless.prepare(&place).await?;
        self.headless.job(team, Some(&prompt)).await
    }
}

impl Headless {
    /// Opens the team; nobody works yet.
    pub(super) async fn prepare(&self, place: &Place) -> anyhow::Result<Team> {
        let are_awaited = self.answers == HowAnswered::Wait;
        let builder = place.options.headless_builder(are_awaited)?;
        Ok(builder.waits_for_answers(are_awaited).prepare().await?)
    }

    /// Runs a prepared team until it rests, with or without a new job, shows it, and closes it.
    pub(super) async fn job(self, team: Team, prompt: Option<&str>) -> Ended {
        let begun = Instant::now();
        let expected = Expected::of(self.output_schema);
        for notice in team.notices() {
            warn(notice);
        }
        let live = Live::new(self.output_format);
        let live = if expected.is_value() {
            live.without_words()
        } else {
            live
        };
        let screen = tokio::spawn(live.follow(team.events()));
        let ended = until_rest(&team, prompt, self.timeout, &expected).await;
        let prices = team.prices().clone();
        team.close().await;
        // The feed has ended, so this does.
        let _ = screen.await;
        let (ending, flaw) = ended?;
        let code = exit_code(&ending.how, ending.tally.total().refused);
        let output = (ending.how == How::Done)
            .then(|| expected.value(&ending.text))
            .flatten();
        match self.output_format {
            OutputFormat::Text => {
                if let Some(output) = output {
                    say(crate::screen::clean_json(&output.to_string()));
                }
                if flaw.is_some() || is_untold(&ending.how) {
                    error_line(&why(&ending.how).unwrap_or_default());
                }
                if let Some(line) = cost_line(&ending.spent, &prices) {
                    put(&mut std::io::stderr(), &format!("{line}\n"));
                }
            }
            OutputFormat::Json | OutputFormat::StreamJson => {
                let result = JobResult {
                    ending: &ending,
                    prices: &prices,
                    exit_code: code,
                    took: begun.elapsed(),
                    output,
                };
                say_json(&result.json());
            }
        }
        Ok(ExitCode::from(code))
    }
}

/// Whether no event has told how the job ended.
fn is_untold(how: &How) -> bool {
    match how {
        How::Unfinished(_) | How::Storage(_) | How::TimedOut(_) => true,
        How::Done | How::Failed(_) | How::Limit(_) | How::Interrupted => false,
    }
}

/// Gives the lead its job and waits for a result that is what was expected; where it is not, the lead is asked once more. Returns
/// what is still wrong with it.
async fn until_rest(
    team: &Team,
    prompt: Option<&str>,
    deadline: Deadline,
    expected: &Expected,
) -> anyhow::Result<(Ending, Option<Flaw>)> {
    let mut watch = team.watch();
    let is_interrupted = AtomicBool::new(false);
    let cut = cut(team, deadline, &is_interrupted)?;
    tokio::pin!(cut);
    // Heard before the members begin, so that an old unfinished turn and the new job are one.
    team.start().await?;
    if let Some(prompt) = prompt {
        team.say("lead", &expected.told_with(prompt)).await?;
    }
    let mut ending = watch.ending(team, &mut cut).await;
    let is_done =
        |ending: &Ending| ending.how == How::Done && !is_interrupted.load(Ordering::SeqCst);
    let mut flaw = expected.flaw(&ending).filter(|_| is_done(&ending));
    if let Some(Flaw { asks, .. }) = &flaw {
        team.say("lead", asks).await?;
        ending = watch.ending(team, &mut cut).await;
        flaw = expected.flaw(&ending).filter(|_| is_done(&ending));
    }
    if is_interrupted.load(Ordering::SeqCst) {
        ending.how = How::Interrupted;
    } else if let Some(Flaw { why, .. }) = &flaw {
        ending.how = How::Failed(why.clone());
    }
    Ok((ending, flaw))
}

/// What ends a job before the team rests. The first Ctrl-C interrupts every turn, the second leaves at once.
fn cut(
    team: &Team,
    deadline: Deadline,
    is_interrupted: &AtomicBool,
) -> std::io::Result<impl Future<Output = How>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let closing = team.asked_to_close();
    let too_late = deadline.passes();
    Ok(async move {
        tokio::pin!(closing, too_late);
        loop {
            tokio::select! {
                biased;
                () = &mut closing => {
                    warn("the team was stopped from another terminal; `teammate resume` goes on");
                    return How::Interrupted;
                }
                interrupt = tokio::signal::ctrl_c() => {
                    if interrupt.is_err() || is_interrupted.swap(true, Ordering::SeqCst) {
                        return How::Interrupted;
                    }
                    team.hurry();
                    team.interrupt_all().await;
                }
                _ = terminate.recv() => return How::Interrupted,
                after = &mut too_late => return How::TimedOut(after),
            }
        }
    })
}

fn warn(text: &str) {
    let line = format!("note: {}\n", crate::screen::clean(text));
    put(&mut std::io::stderr(), &line);
}
