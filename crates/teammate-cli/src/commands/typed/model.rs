//! `/model` and `/effort`: which model each member works with, and how much that thinks.

use anyhow::Context as _;
use teammate::{Effort, MemberName, ModelInUse, ModelRef, TeamState, handle::ChooseModel};
use teammate_view::t;

use super::{TypedCall, TypedCommand, in_lines};
use crate::screen::{Style, clean};

pub(super) const MODEL: TypedCommand = TypedCommand {
    word: "/model",
    usage: "[MODEL [NAME]]",
    about: "the members' models; another one for the lead or NAME",
    run: |call| in_lines(model(call)),
};

pub(super) const EFFORT: TypedCommand = TypedCommand {
    word: "/effort",
    usage: "[LEVEL [NAME]]",
    about: "how much models think: off, low, medium, high or max",
    run: |call| in_lines(effort(call)),
};

async fn model(call: TypedCall<'_>) -> anyhow::Result<String> {
    let (word, name) = split(call.words);
    if word.is_empty() {
        return Ok(list(&call));
    }
    let chosen = async {
        let model: ModelRef = word.parse()?;
        let member = call.member(name)?;
        let choose = ChooseModel {
            member: member.clone(),
            model: Some(model),
            effort: None,
        };
        call.team.ask(choose).await?;
        anyhow::Ok(member)
    };
    let member = chosen.await.context("Not changed")?;
    Ok(line(
        &call,
        &*call.team.state().await?,
        &member,
        None,
        Style::PLAIN,
    ))
}

async fn effort(call: TypedCall<'_>) -> anyhow::Result<String> {
    let (word, name) = split(call.words);
    if word.is_empty() {
        return Ok(list(&call));
    }
    let chosen = async {
        let effort: Effort = word.parse()?;
        let member = call.member(name)?;
        let choose = ChooseModel {
            member: member.clone(),
            model: None,
            effort: Some(effort),
        };
        call.team.ask(choose).await?;
        anyhow::Ok((member, effort))
    };
    let (member, effort) = chosen.await.context("Not changed")?;
    Ok(line(
        &call,
        &*call.team.state().await?,
        &member,
        Some(effort),
        Style::PLAIN,
    ))
}

fn list(call: &TypedCall<'_>) -> String {
    let state = &call.state;
    let members = state
        .members()
        .map(|member| line(call, state, &member.name, None, call.style));
    let lines: Vec<String> = members.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// A member's model; empty if it has none yet. `asked`: the level that was just chosen.
fn line(
    call: &TypedCall<'_>,
    now: &TeamState,
    member: &MemberName,
    asked: Option<Effort>,
    style: Style,
) -> String {
    let text = match call.team.hosted() {
        Some(team) => team.model_in_use(member).map(|now| in_words(&now, asked)),
        None => recorded(now, member),
    };
    let name = style.name(member.as_str());
    text.map_or_else(String::new, |text| format!("  {name}: {text}"))
}

/// The record of the journal about the member's model. Whether the model takes that, only the process knows that runs the
/// team.
fn recorded(team: &TeamState, member: &MemberName) -> Option<String> {
    let member = team.member(member)?;
    let model = team.model_of(member)?;
    Some(match member.options.effort {
        Some(effort) => t!(
            "{model}, effort {effort} where it takes that",
            model = clean(&model.to_string()),
            effort
        ),
        None => clean(&model.to_string()).into_owned(),
    })
}

/// The model and its effort. `asked`: the level that was just chosen, which the model may not take.
fn in_words(now: &ModelInUse, asked: Option<Effort>) -> String {
    let model = clean(&now.name.to_string()).into_owned();
    match (now.can_think, asked) {
        (false, _) if now.family.is_none() => {
            t!(
                "{model}; the catalogue does not know it, so nothing is asked about thinking",
                model
            )
        }
        (false, _) => t!("{model}, which does not think", model),
        (true, Some(asked)) if asked != now.effort => t!(
            "{model} at effort {level}, the nearest to {asked} that it takes",
            model,
            level = now.effort,
            asked
        ),
        (true, _) => t!("{model} at effort {level}", model, level = now.effort),
    }
}

/// A word, and the member that it is for: the lead, if none is named.
fn split(words: &str) -> (&str, &str) {
    let (word, member) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
    match member.trim() {
        "" => (word, "lead"),
        member => (word, member),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_the_model_does_not_take_is_said() {
        let now = |can_think, family: Option<&str>| ModelInUse {
            name: "p:m".parse().unwrap(),
            effort: Effort::High,
            can_think,
            family: family.map(str::to_owned),
        };
        assert_eq!(in_words(&now(true, Some("F")), None), "p:m at effort high");
        assert_eq!(
            in_words(&now(true, Some("F")), Some(Effort::Max)),
            "p:m at effort high, the nearest to max that it takes"
        );
        assert_eq!(
            in_words(&now(false, Some("F")), None),
            "p:m, which does not think"
        );
        assert!(in_words(&now(false, None), None).contains("the catalogue does not know it"));
    }

    #[test]
    fn without_a_name_the_lead_is_meant() {
        assert_eq!(split("high"), ("high", "lead"));
        assert_eq!(split("high  bob"), ("high", "bob"));
        assert_eq!(split(""), ("", "lead"));
    }
}
