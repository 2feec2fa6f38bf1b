//! A team as JSON for clients: few words, since a model reads them.

use serde_json::{Map, Value, json};
use teammate::{
    EndReason, Member, MemberName, TeamClient, TeamError, TurnResult, json::request_json,
    platform::now,
};

use super::cut::{cut, cut_all};
use crate::mcp::{ServedTeam, standing::Standing};

/// The most characters of a role, a todo item and the like.
const LINE_CHARS_MAX: usize = 300;

/// The most characters of a result beside other things.
const RESULT_CHARS_MAX: usize = 20_000;

/// The team with its members, and what to do next.
pub(super) async fn team(
    team: &ServedTeam,
    client: &TeamClient,
    standing: Standing,
) -> Result<Map<String, Value>, TeamError> {
    let mut members = Vec::new();
    for one in client.team().members() {
        members.push(member(client, one).await?);
    }
    let mut shown = Map::new();
    let mut put = |name: &str, value: Value| shown.insert(name.to_owned(), value);
    put("state", standing.as_str().into());
    put("team", client.team().name().into());
    put("directory", client.workspace().display().to_string().into());
    if let Some(process) = client.host() {
        put("runs_in", process.into());
    }
    put("members", members.into());
    if client.board().progress().total() > 0 {
        put("tasks", client.board().summary_line().into());
    }
    let questions: Vec<Value> = client
        .team()
        .questions()
        .map(|request| request_json(request))
        .map(|mut request| {
            cut_all(&mut request, LINE_CHARS_MAX);
            request
        })
        .collect();
    if !questions.is_empty() {
        put("requests", questions.into());
    }
    if let Some(next) = next(team, standing) {
        put("next", next.into());
    }
    Ok(shown)
}

async fn member(client: &TeamClient, member: &Member) -> Result<Value, TeamError> {
    let mut shown = json!({
        "name": member.name,
        "role": cut(&member.role, LINE_CHARS_MAX),
        "phase": cut(&client.describe(member), LINE_CHARS_MAX),
    });
    if let Some(doing) = client.doing(member) {
        shown["doing"] = cut(doing, LINE_CHARS_MAX).into();
    }
    if let Some(task) = client.board().task_of(&member.name) {
        shown["task"] = json!(task.id);
    }
    let unread = client.inbox(&member.name).await?.len();
    if unread > 0 {
        shown["unread"] = unread.into();
    }
    Ok(shown)
}

/// The next step of a client, in a sentence for its model.
fn next(team: &ServedTeam, standing: Standing) -> Option<String> {
    let next = match standing {
        Standing::Working => "call wait_for_team again".to_owned(),
        Standing::AsksUser if team.clients_answer => {
            "look at list_requests, answer with answer_request, then call wait_for_team again"
                .to_owned()
        }
        Standing::AsksUser => format!(
            "ask the user to look: members wait for an answer. The user can {}, in that directory. Then call wait_for_team again",
            team.how_to_answer()
        ),
        Standing::Idle => return None,
        Standing::Paused => "start_team with continue: true goes on".to_owned(),
    };
    Some(next)
}

/// How a member's last turn ended, from some character on.
pub(super) fn result(member: &MemberName, found: &TurnResult, offset: usize) -> Value {
    let chars = found.text.chars().count();
    let text: String = found
        .text
        .chars()
        .skip(offset)
        .take(RESULT_CHARS_MAX)
        .collect();
    let end = offset + text.chars().count();
    let (ended, why) = match &found.end {
        EndReason::Done => ("done", None),
        EndReason::Interrupted => ("interrupted", None),
        EndReason::Failed { what } => ("failed", Some(what)),
        EndReason::Limit { what } => ("limit", Some(what)),
        EndReason::Waiting { what } => ("waiting", Some(what)),
    };
    let mut shown = json!({
        "member": member,
        "text": text,
        "ended": ended,
        "seconds_ago": now().millis_since(found.at) / 1000,
    });
    if let Some(why) = why {
        shown["why"] = cut(why, RESULT_CHARS_MAX).into();
    }
    if end < chars {
        shown["next_offset"] = end.into();
        shown["characters"] = chars.into();
    }
    shown
}
