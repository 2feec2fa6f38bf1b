//! Failures on standard error, and exit codes.

use std::process::ExitCode;

use teammate::{RunOutcome, TeamError};
use teammate_view::{language::translated_sentence, t};

use super::{bare_job, features, translated_help};
use crate::{
    hint::hint,
    screen::{Style, clean, print_error_text, write_clean},
};

/// The command line was parsed, but cannot be carried out.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct UsageError(pub(crate) String);

/// Output was lost, so the caller cannot rely on the command's result.
pub(super) fn lost(why: &std::io::Error) -> ExitCode {
    error_line(&format!(
        "standard output could not be written: {why}. `teammate log` shows what the team said and did"
    ));
    ExitCode::from(1)
}

/// Prints what is wrong with the command line, or the help that it asks for.
pub(super) fn print_usage_error(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        let said = translated_help::translated_error(&error.render().to_string());
        write_clean(&mut std::io::stderr(), &said);
        let is_job = || bare_job::looks_like_a_job(error);
        let job = || is_job().then(|| "to give the lead a job: teammate run \"...\"".to_owned());
        if let Some(hint) = features::missing(error).or_else(job) {
            let hint = translated_sentence(&hint).into_owned();
            write_clean(&mut std::io::stderr(), &format!("{} {hint}\n", t("hint:")));
        }
    } else {
        // Help and version are our own words.
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Prints the error and a hint on standard error. The exit code that belongs to it.
pub(super) fn print_error(error: &anyhow::Error) -> ExitCode {
    let style = Style::for_stderr();
    error_line(&translated_sentence(&format!("{error:#}")));
    let of_team = error.downcast_ref::<TeamError>();
    if let Some(hint) = of_team.and_then(hint) {
        print_error_text(&format!(
            "{} {}\n",
            style.dim(t("hint:")),
            translated_sentence(&hint)
        ));
    }
    ExitCode::from(match of_team {
        Some(error) if error.is_of_disk() => 6,
        Some(_) | None if error.is::<UsageError>() => 2,
        Some(_) | None => 1,
    })
}

/// Prints a line `error: ...` on standard error.
pub(super) fn error_line(what: &str) {
    let what = clean(what);
    let word = Style::for_stderr().bad(t("error:"));
    print_error_text(&format!("{word} {what}\n"));
}

/// Prints a line `note: ...` on standard error.
pub(super) fn note(text: &str) {
    let style = Style::for_stderr();
    let text = clean(text);
    print_error_text(&format!("{} {text}\n", style.dim(t("note:"))));
}

/// The exit code of a job. 124 is what `timeout` gives, 130 what a shell gives for an interrupt.
pub(crate) fn exit_code(how: &RunOutcome, refused: u64) -> u8 {
    match how {
        RunOutcome::Done if refused > 0 => 4,
        RunOutcome::Done => 0,
        RunOutcome::Failed(_) => 3,
        RunOutcome::Limit(_) => 5,
        RunOutcome::Storage(_) => 6,
        RunOutcome::Unfinished(_) => 7,
        RunOutcome::GoalMissed(_) => 8,
        RunOutcome::TimedOut(_) => 124,
        RunOutcome::Interrupted => 130,
    }
}
