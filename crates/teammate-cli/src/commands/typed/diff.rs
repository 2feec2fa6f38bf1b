//! `/diff`: what members changed in files, as it was recorded.

use std::collections::BTreeMap;
use teammate_view::t;

use teammate::MemberName;
use teammate_view::{Item, TeamView, more};

use super::{TypedCall, TypedCommand, in_lines};
use crate::screen::{clean, clean_line};

/// The most changes that are shown whole.
const SHOWN_MAX: usize = 20;

pub(super) const DIFF: TypedCommand = TypedCommand {
    word: "/diff",
    usage: "[NAME]",
    about: "the files that members changed; the last changes of NAME whole",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let view = call.view().await?;
    let lines = match call.words {
        "" => files(&view),
        name => changes(&view, &call.member(name)?),
    };
    if lines.is_empty() {
        return Ok(t(
            "No change of a file by a tool is recorded. Commands may have changed some: !git diff",
        )
        .to_owned());
    }
    Ok(lines.join("\n"))
}

/// Each file, with who changed it and by how many lines.
fn files(view: &TeamView) -> Vec<String> {
    let mut files: BTreeMap<(&MemberName, &str), (u64, u64)> = BTreeMap::new();
    for (member, story) in view.stories() {
        for item in story.items() {
            if let Some(change) = item.change() {
                let lines = files.entry((member, &change.path)).or_default();
                lines.0 += change.added;
                lines.1 += change.removed;
            }
        }
    }
    let lines = files.into_iter().map(|((member, path), (added, removed))| {
        format!("  {member}  {}  +{added} -{removed}", clean_line(path))
    });
    lines.collect()
}

/// The last changes of a member, oldest first.
fn changes(view: &TeamView, member: &MemberName) -> Vec<String> {
    let items = view
        .story(member)
        .into_iter()
        .flat_map(|story| story.items().iter().rev());
    let changes = items.filter_map(Item::change);
    let mut shown: Vec<String> = changes
        .take(SHOWN_MAX)
        .map(|change| {
            let cut = if change.is_cut {
                t("\n(not whole)")
            } else {
                ""
            };
            format!(
                "{}\n{}{cut}",
                clean_line(&change.path),
                clean(change.diff.trim_end())
            )
        })
        .collect();
    let all = view
        .story(member)
        .into_iter()
        .flat_map(teammate_view::Story::items);
    let total = all.filter_map(Item::change).count();
    shown.extend(more(total, shown.len()).map(|more| t!("… {more} before these", more)));
    shown.reverse();
    shown
}
