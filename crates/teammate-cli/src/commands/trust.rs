//! `teammate trust`: says yes to the agent definitions, permission rules, servers and commands of a workspace, and to what its
//! repository has git run, after showing them; with `--team`, to a team's directory that came from somewhere else.

mod hooks;
mod team;

use std::{path::Path, process::ExitCode};

use anyhow::{Context as _, bail};
use clap::Args;
use teammate::{
    AgentDefinition, MemberOptions, Rules, ToolCatalogue, WorktreeSetup,
    audit::AuditTrail,
    project::{CommandOrigin, Programs, ProjectSettings, TextFile, TrustStore as Record},
};

use super::{CliContext, CliResult, SharedOptions, Verb, ask_user, note, print_line};
use crate::{
    screen::{Style, clean_block, clean_line, rule_lines},
    settings::user_dirs,
};

/// Review what a workspace brings with it (agent definitions, permission rules, MCP servers, hooks, commands of the
/// prompt, programs that git would run), and allow it
///
/// Shows everything before it asks. What you allow counts until one of the files changes.
///
/// With --team: review a team directory that came from somewhere else (.team, or .teams/NAME with --team NAME), and
/// adopt it. Members, conversations, mail and tasks are kept; permissions, checks and unfinished work are dropped.
#[derive(Args)]
pub(crate) struct Trust {
    /// Allow without asking; to adopt a team directory, give --team as well
    #[arg(long)]
    yes: bool,

    /// List the workspaces that you trust
    #[arg(long, conflicts_with_all = ["yes", "team"])]
    list: bool,

    /// Stop trusting this workspace
    #[arg(long, conflicts_with_all = ["yes", "list", "team"])]
    revoke: bool,
}

impl Verb for Trust {
    const SHARED: SharedOptions = SharedOptions::OfPlace(&[]);

    async fn run(self, place: &CliContext) -> CliResult {
        if place.options.names_team() {
            return team::run(place, self.yes).await;
        }
        let record = Record::at(user_dirs().state.as_deref());
        if self.list {
            list(&record);
            return Ok(ExitCode::SUCCESS);
        }
        let workspace = place
            .dir
            .canonicalize()
            .with_context(|| format!("cannot use {} as a workspace", place.dir.display()))?;
        if self.revoke {
            return revoke(&record, &workspace);
        }
        let found = ProjectSettings::read(&workspace);
        for notice in found.notices.iter().chain(&found.command_notices) {
            print_line(format!("note: {}", clean_line(notice)));
        }
        if found.is_empty() {
            print_line(
                "There are no agent definitions in .teammate/agents or .claude/agents, no commands in .teammate/commands, no settings in .teammate/settings.toml, no MCP servers in .mcp.json, no hooks in .teammate/hooks.json, and no programs that the repository has git run.",
            );
            return Ok(ExitCode::SUCCESS);
        }
        let shown = workspace.display().to_string();
        if !found.agents.is_empty() {
            print_line(format!("Agent definitions in {}:", clean_line(&shown)));
            show(&found.agents);
        }
        let says_something = |rules: &Result<Rules, String>| !matches!(rules, Ok(rules) if *rules == Rules::default());
        if let Some(rules) = found.rules().filter(says_something) {
            print_line(format!("Permission rules in {}:", clean_line(&shown)));
            show_rules(rules);
        }
        if let Some(Ok(setup)) = found.worktrees() {
            show_worktrees(&setup);
        }
        if let Some(servers) = found.servers() {
            show_servers(servers);
        }
        if let Some(hooks) = &found.hooks {
            hooks::show(hooks);
        }
        if !found.commands.is_empty() {
            print_line(format!(
                "Commands of the prompt in {}: typing one sends these words to the lead as yours",
                clean_line(&shown)
            ));
            show_commands(&found.commands);
        }
        match found.programs() {
            Ok(programs) => show_programs(programs),
            Err(why) => bail!(
                "cannot find out which programs the repository has git run: {why}; nothing was trusted. Look at .git/config"
            ),
        }
        let trusted = record.trusted(&workspace, &found);
        if trusted.is_some_and(|trusted| trusted.scripts == found.hook_scripts()) {
            print_line("They are trusted.");
            return Ok(ExitCode::SUCCESS);
        }
        let question = "Trust them? They are instructions and rights for your team. [y/N] ";
        if !self.yes && !ask_user(question, "teammate trust --yes")? {
            print_line("Not trusted; they are not used.");
            return Ok(ExitCode::SUCCESS);
        }
        record.grant(&workspace, &found)?;
        let what = format!("what the repository brings, with the hash {}", found.hash());
        if let Err(error) =
            AuditTrail::of(place.team(), &user_dirs()).and_then(|trail| trail.trusted(&what))
        {
            note(&format!("This is not in the audit log: {error}"));
        }
        print_line("Trusted until one of them changes.");
        Ok(ExitCode::SUCCESS)
    }
}

