//! The run as one JSON value. Its parts are those that the commands of their own print.

use serde_json::{Value, json};
use teammate::{
    MemberName,
    json::{task_json, whole_request_json},
};
use teammate_view::{Mail, Story};

use super::{WholeRun, entries};
use crate::{commands::conversations, screen::cost_json};

/// Counts changes of this form that a reader has to know of. New fields are not among them.
const VERSION: u32 = 1;

pub(super) fn of(run: &WholeRun) -> Value {
    let (view, team) = (&run.view, run.view.team());
    let conversations = run.conversations.iter();
    let tasks = team.board().tasks().map(|task| task_json(task));
    let requests = team.requests();
    let requests = requests.past().chain(requests.pending());
    json!({
        "version": VERSION,
        "team_id": team.id(),
        "team_name": team.name(),
        "running": run.is_running,
        "until": view.now(),
        "conversations": conversations
            .map(|(line, state)| conversations::as_json(line, state))
            .collect::<Vec<_>>(),
        "members": members(run),
        "mail": view.mail().iter().map(mail).collect::<Vec<_>>(),
        "mail_left_out": view.mail().dropped(),
        "events_left_out": view.unknown_events(),
        "tasks": tasks.collect::<Vec<_>>(),
        "requests": requests.map(|one| whole_request_json(one)).collect::<Vec<_>>(),
        "cost": cost_json(&run.spending, &run.prices),
    })
}

/// Those that are in the team, then those that were.
fn members(run: &WholeRun) -> Vec<Value> {
    let (view, team) = (&run.view, run.view.team());
    let is_gone = |name: &&MemberName| team.member(name).is_none();
    let gone = view.stories().map(|(name, _)| name).filter(is_gone);
    let names = team.members().map(|member| &member.name).chain(gone);
    names.map(|name| member(run, name)).collect()
}

fn member(run: &WholeRun, name: &MemberName) -> Value {
    let story = run.view.story(name);
    let mut value = json!({ "name": name });
    if let Some(member) = run.view.team().member(name) {
        value["role"] = member.role.as_str().into();
        value["status"] = member.phase.status().as_str().into();
        value["phase"] = member.phase.describe().into();
        value["incarnation"] = json!(member.incarnation);
        value["todos"] = json!(member.todos);
    }
    value["model"] = json!(story.and_then(Story::model));
    value["entries_left_out"] = story.map_or(0, Story::dropped).into();
    let numbered = story.into_iter().flat_map(Story::numbered);
    value["entries"] = numbered
        .map(|(number, item)| entries::of(number, item))
        .collect();
    value
}

fn mail(mail: &Mail) -> Value {
    let (acted, did) = mail.receipt.acted().unzip();
    json!({
        "id": mail.id, "at": mail.at, "from": mail.from, "to": mail.to, "type": mail.kind,
        "content": mail.text,
        "receipt": { "state": mail.receipt.word(), "heard": mail.receipt.heard(), "acted": acted, "did": did },
    })
}
