//! `teammate run`: one job, then exit.

mod conversation;
mod deadline;
mod job;
pub(super) mod stdin;

use std::{io::IsTerminal as _, process::ExitCode, time::Instant};

use clap::Args;
use teammate::{
    Conversation, Ephemeral, ExpectedResult, ResultSchema, RunOutcome, Team, TeamBuilder,
    UserMessage, contained::contained, handle::SetGoal,
};

use self::{
    conversation::InConversation,
    deadline::Deadline,
    job::{Finished, run_until_done},
};
use super::{
    CliContext, CliResult, SharedOptions, UsageError, Verb, attach::Attach, closing, error_line,
    exit_code, goal::Until, not_continuing, print_json, print_line, talk,
};
use crate::{
    screen::{
        EventPrinter, JobResult, OutputFormat, cost_line, lose_output, print_warning, why,
        write_clean,
    },
    settings::user_dirs,
};

/// Give the lead one job, and exit when it is done and no member works
///
/// The lead begins a new conversation; the teammates, their memories and the task board stay. Work that an earlier
/// job left unfinished stays paused, and the output names it.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Run {
    /// The job, or '-' to read it from standard input. Input that is piped in is added to the job
    #[arg(required = true)]
    prompt: Vec<String>,

    /// At a terminal this is the first message at the prompt, and no run: the verb was left out.
    #[arg(skip)]
    pub(super) opens_prompt: bool,

    #[command(flatten)]
    goal: Until,

    #[command(flatten)]
    attach: Attach,

    #[command(flatten)]
    conversation: InConversation,

    /// Leave nothing behind: keep the team in a temporary directory and remove it at the end. Only worktrees with
    /// unmerged work stay, and the output names them
    #[arg(long, conflicts_with_all = ["InConversation", "answers", "team"])]
    ephemeral: bool,

    #[command(flatten)]
    headless: Headless,
}

const AFTER_HELP: &str = "\
Examples:
  teammate run \"Fix the failing test in parser.rs\"
  git diff | teammate run \"Review this change\"       piped input is added to the job
  teammate run --continue \"Now add a test\"           the next job, in the same conversation
  teammate run --timeout 10m --output-format json \"...\"
  teammate run --until \"cargo test\" \"Make the tests green\"   go on until the check passes
  teammate run --answers wait \"...\"                  answer with `teammate approve` elsewhere";

/// The words of a job, and the goal that it is.
pub(super) type GivenJob = (UserMessage, Option<SetGoal>);

/// How a team works without a prompt.
#[derive(Args)]
pub(super) struct Headless {
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    pub(super) output_format: OutputFormat,

    /// What to do with permission questions and plans for you
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    answers: AnswerMode,

    /// Pause the team after this time and exit with 124: seconds, or 90s, 10m, 2h. `teammate resume` continues
    #[arg(
        long,
        value_name = "TIME",
        default_value = "0",
        hide_default_value = true
    )]
    timeout: Deadline,

    /// Require the lead's result to be JSON that fits the JSON Schema in this file. If it does not fit, the lead
    /// gets one more try
    #[arg(long, value_name = "FILE")]
    output_schema: Option<ResultSchema>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum AnswerMode {
    /// Refuse them at once: nobody can be asked
    #[default]
    Refuse,
    /// Wait for `teammate approve` or `teammate deny` from another terminal
    Wait,
}

impl Verb for Run {
    const SHARED: SharedOptions = SharedOptions::Opens;

    async fn run(self, place: &CliContext) -> CliResult {
        let has_goal = self.goal.until.is_some();
        let opens_prompt =
            self.opens_prompt && self.headless.fits_prompt() && !self.ephemeral && !has_goal;
        let prompt = stdin::job(self.prompt.join(" ")).await?;
        if prompt.trim().is_empty() {
            let what = "the job is empty: write what the lead should do";
            return Err(UsageError(what.to_owned()).into());
        }
        let goal = self.goal.goal(&prompt);
        let attachments = self.attach.read(&place.dir).await?;
        let job = UserMessage {
            text: goal.as_ref().map_or(prompt, SetGoal::words),
            attachments,
        };
        if opens_prompt {
            let conversation = self.conversation.at_prompt();
            return talk::run(place.clone(), conversation, Some(job)).await;
        }
        let builder = self.headless.builder(place, self.conversation.into())?;
        if self.ephemeral {
            return ephemeral(builder, place, self.headless, (job, goal)).await;
        }
        let team = builder.prepare().await?;
        self.headless.run_job(team, Some((job, goal))).await
    }
}

