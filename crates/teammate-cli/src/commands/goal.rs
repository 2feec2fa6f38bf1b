//! `goal`: what the team goes on for until a check passes.

use std::borrow::Cow;

use anyhow::bail;
use clap::Args;
use serde_json::{Value, json};
use teammate::{
    TeamState,
    goals::{Goal, GoalEnd},
    handle::{EndGoal, SetGoal},
};

use teammate_view::t;

use super::verb::{TeamVerb, VerbCall, VerbOutput};
use crate::screen::{clean, clean_line};

/// The word that ends a goal.
const END: &str = "end";

/// Set a goal that the team goes on for until a check passes, show it, or end it
///
/// The lead hears the goal. Whenever the team rests, the program runs the check in the sandbox; if it does not exit 0, the lead
/// reads its output and goes on, also after a restart. That ends when the check passes, when its tries or a budget are spent, or
/// when it fails the same way again and again and no file changes.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct GoalVerb {
    /// The goal, in your words; 'end' gives up the one that is open; nothing shows it
    words: Vec<String>,

    #[command(flatten)]
    until: Until,
}

/// When a goal is reached.
#[derive(Args, Default)]
pub(super) struct Until {
    /// Go on until this shell command exits 0. It runs in the sandbox, whenever the team rests
    #[arg(long, value_name = "CHECK")]
    pub(super) until: Option<String>,

    /// Give up after so many runs of the check that failed [default: 20]
    #[arg(long, value_name = "N", requires = "until")]
    pub(super) tries: Option<u32>,
}

const AFTER_HELP: &str = "\
Examples:
  teammate goal \"Make the tests green\" --until \"cargo test\"
  teammate goal
  teammate goal end";

impl TeamVerb for GoalVerb {
    const WORD: &str = "/goal";
    const USAGE: &str = "[TEXT --until CHECK | end]";
    const ABOUT: &str = "go on until a check passes: /goal TEXT --until CHECK";

    fn in_order(words: &str) -> Cow<'_, str> {
        match words.split_once("--until") {
            Some((text, flags)) => Cow::Owned(format!("--until{flags} -- {text}")),
            None => Cow::Borrowed(words),
        }
    }

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let text = self.words.join(" ");
        match (text.trim(), self.until.goal(&text)) {
            ("", None) => show(call.team.state().await?.as_ref()),
            (END, None) => {
                let goal = call.team.ask(EndGoal).await?;
                let line = t!(
                    "Gave up {id}: {text}",
                    id = goal.id,
                    text = first_line(&goal)
                );
                VerbOutput::of(json!({ "ended": goal.id }), vec![line])
            }
            (_, Some(goal)) => {
                let goal = call.team.ask(goal).await?;
                let mut lines = vec![t!(
                    "The team goes on for {id} until `{check}` exits 0, {most} tries at most",
                    id = goal.id,
                    check = clean_line(&goal.check),
                    most = goal.tries_max
                )];
                lines.extend(call.if_saved().await);
                VerbOutput::of(goal_json(&goal), lines)
            }
            (_, None) => bail!(t(
                "say when it is reached: --until 'COMMAND', which exits 0 then"
            )),
        }
    }
}

impl Until {
    /// The goal to be set, if there is one.
    pub(super) fn goal(&self, text: &str) -> Option<SetGoal> {
        Some(SetGoal {
            text: text.to_owned(),
            check: self.until.clone()?,
            tries_max: self.tries,
        })
    }
}

fn show(team: &TeamState) -> anyhow::Result<VerbOutput> {
    let Some(goal) = team.goals().last() else {
        let none = t("No goal. Set one: goal \"TEXT\" --until 'CHECK'").to_owned();
        return VerbOutput::of(Value::Null, vec![none]);
    };
    let how = match &goal.end {
        None if team.goal_in_force().is_some() => t("the team goes on for it").to_owned(),
        None => {
            t("open; the team goes on for it when the lead has ended a turn by itself").to_owned()
        }
        Some(end) => end.describe(),
    };
    let mut lines = vec![
        format!("{}: {}", goal.id, first_line(goal)),
        t!("  until `{check}` exits 0", check = clean_line(&goal.check)),
        t!(
            "  {how}, {tries} of {most} tries",
            how,
            tries = goal.tries,
            most = goal.tries_max
        ),
    ];
    if let Some(last) = &goal.last {
        lines.push(t!("  the last run {how}", how = last.describe()));
        let tail = clean(&last.tail);
        lines.extend(tail.lines().map(|line| format!("    {line}")));
    }
    VerbOutput::of(goal_json(goal), lines)
}

fn first_line(goal: &Goal) -> String {
    clean_line(goal.first_line())
}

fn goal_json(goal: &Goal) -> Value {
    let state = match &goal.end {
        None => "open",
        Some(GoalEnd::Reached) => "reached",
        Some(GoalEnd::Stuck) => "stuck",
        Some(GoalEnd::Tried) => "tried",
        Some(GoalEnd::Budget { .. }) => "budget",
        Some(GoalEnd::Unchecked { .. }) => "unchecked",
        Some(GoalEnd::Dropped) => "dropped",
    };
    let last = goal.last.as_ref().map(|run| {
        json!({ "exit": run.exit, "took_ms": run.took_ms, "tail": run.tail, "alike": goal.alike })
    });
    json!({
        "id": goal.id, "text": goal.text, "check": goal.check, "state": state,
        "why": goal.end.as_ref().map(GoalEnd::describe),
        "tries": goal.tries, "tries_max": goal.tries_max, "last": last,
        "since": goal.since.as_seconds(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(words: &str) -> (String, Until) {
        let GoalVerb { words, until } = GoalVerb::typed(words, &TeamState::default()).unwrap();
        (words.join(" "), until)
    }

    #[test]
    fn at_a_prompt_the_check_stands_behind_the_words() {
        let (text, until) = typed("make it -q green --until 'cargo test -q' --tries 3");
        assert_eq!(text, "make it -q green");
        assert_eq!(until.until.as_deref(), Some("cargo test -q"));
        assert_eq!(until.tries, Some(3));
        let (text, until) = typed("end");
        assert_eq!((&*text, until.until), ("end", None));
    }
}