fn show_programs(programs: &Programs) {
    if programs.is_empty() {
        return;
    }
    print_line("Programs that the repository has git run:");
    for program in programs.iter() {
        print_line(format!("  {}", clean_line(&program.name)));
        for line in String::from_utf8_lossy(&program.value).lines() {
            print_line(format!("    {}", clean_line(line)));
        }
    }
    print_line("");
}

fn show_worktrees(setup: &WorktreeSetup) {
    if *setup == WorktreeSetup::default() {
        return;
    }
    print_line("What new worktrees of members get:");
    let parts = [
        ("run there", &setup.run),
        ("copied", &setup.copy),
        ("linked to", &setup.link),
    ];
    for (what, parts) in parts {
        for part in parts {
            print_line(format!("  {what}: {}", clean_line(part)));
        }
    }
    print_line("");
}

/// The file as it is: each word of it counts.
fn show_servers(servers: Result<String, String>) {
    print_line(
        "MCP servers in .mcp.json: programs that run in your team's sandbox, and addresses that it speaks with:",
    );
    match servers {
        Ok(text) => print_line(clean_block(&text, "    ")),
        Err(why) => print_line(format!("note: {}", clean_line(&why))),
    }
    print_line("");
}

fn show_commands(files: &[TextFile]) {
    let style = Style::for_stdout();
    for file in files {
        match file.command(CommandOrigin::Workspace) {
            Ok(command) => {
                let name = style.bold(&format!("/{}", command.name));
                let hint = clean_line(&command.argument_hint);
                print_line(format!("\n{name} {hint}").trim_end());
                print_line(clean_block(&command.body, "    "));
            }
            Err(why) => print_line(format!("\n{}", clean_line(&why))),
        }
    }
    print_line("");
}

fn show_rules(rules: Result<Rules, String>) {
    match rules {
        Ok(rules) => {
            for line in rule_lines(&rules, Style::for_stdout()) {
                print_line(format!("  {line}"));
            }
        }
        Err(why) => print_line(format!("note: {}", clean_line(&why))),
    }
    print_line("");
}

fn show(files: &[TextFile]) {
    let style = Style::for_stdout();
    let tools = ToolCatalogue::new().teammate_tools();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.spec().name).collect();
    for file in files {
        match file.agent(&names) {
            Ok((name, definition, remarks)) => {
                print_line(format!("\n{}", clean_line(&file.shown)));
                let AgentDefinition {
                    description,
                    options: terms,
                } = &definition;
                print_line(format!(
                    "  {}: {}",
                    style.bold(&name),
                    clean_line(description)
                ));
                print_line(format!("  {}", clean_line(&given(terms))));
                for remark in remarks {
                    print_line(format!("  note: {}", clean_line(&remark)));
                }
            }
            Err(why) => print_line(format!("\n{}", clean_line(&why))),
        }
    }
    print_line("");
}

/// A definition in a line: its model, tools and rights.
fn given(terms: &MemberOptions) -> String {
    let tools = match &terms.tools {
        None => "all".to_owned(),
        Some(tools) if tools.is_empty() => "the team's only".to_owned(),
        Some(tools) => tools.join(", "),
    };
    let mode = terms
        .mode
        .map_or("the lead's".to_owned(), |mode| mode.to_string());
    let model = terms
        .model
        .as_ref()
        .map_or("the team's".to_owned(), ToString::to_string);
    format!(
        "tools: {tools} · mode: {mode} · model: {model} · instructions: {} bytes",
        terms.instructions.len()
    )
}

fn list(record: &Record) {
    let all = record.list();
    if all.is_empty() {
        print_line("No workspace is trusted.");
    }
    for trusted in all {
        let found = ProjectSettings::read(Path::new(&trusted.workspace));
        let changed = if found.hash() != trusted.agents {
            " (changed since you trusted it: not trusted now)"
        } else if found.hook_scripts() != trusted.scripts {
            " (a script of its hooks changed since you trusted it: they do not run now)"
        } else {
            ""
        };
        print_line(format!("{}{changed}", clean_line(&trusted.workspace)));
    }
}

fn revoke(record: &Record, workspace: &Path) -> CliResult {
    print_line(if record.revoke(workspace)? {
        "This workspace is no longer trusted."
    } else {
        "This workspace was not trusted."
    });
    Ok(ExitCode::SUCCESS)
}
