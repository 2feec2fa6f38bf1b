//! `teammate hooks test`: runs the hooks of an event that did not happen, and says what they would do.

use std::{path::Path, process::ExitCode};

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};
use teammate::{
    MemberName,
    hooks::{HookDecision, HookEnd, HookEvent, HookRun, HookSample, HookVerdict},
};

use crate::{
    commands::{CliContext, CliResult, note, print_json, print_line},
    screen::{Style, clean_block, clean_line},
};

/// Run the hooks of an event that did not happen, and say what they would do
///
/// They run as in a team: in the sandbox, with the same time. What they write in the workspace stays.
#[derive(Args)]
pub(super) struct Test {
    /// The event, such as PreToolUse or TeammateIdle
    event: String,

    /// Whose event it is [default: alice, or lead where only the lead has it]
    #[arg(long, value_name = "NAME")]
    member: Option<String>,

    /// The tool of the call, under any of its names
    #[arg(long, value_name = "NAME", default_value = "Bash")]
    tool: String,

    /// What the tool is called with, as a JSON object
    #[arg(long, value_name = "JSON")]
    input: Option<String>,

    /// Print what a hook reads, and run none
    #[arg(long)]
    show: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "show")]
    json: bool,
}

impl Test {
    pub(super) async fn run(self, place: &CliContext) -> CliResult {
        let event = event(&self.event)?;
        let sample = self.sample(event)?;
        if self.show {
            let workspace = place.dir.canonicalize()?;
            let call = sample.call(event, &workspace);
            print_json(&call.to_json(Path::new("transcript.jsonl")));
            return Ok(ExitCode::SUCCESS);
        }
        let hooks = place.options.outside_hooks().await?;
        let runs = hooks.run(&sample.call(event, &hooks.workspace)).await;
        let verdict = HookVerdict::of(event, &runs);
        if self.json {
            print_json(&json_of(event, &runs, &verdict));
            return Ok(ExitCode::SUCCESS);
        }
        for notice in &hooks.notices {
            note(notice);
        }
        show(event, &runs, &verdict);
        Ok(ExitCode::SUCCESS)
    }

    fn sample(&self, event: HookEvent) -> anyhow::Result<HookSample> {
        let input = match &self.input {
            Some(text) => serde_json::from_str(text).context("--input is not JSON")?,
            None => HookSample::input_of(&self.tool),
        };
        if !matches!(input, Value::Object(_)) {
            bail!("--input is no JSON object, such as {{\"command\": \"ls\"}}");
        }
        let of_lead = matches!(
            event,
            HookEvent::SessionStart
                | HookEvent::SessionEnd
                | HookEvent::UserPromptSubmit
                | HookEvent::Stop
        );
        let usual = if of_lead { "lead" } else { "alice" };
        let member = self.member.as_deref().unwrap_or(usual);
        Ok(HookSample {
            member: MemberName::parse(member)?,
            tool: self.tool.clone(),
            input,
        })
    }
}

fn event(name: &str) -> anyhow::Result<HookEvent> {
    if let Some(event) = HookEvent::parse(name) {
        return Ok(event);
    }
    let names: Vec<&str> = HookEvent::ALL.iter().map(|(_, name)| *name).collect();
    bail!("there is no event '{name}'; there are {}", names.join(", "))
}

fn show(event: HookEvent, runs: &[HookRun], verdict: &HookVerdict) {
    let style = Style::for_stdout();
    if runs.is_empty() {
        print_line(format!("No hook is for this {event}."));
        return;
    }
    for run in runs {
        print_line(format!(
            "{}  {}",
            style.bold(&clean_line(&run.hook)),
            end(run)
        ));
        if let HookEnd::Exited { stdout, stderr, .. } = &run.end {
            for (name, text) in [("stdout", stdout), ("stderr", stderr)] {
                if !text.trim().is_empty() {
                    print_line(style.dim(&format!("  {name}:")));
                    print_line(clean_block(text.trim_end(), "    "));
                }
            }
        }
    }
    let (word, why) = decision(&verdict.decision);
    print_line(format!("Together: {word}"));
    let halt = verdict
        .halt
        .as_ref()
        .map(|why| format!("The turn would end: {why}"));
    let more = why.map(str::to_owned).into_iter().chain(halt);
    for text in more.chain(verdict.fenced_context()) {
        print_line(clean_block(&text, "    "));
    }
    for text in &verdict.notes {
        note(text);
    }
}

fn end(run: &HookRun) -> String {
    let required = if run.required { " (required)" } else { "" };
    match &run.end {
        HookEnd::Exited {
            code: Some(code), ..
        } => format!("exit code {code}{required}"),
        HookEnd::Exited { code: None, .. } => format!("ended by a signal{required}"),
        HookEnd::Failed(why) => format!("failed: {}{required}", clean_line(why)),
    }
}

fn decision(decision: &HookDecision) -> (&'static str, Option<&str>) {
    match decision {
        HookDecision::Pass => ("nothing against it", None),
        HookDecision::Ask(why) => ("the user would be asked", Some(why)),
        HookDecision::Refuse(why) => ("refused", Some(why)),
    }
}

fn json_of(event: HookEvent, runs: &[HookRun], verdict: &HookVerdict) -> Value {
    let runs = runs.iter().map(|run| {
        let (code, stdout, stderr, failure) = match &run.end {
            HookEnd::Exited {
                code,
                stdout,
                stderr,
            } => (*code, stdout.as_str(), stderr.as_str(), None),
            HookEnd::Failed(why) => (None, "", "", Some(why)),
        };
        json!({
            "hook": run.hook,
            "required": run.required,
            "exit_code": code,
            "stdout": stdout,
            "stderr": stderr,
            "failure": failure,
        })
    });
    let (_, reason) = decision(&verdict.decision);
    let word = match &verdict.decision {
        HookDecision::Pass => "pass",
        HookDecision::Ask(_) => "ask",
        HookDecision::Refuse(_) => "refuse",
    };
    json!({
        "event": event.name(),
        "hooks": runs.collect::<Value>(),
        "decision": word,
        "reason": reason,
        "halt": verdict.halt,
        "context": verdict.fenced_context(),
        "notes": verdict.notes,
    })
}
