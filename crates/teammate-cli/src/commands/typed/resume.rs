//! `/resume`: goes on with another team of the user's, or with another conversation of this one, in the same terminal.

use anyhow::{Context as _, anyhow, bail};
use teammate::{Conversation, ConversationId, OpenedTeam, TeamPlace, opened_teams};

use super::{TypedCall, TypedCommand, TypedTeam};
use crate::{
    commands::{conversations, log::last_exchange, next_talk::Next, teams::line_of},
    screen::{clean_line, fit},
    settings::user_dirs,
};

/// The most teams that are listed.
const TEAMS_MAX: usize = 20;

/// The most conversations that are listed: the last ones.
const CONVERSATIONS_MAX: usize = 20;

/// The columns of a terminal whose width is not known.
const WIDTH: usize = 80;

pub(super) const RESUME: TypedCommand = TypedCommand {
    word: "/resume",
    usage: "[N | cN]",
    about: "your teams and conversations; go on with N, or with cN",
    run: |call| Box::pin(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let word = call.words;
    if word.is_empty() {
        return list(&call).await;
    }
    let next = match word.strip_prefix('c') {
        Some(number) => conversation(&call, number).await?,
        None => team(&call, word).await?,
    };
    call.place.next.choose(next);
    Ok(String::new())
}

fn teams() -> Vec<OpenedTeam> {
    let mut teams = opened_teams(&user_dirs());
    teams.truncate(TEAMS_MAX);
    teams
}

fn is_this(call: &TypedCall<'_>, place: &TeamPlace) -> bool {
    let is_here = place.workspace() == call.team.workspace();
    is_here && place.team_name() == call.place.team().team_name()
}

async fn list(call: &TypedCall<'_>) -> anyhow::Result<String> {
    let mut lines = Vec::new();
    let read_max = call.place.options.read_max()?;
    let width = call.width.unwrap_or(WIDTH);
    for (number, team) in (1..).zip(teams()) {
        let mark = if is_this(call, &team.place) { '*' } else { ' ' };
        let looked = call.place.look_at(team.place.clone()).await?;
        let line = line_of(&team, looked, call.style);
        lines.push(format!("{mark} {number:>2}  {line}"));
        // Of a log that cannot be read nothing is shown.
        let said = last_exchange(team.place, read_max).ok();
        if let Some(said) = said.and_then(|said| said.lead) {
            let said = format!("      {}", clean_line(&said));
            lines.push(call.style.dim(&fit(&said, Some(width.saturating_sub(1)))));
        }
    }
    let client = call.team.look().await?;
    let all = client.conversations().await?;
    if all.len() > 1 {
        lines.push("Conversations with the lead of this team:".to_owned());
    }
    for line in all
        .iter()
        .rev()
        .take(CONVERSATIONS_MAX)
        .filter(|_| all.len() > 1)
    {
        lines.push(conversations::as_text(line, &client, call.style));
    }
    lines.push(match all.len() {
        0 | 1 => "/resume N goes on with team N".to_owned(),
        _ => "/resume N goes on with team N, /resume cN with conversation N".to_owned(),
    });
    Ok(lines.join("\n"))
}

async fn team(call: &TypedCall<'_>, word: &str) -> anyhow::Result<Next> {
    let teams = teams();
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
    Ok(Next::Team(chosen.place.clone()))
}

async fn conversation(call: &TypedCall<'_>, number: &str) -> anyhow::Result<Next> {
    let id: ConversationId = number.parse()?;
    if let TypedTeam::Client(_) = &call.team {
        bail!(
            "Only the process that runs the team can go on with another conversation: stop it, then `teammate run --conversation {id}`"
        );
    }
    let client = call.team.look().await?;
    let all = client.conversations().await?;
    match all.iter().find(|line| line.id == id) {
        None => bail!("There is no conversation {id}"),
        Some(line) if line.is_current => bail!("You are in this conversation already"),
        Some(_) => Ok(Next::Conversation(Conversation::Number(id))),
    }
}
