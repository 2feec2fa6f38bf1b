//! `/mode`: how much members may do without asking, until the team is closed.

use anyhow::{Context as _, bail};
use teammate::{Mode, handle::ChooseMode};
use teammate_view::screens::welcome::mode_words;
use teammate_view::t;

use super::{TypedCall, TypedCommand, in_lines};
use crate::screen::clean;

pub(super) const MODE: TypedCommand = TypedCommand {
    word: "/mode",
    usage: "[MODE]",
    about: "the permission mode; another one until the team is closed",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    if call.words.is_empty() {
        return Ok(modes(call.state.ceiling()));
    }
    let Some(mode) = Mode::parse(call.words) else {
        let names = Mode::ALL.map(|(_, name)| name).join(", ");
        bail!(
            "There is no mode '{}'; there are: {names}",
            clean(call.words)
        );
    };
    let chosen = call.team.ask(ChooseMode(mode)).await;
    chosen.context("Not changed")?;
    Ok(t!(
        "The permission mode is {mode} until the team is closed",
        mode
    ))
}

/// All of them, with a mark at the one that holds.
fn modes(now: Option<Mode>) -> String {
    let line = |(mode, name): (Mode, &str)| {
        let mark = if now == Some(mode) { "*" } else { " " };
        format!("{mark} {name:<14}{}", mode_words(mode))
    };
    Mode::ALL.map(line).join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_that_holds_is_marked() {
        let shown = modes(Some(Mode::AcceptEdits));
        let marked: Vec<_> = shown.lines().filter(|line| line.starts_with('*')).collect();
        assert_eq!(
            marked,
            ["* accept-edits  writing files in the workspace is free, too"]
        );
        assert_eq!(shown.lines().count(), Mode::ALL.len());
    }
}
