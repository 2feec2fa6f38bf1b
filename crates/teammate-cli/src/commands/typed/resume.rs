//! `/resume`: goes on with another team of the user's, or with another conversation of this one, in the same terminal.

use anyhow::{Context as _, anyhow, bail};
use teammate::{Conversation, ConversationId, TeamPlace};
use teammate_view::t;
use teammate_view::{Choice, ChoiceGroup, Choices, more};

use super::{TypedAnswer, TypedCall, TypedCommand};
use crate::{
    commands::{
        conversations,
        known_teams::{ListedTeams, NotListed},
        log::last_exchange,
        next_talk::NextTalk,
        teams,
    },
    screen::clean_line,
};

/// The most teams that are listed.
const TEAMS_MAX: usize = 20;

/// The most conversations that are listed: the last ones.
const CONVERSATIONS_MAX: usize = 20;

const WORD: &str = "/resume";

pub(super) const RESUME: TypedCommand = TypedCommand {
    word: WORD,
    usage: "[N | cN]",
    about: "your teams and conversations; go on with N, or with cN",
    run: |call| Box::pin(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<TypedAnswer> {
    let word = call.words;
    if word.is_empty() {
        return choices(&call).await.map(TypedAnswer::Choices);
    }
    let next = match word.strip_prefix('c') {
        Some(number) => conversation(&call, number).await?,
        None => team(&call, word).await?,
    };
    Ok(TypedAnswer::GoesOn(next))
}

/// The first teams, and how many more there are in words.
async fn known(call: &TypedCall<'_>) -> (ListedTeams, Option<String>) {
    let mut known = call.place.known_teams().await;
    let more = more(known.teams.len(), TEAMS_MAX);
    known.teams.truncate(TEAMS_MAX);
    (known, more)
}

fn is_this(call: &TypedCall<'_>, place: &TeamPlace) -> bool {
    let own = call.place.team();
    let is_kept_alike = match (place.store(), own.store()) {
        (None, None) => place.workspace() == call.team.workspace(),
        (Some(one), Some(other)) => one.name() == other.name(),
        (Some(_), None) | (None, Some(_)) => false,
    };
    is_kept_alike && place.team_name() == own.team_name()
}

async fn choices(call: &TypedCall<'_>) -> anyhow::Result<Choices> {
    let (known, more_teams) = known(call).await;
    let more_teams = more_teams.map(|more| t!("{more}: `teammate teams`", more));
    let (conversations, more) = conversation_choices(call).await?;
    let more = more.map(|more| format!(", {more}: `teammate conversations`"));
    let conversations_title = format!(
        "Conversations with the lead of this team{}",
        more.unwrap_or_default()
    );
    let missing = known.not_listed.iter().map(NotListed::in_a_line);
    let title = std::iter::once(t("Your teams").to_owned());
    let title = title.chain(more_teams).chain(missing);
    let title = title.collect::<Vec<_>>().join("; ");
    let groups = [
        (title.as_str(), team_choices(call, &known).await?),
        (conversations_title.as_str(), conversations),
    ];
    let groups = groups.into_iter();
    let groups = groups.filter(|(_, choices)| !choices.is_empty());
    Ok(Choices {
        command: WORD.to_owned(),
        groups: groups
            .map(|(title, choices)| ChoiceGroup {
                title: title.to_owned(),
                choices,
            })
            .collect(),
    })
}

async fn team_choices(call: &TypedCall<'_>, known: &ListedTeams) -> anyhow::Result<Vec<Choice>> {
    let read_max = call.place.options.read_max()?;
    let mut choices = Vec::new();
    for (number, team) in (1..).zip(&known.teams) {
        let looked = call.place.look_at(team.place.clone()).await?;
        let text = teams::as_choice(team, looked, call.style);
        let is_current = is_this(call, &team.place);
        // Of a log that cannot be read nothing is shown.
        let said = last_exchange(team.place.clone(), read_max).await.ok();
        let said = said.and_then(|said| said.lead).unwrap_or_default();
        choices.push(Choice {
            word: number.to_string(),
            text,
            more: clean_line(&said),
            is_current,
        });
    }
    Ok(choices)
}

/// The last conversations, from the newest on, and how many more there are in words; none where there is nothing to choose.
async fn conversation_choices(
    call: &TypedCall<'_>,
) -> anyhow::Result<(Vec<Choice>, Option<String>)> {
    let client = call.team.look().await?;
    let all = client.conversations().await?;
    if all.len() < 2 {
        return Ok((Vec::new(), None));
    }
    let last = all.iter().rev().take(CONVERSATIONS_MAX);
    let choices = last.map(|line| Choice {
        word: format!("c{}", line.id),
        text: conversations::summary(line, &client, call.style),
        more: String::new(),
        is_current: line.is_current,
    });
    Ok((choices.collect(), more(all.len(), CONVERSATIONS_MAX)))
}

async fn team(call: &TypedCall<'_>, word: &str) -> anyhow::Result<NextTalk> {
    let teams = known(call).await.0.teams;
    let chosen = word
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1));
    let chosen = chosen.and_then(|at| teams.get(at)).ok_or_else(|| {
        anyhow!(
            "There is no team '{}' in the list of /resume, which has {}",
            clean_line(word),
            teams.len()
        )
    })?;
    if is_this(call, &chosen.place) {
        bail!("You are talking with this team already");
    }
    let looked = call.place.look_at(chosen.place.clone()).await?;
    looked.context("This team cannot be opened")?;
    Ok(NextTalk::Team(chosen.place.clone()))
}

async fn conversation(call: &TypedCall<'_>, number: &str) -> anyhow::Result<NextTalk> {
    let id: ConversationId = number.parse()?;
    if call.team.hosted().is_none() {
        bail!(
            "Only the process that runs the team can go on with another conversation: stop it, then `teammate run --conversation {id}`"
        );
    }
    let client = call.team.look().await?;
    let all = client.conversations().await?;
    match all.iter().find(|line| line.id == id) {
        None => bail!("There is no conversation {id}"),
        Some(line) if line.is_current => bail!("You are in this conversation already"),
        Some(_) => Ok(NextTalk::Conversation(Conversation::Number(id))),
    }
}
