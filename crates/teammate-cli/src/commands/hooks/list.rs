//! `teammate hooks list`: the hooks that count here, without running any.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use teammate::hooks::{FoundHooks, HookEntry, HookOrigin};

use super::found;
use crate::{
    commands::{CliContext, CliResult, print_json, print_line},
    next_steps::wording,
    screen::{Style, clean_line},
};

/// List the hooks that count here, without running any
#[derive(Args)]
pub(super) struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(self, place: &CliContext) -> CliResult {
        let found = found(place)?;
        if self.json {
            print_json(&json_of(&found));
            return Ok(ExitCode::SUCCESS);
        }
        for line in lines(&found, Style::for_stdout()) {
            print_line(line);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// All of them, and what the user should know.
pub(in crate::commands) fn lines(found: &FoundHooks, style: Style) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for hook in &found.hooks {
        let HookEntry {
            event,
            matcher,
            command,
            origin,
            ..
        } = &hook.entry;
        let matcher = match matcher.as_str() {
            "" => String::new(),
            matcher => format!(" ({})", clean_line(matcher)),
        };
        let event = style.bold(event.name());
        lines.push(format!("{event}{matcher}  {}", clean_line(command)));
        let about = format!(
            "  {}; from {}",
            terms(&hook.entry),
            clean_line(&origin.describe())
        );
        lines.push(style.dim(&about));
    }
    let step = wording().words(&teammate::NextStep::TrustProject);
    let untrusted = found.untrusted_notice(&step);
    if lines.is_empty() && untrusted.is_none() {
        lines
            .push("No hooks. They stand in hooks.json of your configuration directory.".to_owned());
    }
    let notices = found.notices.iter().chain(&untrusted);
    lines.extend(notices.map(|notice| format!("note: {}", clean_line(notice))));
    lines
}

/// How long it may take, and what else is agreed.
fn terms(hook: &HookEntry) -> String {
    let mut terms = format!("at most {} s", hook.limit.as_secs_f32());
    if hook.required {
        terms.push_str(", required");
    }
    if !hook.network.allow.is_empty() {
        let hosts = clean_line(&hook.hosts.join(", "));
        terms.push_str(&format!(", connects to {hosts}"));
    }
    terms
}

fn json_of(found: &FoundHooks) -> Value {
    let hooks = found.hooks.iter().map(|hook| {
        let entry = &hook.entry;
        json!({
            "event": entry.event.name(),
            "matcher": entry.matcher.as_str(),
            "command": entry.command,
            "timeout": entry.limit.as_secs_f64(),
            "required": entry.required,
            "network": entry.hosts,
            "origin": origin_word(&entry.origin),
            "from": entry.origin.describe(),
        })
    });
    json!({
        "hooks": hooks.collect::<Value>(),
        "untrusted": found.has_untrusted,
        "notices": found.notices,
    })
}

fn origin_word(origin: &HookOrigin) -> &'static str {
    match origin {
        HookOrigin::User(_) => "user",
        HookOrigin::Project(_) => "project",
        HookOrigin::Plugin(_) => "plugin",
    }
}