impl Headless {
    /// Whether there is a terminal for a prompt, and no flag wants what only a run does.
    fn fits_prompt(&self) -> bool {
        std::io::stdin().is_terminal()
            && std::io::stdout().is_terminal()
            && self.output_format == OutputFormat::Text
            && self.output_schema.is_none()
            && self.answers == AnswerMode::default()
            && self.timeout == Deadline::default()
    }

    /// The builder of the team, for this conversation of the lead.
    pub(super) fn builder(
        &self,
        place: &CliContext,
        conversation: Conversation,
    ) -> anyhow::Result<TeamBuilder> {
        let are_awaited = self.answers == AnswerMode::Wait;
        let builder = place.options.headless_builder(are_awaited)?;
        let schema = self.output_schema.as_ref().map(ResultSchema::text);
        Ok(builder
            .configure(|config| {
                config.result_schema = schema;
                // The team is hosted for this job only.
                config.fires_schedules = false;
            })
            .conversation(conversation)
            .waits_for_answers(are_awaited))
    }

    /// Runs a prepared team until it is idle, with or without a new job, shows it, and closes it.
    pub(super) async fn run_job(self, team: Team, job: Option<GivenJob>) -> CliResult {
        let begun = Instant::now();
        let expected = ExpectedResult::of(self.output_schema);
        for notice in team.warnings() {
            print_warning(notice);
        }
        let pause = team.changes().borrow().pause().cloned();
        if let Some(pause) = pause {
            closing::close(team).await;
            let how = pause.in_words();
            anyhow::bail!(
                "the team is {how}, so nobody would work; `teammate continue` has it go on"
            );
        }
        for line in not_continuing::at_opening(&team, job.is_none()).await {
            print_warning(&line);
        }
        let live = EventPrinter::new(self.output_format);
        let live = if expected.is_value() {
            live.without_words()
        } else {
            live
        };
        let screen = contained("what prints this run", live.follow(team.events()));
        let screen = tokio::spawn(screen);
        let ended = run_until_done(&team, job, self.timeout, &expected).await;
        let prices = team.prices().clone();
        closing::close(team).await;
        // The feed has ended, so this does.
        if let Ok(Err(bug)) = screen.await {
            lose_output(&bug.to_string());
        }
        let Finished {
            report: ending,
            flaw,
        } = ended?;
        let result = JobResult {
            exit_code: exit_code(&ending.outcome, ending.stats.total().refused),
            output: expected.output(&ending),
            took: begun.elapsed(),
            report: ending,
            prices,
        };
        let code = ExitCode::from(result.exit_code);
        match self.output_format {
            OutputFormat::Text => print_result(result, flaw.is_some()),
            OutputFormat::Json | OutputFormat::StreamJson => print_json(&result.json()),
        }
        Ok(code)
    }
}

/// Runs a team that exists only for its job.
async fn ephemeral(
    builder: TeamBuilder,
    place: &CliContext,
    headless: Headless,
    job: GivenJob,
) -> CliResult {
    let user = user_dirs();
    let abandoned = Ephemeral::end_abandoned(&place.dir, &user).await;
    abandoned.iter().for_each(|text| print_warning(text));
    let run = Ephemeral::begin(&place.dir)?;
    let ended = match builder.at(run.place()).prepare().await {
        Ok(team) => headless.run_job(team, Some(job)).await,
        Err(error) => Err(error.into()),
    };
    run.end(&user)
        .await
        .iter()
        .for_each(|text| print_warning(text));
    ended
}

/// Prints what neither the lead's answer nor the events have shown.
fn print_result(result: JobResult, is_flawed: bool) {
    if let Some(output) = result.output {
        print_line(crate::screen::clean_json(&output.to_string()));
    }
    let how = &result.report.outcome;
    if is_flawed || !is_shown_by_events(how) {
        error_line(&why(how).unwrap_or_default());
    }
    if let Some(line) = cost_line(&result.report.spent, &result.prices) {
        write_clean(&mut std::io::stderr(), &format!("{line}\n"));
    }
}

fn is_shown_by_events(how: &RunOutcome) -> bool {
    match how {
        RunOutcome::Done
        | RunOutcome::Failed(_)
        | RunOutcome::Limit(_)
        | RunOutcome::Interrupted => true,
        RunOutcome::Unfinished(_)
        | RunOutcome::GoalMissed(_)
        | RunOutcome::Storage(_)
        | RunOutcome::TimedOut(_) => false,
    }
}
