//! What the members of a team do: each word of the user has its reader run a command that says so in a file, and write to another
//! member; tasks of the board are completed.

use serde_json::{Value, json};

/// The teammates. Each writes to the next one, and the lead to the first.
pub(super) const TEAMMATES: [&str; 3] = ["alice", "bob", "carol"];

/// What a word of the user begins with that is worked on.
pub(super) const WORD: &str = "go-";

/// What the first message to the lead says.
pub(super) const BEGIN: &str = "begin";

/// Where commands say what they did, in their worker's directory.
pub(super) const CALLS: &str = "calls";

/// All members.
pub(super) fn members() -> Vec<&'static str> {
    [&["lead"], &TEAMMATES[..]].concat()
}

/// The user's word with this number in this team.
pub(super) fn word(team: &str, number: u64) -> String {
    format!("{WORD}{team}-{number}")
}

/// Whether a word is one of this team's.
pub(super) fn is_of(word: &str, team: &str) -> bool {
    let of_team = word.strip_prefix(WORD).and_then(|of| of.rsplit_once('-'));
    of_team.is_some_and(|(of, _)| of == team)
}

/// What a member writes to the next one when it has this word.
pub(super) fn message(member: &str, word: &str) -> String {
    format!("{member} has {word}")
}

/// The play. `mark` is in the command line of all that members start.
pub(super) fn play(mark: &str) -> Value {
    let mut members = serde_json::Map::new();
    for (at, name) in TEAMMATES.iter().enumerate() {
        let next = TEAMMATES[(at + 1) % TEAMMATES.len()];
        let scenes = [works(name, next, mark), completes(name), otherwise()];
        members.insert((*name).to_owned(), scenes.to_vec().into());
    }
    let lead = [begins(mark), works("lead", TEAMMATES[0], mark), otherwise()];
    members.insert("lead".to_owned(), lead.to_vec().into());
    json!({ "members": members })
}

fn begins(mark: &str) -> Value {
    let spawn = |name: &&str| {
        let input = json!({ "name": name, "role": "worker", "prompt": "Wait for words." });
        json!({ "tool": "spawn_teammate", "input": input })
    };
    let mut calls: Vec<Value> = TEAMMATES.iter().map(spawn).collect();
    // It must end with its worker.
    let long = json!({ "command": format!("sleep 3000.{mark}"), "run_in_background": true });
    calls.push(json!({ "tool": "bash", "input": long }));
    json!({ "when": { "mail_from": "user", "mail_contains": BEGIN }, "calls": calls })
}

fn works(name: &str, next: &str, mark: &str) -> Value {
    let command = format!("echo \"$USER {name} {{{{mail}}}}\" >> {CALLS}; sleep 0.4{mark}");
    json!({
        "when": { "mail_from": "user", "mail_contains": WORD },
        "calls": [
            { "tool": "bash", "input": { "command": command } },
            { "tool": "send_message", "input": { "to": next, "content": message(name, "{{mail}}") } },
        ],
        "repeat": true,
    })
}

fn completes(name: &str) -> Value {
    let input = json!({ "task_id": "{{after:Task #}}", "result": format!("by {name}") });
    json!({
        "when": { "mail_contains": "is yours" },
        "calls": [{ "tool": "complete_task", "input": input }],
        "repeat": true,
    })
}

fn otherwise() -> Value {
    json!({ "when": { "otherwise": true }, "say": "I wait.", "repeat": true })
}
