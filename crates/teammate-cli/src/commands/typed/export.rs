//! `/export`: a member's conversation as a Markdown file.

use std::{fmt::Write as _, fs::OpenOptions, io::Write as _, path::Path};

use anyhow::Context as _;
use teammate::MemberName;
use teammate_view::{ItemKind, Story};

use super::{TypedCall, TypedCommand, in_lines};
use crate::screen::clean;

pub(super) const EXPORT: TypedCommand = TypedCommand {
    word: "/export",
    usage: "[NAME [FILE]]",
    about: "write the lead's or NAME's conversation to a Markdown file",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let (name, file) = super::member_and_rest(call.words);
    let member = call.team.member(name)?;
    let view = call.team.view().await?;
    let story = view.story(&member).cloned().unwrap_or_default();
    let file = match file {
        "" => format!("{member}.md"),
        file => file.to_owned(),
    };
    let path = call.team.workspace().join(file);
    let written = write_new(&path, &markdown(&member, &story));
    written.with_context(|| format!("Not written: {}", path.display()))?;
    Ok(format!("Written: {}", clean(&path.display().to_string())))
}

/// Never over a file that is there.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}

fn markdown(member: &MemberName, story: &Story) -> String {
    let mut text = format!("# {member}\n");
    if story.dropped() > 0 {
        let _ = write!(
            text,
            "\n({} older entries are left out.)\n",
            story.dropped()
        );
    }
    for item in story.items() {
        let entry = entry(&item.what);
        if !entry.is_empty() {
            let _ = write!(text, "\n{entry}\n");
        }
    }
    clean(&text).into_owned()
}

fn entry(what: &ItemKind) -> String {
    match what {
        ItemKind::Heard { from, text, .. } => format!("## {from}\n\n{}", text.trim_end()),
        ItemKind::Said { text } => format!("## answer\n\n{}", text.trim_end()),
        ItemKind::Sent { to, text, .. } => format!("**to {}:** {text}", to.join(", ")),
        ItemKind::Called(call) => {
            let diff = call
                .change()
                .map(|change| format!("\n\n```diff\n{}\n```", change.diff.trim_end()));
            format!(
                "- `{}`{}",
                call.line().replace('`', "'"),
                diff.unwrap_or_default()
            )
        }
        ItemKind::Subagent { kind, title, .. } => format!("- subagent {kind}: {title}"),
        ItemKind::Stopped { how } => format!("- stopped: {how}"),
        ItemKind::Request { text }
        | ItemKind::Task { text }
        | ItemKind::Model { text }
        | ItemKind::Note { text } => format!("- {text}"),
        ItemKind::Began { .. } | ItemKind::Rested { .. } | ItemKind::Compacted { .. } => {
            String::new()
        }
    }
}
