//! `/export`: a member's conversation as a Markdown file.

use std::{fs::OpenOptions, io::Write as _, path::Path};
use teammate_view::t;

use anyhow::Context as _;

use super::{TypedCall, TypedCommand, in_lines};
use crate::commands::facts::fold_whole;
use crate::{commands::export::conversation, screen::clean};

pub(super) const EXPORT: TypedCommand = TypedCommand {
    word: "/export",
    usage: "[NAME [FILE]]",
    about: "write the lead's or NAME's conversation to a Markdown file",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let (name, file) = super::member_and_rest(call.words);
    let member = call.member(name)?;
    let view = fold_whole(&mut call.team.look().await?.history()).await?;
    let story = view.story(&member).cloned().unwrap_or_default();
    let file = match file {
        "" => format!("{member}.md"),
        file => file.to_owned(),
    };
    let path = call.team.workspace().join(file);
    let written = write_new(&path, &clean(&conversation(&member, &story)));
    written.with_context(|| format!("Not written: {}", path.display()))?;
    Ok(t!(
        "Written: {path}",
        path = clean(&path.display().to_string())
    ))
}

/// Never over a file that is there.
fn write_new(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}
