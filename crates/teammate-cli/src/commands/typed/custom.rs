//! Commands that people wrote down in files: their words go to the lead as the user's own.

use std::path::Path;
use teammate_view::t;

use anyhow::bail;
use teammate::{
    NextStep,
    project::{CommandOrigin, PromptCommand, PromptCommands},
};
use teammate_view::keys::KeyAction;

use super::{TypedCall, TypedCommand, WORDS_OF_PROMPTS, say, unknown::unknown_command};
use crate::{next_steps::wording, screen::clean_line, settings::user_dirs};

/// All that there are for a workspace, which must be resolved, as their files are now.
pub(super) fn read(workspace: &Path) -> PromptCommands {
    PromptCommands::read(workspace, &user_dirs(), is_taken)
}

/// Whether a name means something at a prompt already.
fn is_taken(name: &str) -> bool {
    let word = format!("/{name}");
    let of_screen = |action: &KeyAction| action.word() == Some(&word);
    TypedCommand::named(&word).is_some()
        || WORDS_OF_PROMPTS.contains(&&*word)
        || KeyAction::ALL.iter().any(of_screen)
}

/// Notices for the user about custom commands when a prompt opens.
pub(in crate::commands) fn notices(workspace: &Path) -> Vec<String> {
    let PromptCommands {
        untrusted, notices, ..
    } = read(workspace);
    let mut lines: Vec<String> = notices.iter().map(|notice| clean_line(notice)).collect();
    if !untrusted.is_empty() {
        let names: Vec<String> = untrusted.iter().map(|name| format!("/{name}")).collect();
        let step = wording().words(&NextStep::TrustProject);
        let names = clean_line(&names.join(", "));
        lines.push(t!(
            "commands in .teammate/commands are not used ({names}); you can {step}",
            names,
            step
        ));
    }
    lines
}

/// Each with what it does, in a line.
pub(in crate::commands) fn rows(workspace: &Path) -> Vec<(String, String)> {
    let row = |command: &PromptCommand| {
        let whose = match command.origin {
            CommandOrigin::User => t("yours"),
            CommandOrigin::Workspace => t("of this workspace"),
            CommandOrigin::Plugin => t("of a plug-in"),
        };
        let hint = match command.argument_hint.as_str() {
            "" => String::new(),
            hint => format!("{hint}: "),
        };
        let about = clean_line(&format!("{hint}{} ({whose})", command.description));
        (format!("/{}", command.name), about)
    };
    read(workspace).known.iter().map(row).collect()
}

/// Sends the words of the command that this word names.
///
/// Errors: there is none, it is not trusted, or it was not sent.
pub(super) async fn run(word: &str, call: TypedCall<'_>) -> anyhow::Result<String> {
    let all = read(call.team.workspace());
    let name = word.strip_prefix('/').unwrap_or(word);
    let Some(command) = all.named(name) else {
        if all.untrusted.iter().any(|untrusted| untrusted == name) {
            let step = wording().words(&NextStep::TrustProject);
            bail!(
                "{word} comes with the workspace, which is not trusted as it is now; you can {step}"
            );
        }
        let others = all.known.iter().map(|command| format!("/{}", command.name));
        bail!(unknown_command(word, others));
    };
    let sent = say(call.team, &call.state, "lead", &command.expand(call.words)).await;
    let said = sent.map_err(|why| anyhow::anyhow!("Not sent: {why}"))?;
    let attached = said.files.iter().map(|file| t!("  attached: {file}", file));
    let sent = t!("Sent to the lead: {text}", text = command.shown);
    let lines = std::iter::once(sent).chain(attached);
    let lines: Vec<String> = lines.map(|line| clean_line(&line)).collect();
    Ok(lines.join("\n"))
}
