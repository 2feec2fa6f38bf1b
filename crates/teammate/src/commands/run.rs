//! `teammate run`: one job, then exit.

use std::{io::Read as _, process::ExitCode, time::Instant};

use clap::Args;
use teammate::{Ending, Team};
use tokio::signal::unix::{SignalKind, signal};

use super::{Ended, Place, exit_code, say_json, standing};
use crate::screen::{Live, OutputFormat, cost_line, put, result};

/// Give the lead one job and exit when it is done and nobody works
#[derive(Args)]
pub(crate) struct Run {
    /// The job; read from standard input if it is '-'
    prompt: String,

    /// What is printed
    #[arg(long, value_enum, default_value_t)]
    output_format: OutputFormat,

    #[command(flatten)]
    answers: Answers,
}

/// What becomes of questions where nobody sits at a prompt.
#[derive(clap::Args)]
pub(super) struct Answers {
    /// What becomes of questions: refuse them at once, or wait for `teammate approve` from another terminal
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    answers: HowAnswered,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum HowAnswered {
    /// Nobody can be asked
    #[default]
    Refuse,
    /// Somebody answers from another terminal
    Wait,
}

impl Answers {
    /// Whether somebody answers.
    pub(super) fn are_awaited(&self) -> bool {
        self.answers == HowAnswered::Wait
    }
}

impl Run {
    pub(crate) async fn run(self, place: Place) -> Ended {
        let prompt = match self.prompt.as_str() {
            "-" => read_stdin()?,
            _ => self.prompt,
        };
        if prompt.trim().is_empty() {
            anyhow::bail!("the job is empty: say what the lead shall do");
        }
        let team = place
            .options
            .builder(self.answers.are_awaited())?
            .waits_for_answers(self.answers.are_awaited())
            .prepare()
            .await?;
        job(team, Some(&prompt), self.output_format).await
    }
}

fn read_stdin() -> anyhow::Result<String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    Ok(text)
}

/// Runs a prepared team until it rests, with or without a new prompt, shows it, and closes it.
pub(super) async fn job(team: Team, prompt: Option<&str>, format: OutputFormat) -> Ended {
    let begun = Instant::now();
    for notice in team.notices() {
        warn(notice);
    }
    for line in standing::at_opening(&team, prompt.is_none()).await {
        warn(&line);
    }
    let screen = tokio::spawn(Live::new(format).follow(team.events()));
    let ending = until_rest(&team, prompt).await;
    let prices = team.prices().clone();
    team.close().await;
    // The feed has ended, so this does.
    let _ = screen.await;
    let ending = ending?;
    let code = exit_code(&ending.how, ending.tally.total().refused);
    match format {
        OutputFormat::Text => {
            if let Some(line) = cost_line(&ending.spent, &prices) {
                put(&mut std::io::stderr(), &format!("{line}\n"));
            }
        }
        OutputFormat::Json | OutputFormat::StreamJson => {
            say_json(&result(&ending, &prices, code, begun.elapsed().as_millis()));
        }
    }
    Ok(ExitCode::from(code))
}

/// Whoever leaves before the job is done pauses the team: turns, tasks and plans go on another day.
async fn until_rest(team: &Team, prompt: Option<&str>) -> anyhow::Result<Ending> {
    let feed = team.events();
    // Heard before the members begin, so that an old unfinished turn and the new job are one.
    team.start().await?;
    if let Some(prompt) = prompt {
        team.say("lead", prompt).await?;
    }
    let mut terminate = signal(SignalKind::terminate())?;
    let closing = team.asked_to_close();
    let leaves = async {
        tokio::select! {
            () = closing => warn("the team was paused from another terminal; `teammate resume` goes on"),
            _ = tokio::signal::ctrl_c() => warn("interrupted: the team is paused; `teammate resume` goes on"),
            _ = terminate.recv() => {}
        }
    };
    Ok(team.ending_unless(feed, leaves).await)
}

fn warn(text: &str) {
    let line = format!("note: {}\n", crate::screen::clean(text));
    put(&mut std::io::stderr(), &line);
}
