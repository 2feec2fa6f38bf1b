//! `/undo`: turns the last recorded change of a file back, if the file still is as the member left it.

use std::path::{Path, PathBuf};
use teammate_view::t;

use anyhow::{Context as _, bail};
use teammate::{FileChange, MemberName, Timestamp};
use teammate_view::{
    ItemKind, TeamView,
    diff::{Turn, turned, was_absent},
};

use super::{TypedCall, TypedCommand, in_lines};
use crate::{
    commands::member_files::{find, team_dir},
    screen::clean,
};

/// The mark in a recorded diff where a secret was.
const SECRET: &str = "[secret ";

pub(super) const UNDO: TypedCommand = TypedCommand {
    word: "/undo",
    usage: "[NAME]",
    about: "turn back the last change of a file by a member, or by NAME",
    run: |call| in_lines(run(call)),
};

/// A change of a file.
struct UndoEdit<'a> {
    at: Timestamp,
    by: &'a MemberName,
    change: &'a FileChange,
    /// Whose worktree the file is in, if it is in one.
    worktree_of: Option<&'a MemberName>,
}

impl UndoEdit<'_> {
    fn is_of_same_file(&self, other: &Self) -> bool {
        self.change.path == other.change.path && self.worktree_of == other.worktree_of
    }
}

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let only = match call.words {
        "" => None,
        name => Some(call.member(name)?),
    };
    let view = call.view().await?;
    let workspace = call.team.workspace();
    let team = team_dir(workspace, &call.place.team());
    let all = edits(&view);
    let of_member = |edit: &&UndoEdit<'_>| only.as_ref().is_none_or(|only| only == edit.by);
    for edit in all.iter().rev().filter(of_member) {
        let path = find(&edit.change.path, edit.worktree_of, workspace, &team).ok();
        let text = path.as_ref().map(std::fs::read_to_string).transpose()?;
        let text = text.unwrap_or_default();
        let same = all.iter().filter(|other| edit.is_of_same_file(other));
        let same: Vec<&UndoEdit<'_>> = same.collect();
        let older = same.iter().take_while(|other| !std::ptr::eq(**other, edit));
        let older = older.count();
        match (made(&text, &same), path) {
            (Some(made), Some(path)) if made == older + 1 => {
                return turn_back(edit, &path, workspace, &text);
            }
            // This one was turned back before.
            (Some(made), _) if made <= older => {}
            (Some(_) | None, _) => {
                let (file, by) = (&edit.change.path, edit.by);
                bail!(
                    "{file} is not as {by} left it: nothing was turned back. /diff {by} shows the change"
                );
            }
        }
    }
    bail!("No change of a file by a tool is left to turn back")
}

/// The changes of all members, oldest first.
fn edits(view: &TeamView) -> Vec<UndoEdit<'_>> {
    let mut edits = Vec::new();
    for (by, story) in view.stories() {
        let member = view.team().member(by);
        let is_apart = member.is_some_and(|member| member.options.worktree);
        let changes = story.items().iter().filter_map(|item| match &item.what {
            ItemKind::Called(call) => {
                let end = call.ended.as_ref().filter(|end| end.ok)?;
                Some((item.at, end.change.as_deref()?))
            }
            _ => None,
        });
        edits.extend(changes.map(|(at, change)| UndoEdit {
            at,
            by,
            change,
            worktree_of: is_apart.then_some(by),
        }));
    }
    edits.sort_by_key(|edit| edit.at);
    edits
}

/// How many of a file's changes, oldest first, are made in this text; the later ones were turned back. `None`: something else
/// changed the file.
fn made(text: &str, changes: &[&UndoEdit<'_>]) -> Option<usize> {
    let diff = |edit: &UndoEdit<'_>, text: &str, turn| turned(text, &edit.change.diff, turn);
    (0..=changes.len()).rev().find(|&made| {
        let (before, after) = changes.split_at(made);
        let last = before.last();
        let mut after = after.iter();
        last.is_none_or(|edit| diff(edit, text, Turn::Back).is_some())
            && after
                .try_fold(text.to_owned(), |text, edit| diff(edit, &text, Turn::Again))
                .is_some()
    })
}

fn turn_back(
    edit: &UndoEdit<'_>,
    path: &Path,
    workspace: &Path,
    text: &str,
) -> anyhow::Result<String> {
    let change = edit.change;
    let mut removed = change.diff.lines().filter(|line| line.starts_with('-'));
    if change.is_cut || removed.any(|line| line.contains(SECRET)) {
        bail!(
            "The record of this change is not whole: {} stays as it is",
            change.path
        );
    }
    let real: PathBuf = path.canonicalize()?;
    if !real.starts_with(workspace.canonicalize()?) {
        bail!(
            "{} leads out of the workspace and stays as it is",
            change.path
        );
    }
    let old = turned(text, &change.diff, Turn::Back).unwrap_or_default();
    let done = match was_absent(&change.diff) {
        true => std::fs::remove_file(&real),
        false => std::fs::write(&real, old),
    };
    done.with_context(|| format!("Not turned back: {}", real.display()))?;
    let (by, file) = (edit.by, clean(&change.path));
    let (added, removed) = (change.added, change.removed);
    Ok(t!(
        "Turned back: {file}, where {by} had +{added} -{removed} lines. {by} does not know it: tell it if it matters",
        file,
        by,
        added,
        removed
    ))
}
