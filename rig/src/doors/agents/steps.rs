//! What the model has an agent do: call the team's tools, one after the other. It reads in each request how far that is. It knows
//! what the agents do with the tools of a server: show them all, or only their names, to be found by one tool and perhaps called by
//! another.

use serde_json::{Value, json};

use crate::doors::model::{Asked, Next};

/// What the model says at the end.
pub(super) const FINAL_WORDS: &str = "The team has written: Snow on the roof";

/// The team's tools that are called, as an agent finds them by name.
const FOUND: &str = "select:mcp__team__start_team,mcp__team__wait_for_team,mcp__team__send_mail,mcp__team__read_result";

/// The next call of the team's tools, by what the conversation has of their answers; none at the end.
fn step(conversation: &str, wait_seconds: u64) -> Option<(&'static str, Value)> {
    let has = |text: &str| conversation.contains(text);
    let wait = || Some(("wait_for_team", json!({ "timeout_seconds": wait_seconds })));
    // The tool's description names the field, too.
    let has_result = conversation.matches("is_working").count()
        > conversation.matches("is_working says").count();
    match () {
        () if !has("runs_in") => Some(("start_team", json!({ "job": "A haiku" }))),
        () if !has("ada says: Rain on the roof") => wait(),
        () if !has("sent_to") => Some(("send_mail", json!({ "to": "ada", "text": "again" }))),
        () if !has("ada says: Snow on the roof") => wait(),
        () if !has_result => Some(("read_result", json!({ "member": "ada" }))),
        () => None,
    }
}

/// What comes next in this conversation, with waits of so many seconds.
pub(super) fn next(asked: &Asked, wait_seconds: u64) -> Next {
    let step = step(&asked.text, wait_seconds);
    let Some((tool, input)) = step else {
        return Next::Says(FINAL_WORDS);
    };
    if let Some(offered) = asked.offered(tool) {
        return Next::Calls(offered, input);
    }
    if !asked.text.contains("mcp__team__start_team") {
        // A title, say: it is not about the team.
        return Next::Says("ok");
    }
    let finds = asked.offered("ToolSearch").or(asked.offered("tool_search"));
    match (finds, asked.offered("tool_call")) {
        (Some(finds), _) if !asked.text.contains("select:mcp__team") => {
            Next::Calls(finds, json!({ "query": FOUND, "max_results": 8 }))
        }
        (_, Some(calls)) => {
            let name = format!("mcp__team__{tool}");
            Next::Calls(calls, json!({ "name": name, "arguments": input }))
        }
        _ => Next::Says("ok"),
    }
}
