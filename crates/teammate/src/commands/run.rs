//! `teammate run`: one job, then exit.

use std::{io::Read as _, process::ExitCode, time::Instant};

use clap::Args;
use teammate::{Conversation, ConversationId, Ending, Ephemeral, How, Team, TeamBuilder};
use tokio::signal::unix::{SignalKind, signal};

use super::{Ended, Place, exit_code, say_json};
use crate::{
    screen::{Live, OutputFormat, cost_line, put, result},
    settings::user_dirs,
};

/// Give the lead one job and exit when it is done and nobody works
///
/// The lead begins a new conversation; roster, board and the teammates' memories stay. What an earlier job left unfinished stays
/// paused and is named.
#[derive(Args)]
pub(crate) struct Run {
    /// The job; read from standard input if it is '-'
    prompt: String,

    /// What is printed
    #[arg(long, value_enum, default_value_t)]
    output_format: OutputFormat,

    #[command(flatten)]
    conversation: InConversation,

    /// Leave nothing behind: the team lives in a temporary directory and is removed at the end, but for worktrees with work that
    /// is not merged, which are named
    #[arg(long, conflicts_with_all = ["InConversation", "answers", "team"])]
    ephemeral: bool,

    #[command(flatten)]
    answers: Answers,
}

/// Which of the lead's conversations goes on. A new one, if nothing is said.
#[derive(clap::Args)]
#[group(multiple = false)]
struct InConversation {
    /// Go on with the lead's last conversation; without it the job begins a new one
    #[arg(short, long)]
    r#continue: bool,

    /// Go on with an earlier conversation; `teammate conversations` lists them
    #[arg(long, value_name = "ID")]
    conversation: Option<ConversationId>,
}

impl From<InConversation> for Conversation {
    fn from(said: InConversation) -> Self {
        match said.conversation {
            Some(id) => Self::Number(id),
            None if said.r#continue => Self::Last,
            None => Self::Fresh,
        }
    }
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
        let builder = place
            .options
            .builder(self.answers.are_awaited())?
            .conversation(self.conversation.into())
            .waits_for_answers(self.answers.are_awaited());
        if self.ephemeral {
            return ephemeral(builder, &place, &prompt, self.output_format).await;
        }
        job(builder.prepare().await?, Some(&prompt), self.output_format).await
    }
}

fn read_stdin() -> anyhow::Result<String> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    Ok(text)
}

/// Runs a team that lives only as long as its job.
async fn ephemeral(
    builder: TeamBuilder,
    place: &Place,
    prompt: &str,
    format: OutputFormat,
) -> Ended {
    let user = user_dirs();
    let abandoned = Ephemeral::end_abandoned(&place.dir, &user).await;
    abandoned.iter().for_each(|text| warn(text));
    let run = Ephemeral::begin(&place.dir)?;
    let ended = match builder.at(run.place()).prepare().await {
        Ok(team) => job(team, Some(prompt), format).await,
        Err(error) => Err(error.into()),
    };
    run.end(&user).await.iter().for_each(|text| warn(text));
    ended
}

/// Runs a prepared team until it rests, with or without a new prompt, shows it, and closes it.
pub(super) async fn job(team: Team, prompt: Option<&str>, format: OutputFormat) -> Ended {
    let begun = Instant::now();
    for notice in team.notices() {
        warn(notice);
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

/// The first Ctrl-C interrupts every turn, the second leaves at once.
async fn until_rest(team: &Team, prompt: Option<&str>) -> anyhow::Result<Ending> {
    let feed = team.events();
    // Heard before the members begin, so that an old unfinished turn and the new job are one.
    team.start().await?;
    if let Some(prompt) = prompt {
        team.say("lead", prompt).await?;
    }
    let mut terminate = signal(SignalKind::terminate())?;
    let mut is_interrupted = false;
    let ending = team.ending(feed);
    let closing = team.asked_to_close();
    tokio::pin!(ending, closing);
    let mut ending = loop {
        tokio::select! {
            // Who is stopped rests, too: that is not the end of the job.
            biased;
            () = &mut closing => {
                warn("the team was stopped from another terminal; `teammate resume` goes on");
                break interrupted(team);
            }
            ending = &mut ending => break ending,
            _ = tokio::signal::ctrl_c(), if !is_interrupted => {
                is_interrupted = true;
                team.hurry();
                team.interrupt_all().await;
            }
            _ = tokio::signal::ctrl_c(), if is_interrupted => break interrupted(team),
            _ = terminate.recv() => break interrupted(team),
        }
    };
    if is_interrupted {
        ending.how = How::Interrupted;
    }
    Ok(ending)
}

fn interrupted(team: &Team) -> Ending {
    Ending {
        how: How::Interrupted,
        text: String::new(),
        tally: teammate::Tally::default(),
        spent: team.spent_now(),
    }
}

fn warn(text: &str) {
    let line = format!("note: {}\n", crate::screen::clean(text));
    put(&mut std::io::stderr(), &line);
}
