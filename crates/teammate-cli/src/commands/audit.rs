//! `teammate audit`: who allowed what, and whether the record of it is whole.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use teammate::{
    Timestamp,
    audit::{AllowedBy, AuditEvent, AuditRecord, AuditTrail, AuditedAction, Surface},
};

use super::{CliContext, CliResult, SharedOptions, Verb, print_line};
use crate::{
    screen::{Local, Style, clean, clean_json, clean_line, past_moment},
    settings::user_dirs,
};

/// Show who allowed what in the team: every command whole, with its exit
///
/// The audit log is in your state directory, also when the team's own directory is gone. Of a team on NATS servers it has what was
/// allowed and answered on this machine. `audit verify` finds lines that were changed or removed.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Audit {
    /// Only entries since WHEN: 45s, 10m, 2h or 3d ago, or a day or time like 2026-11-22T14:05
    #[arg(long, value_name = "WHEN", value_parser = past_moment)]
    since: Option<Timestamp>,

    /// Print one JSON object per entry
    #[arg(long)]
    json: bool,

    #[command(subcommand)]
    action: Option<AuditCommand>,
}

#[derive(Subcommand)]
enum AuditCommand {
    /// Check that no line was changed, removed, added or moved; exits with 1 if one was
    Verify,
}

impl Verb for Audit {
    const SHARED: SharedOptions = SharedOptions::OfPlace(&[]);

    async fn run(self, place: &CliContext) -> CliResult {
        let trail = trail(place)?;
        if let Some(AuditCommand::Verify) = self.action {
            return verify(&trail);
        }
        let style = Style::for_stdout();
        let mut is_empty = true;
        trail.read(|line, record| {
            if self.since.is_some_and(|since| record.entry.at < since) {
                return;
            }
            is_empty = false;
            match self.json {
                true => print_line(clean_json(line)),
                false => lines_of(&record, &style).into_iter().for_each(print_line),
            }
        })?;
        if is_empty && !self.json {
            print_line("Nothing is recorded here");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The trail of the team on servers that is meant, or else of the one in files.
fn trail(place: &CliContext) -> anyhow::Result<AuditTrail> {
    match place.audit_on_servers()? {
        Some(trail) => Ok(trail),
        None => Ok(AuditTrail::of(place.team(), &user_dirs())?),
    }
}

fn verify(trail: &AuditTrail) -> CliResult {
    let found = trail.verify()?;
    for problem in &found.problems {
        print_line(clean(problem));
    }
    let since = found
        .since
        .map_or_else(String::new, |since| format!(" since {}", date_time(since)));
    let entries = found.entries;
    if found.problems.is_empty() {
        print_line(format!(
            "{entries} entries{since}: whole, as they were written"
        ));
        return Ok(ExitCode::SUCCESS);
    }
    print_line(format!(
        "The audit log is damaged: {}",
        clean(&trail.path().display().to_string())
    ));
    Ok(ExitCode::from(1))
}

fn date_time(at: Timestamp) -> String {
    let local = Local::at(at);
    format!("{} {local}", local.day())
}

/// When, who and what in a line; below it what was shown, whole.
fn lines_of(record: &AuditRecord, style: &Style) -> Vec<String> {
    let entry = &record.entry;
    let member = entry.member.as_ref();
    let member = member.map_or_else(String::new, |member| format!("{member} "));
    let (what, shown) = sentence(&entry.what);
    let first = format!(
        "{} {}{}",
        style.dim(&date_time(entry.at)),
        style.bold(&member),
        clean_line(&what)
    );
    let shown = shown
        .lines()
        .map(|line| format!("    {}", clean_line(line)));
    std::iter::once(first).chain(shown).collect()
}

/// The event as a sentence, and the text that a person was shown for it.
fn sentence(what: &AuditEvent) -> (String, &str) {
    match what {
        AuditEvent::Opened {
            version,
            workspace,
            mode,
            sandbox,
            policy,
        } => {
            let policy = policy.as_ref();
            let policy = policy.map_or_else(String::new, |path| format!(", policy {path}"));
            let text = format!(
                "team opened in {workspace}: mode {mode}, sandbox {sandbox}{policy}, version {version}"
            );
            (text, "")
        }
        AuditEvent::Closed => ("team closed".to_owned(), ""),
        AuditEvent::Allowed { action, by } => {
            let by = match by {
                AllowedBy::Mode { mode } => format!("the mode '{mode}'"),
                AllowedBy::Rules { rules } => rules.join(", "),
                AllowedBy::Setting { setting } => format!("the setting {setting}"),
                AllowedBy::Answer { request } => format!("the answer to {request}"),
            };
            (
                format!("{} allowed by {by}{}", action.tool, apart(action)),
                &action.shows,
            )
        }
        AuditEvent::Refused { action, why } => (
            format!("{} refused: {why}{}", action.tool, apart(action)),
            &action.shows,
        ),
        AuditEvent::HookRefused { hook, shows, why } => {
            (format!("refused by a hook at {hook}: {why}"), shows)
        }
        AuditEvent::Ended {
            tool,
            ok,
            exit,
            took_ms,
            call: _,
        } => {
            let how = match (exit, ok) {
                (Some(exit), _) => format!("ended with exit code {exit}"),
                (None, true) => "succeeded".to_owned(),
                (None, false) => "failed or was stopped".to_owned(),
            };
            (format!("{tool} {how} after {took_ms} ms"), "")
        }
        AuditEvent::JobEnded {
            job,
            title,
            exit,
            end,
        } => {
            let exit = exit.map_or_else(String::new, |exit| format!(", exit code {exit}"));
            (
                format!("background command {job} ended: {end}{exit}"),
                title,
            )
        }
        AuditEvent::Answered {
            request,
            kind,
            shows,
            yes,
            always,
            rule,
            by,
            surface,
            digest: _,
        } => {
            let answer = match (yes, always, rule) {
                (true, true, Some(rule)) => &*format!("yes, always '{rule}',"),
                (true, true, None) => "yes, always",
                (true, false, _) => "yes",
                (false, _, _) => "no",
            };
            let surface = match surface {
                Surface::Host => "in the program that runs the team",
                Surface::OtherProcess => "from another process",
                Surface::McpClient => "by an MCP client",
                Surface::Tool => "by a tool",
            };
            (
                format!("{by} answered {answer} to {request} ({kind}) {surface}"),
                shows,
            )
        }
        AuditEvent::ModeChosen { mode, before } => (
            format!("the user changed the mode from '{before}' to '{mode}'"),
            "",
        ),
        AuditEvent::Trusted { what } => (format!("the user trusted {what}"), ""),
        AuditEvent::Purged { what } => (format!("removed as old: {what}"), ""),
    }
}

/// Place and digest of a call, to tell it from similar ones.
fn apart(action: &AuditedAction) -> String {
    format!(
        " ({}, digest {:.12})",
        action.place,
        action.digest.to_string()
    )
}
