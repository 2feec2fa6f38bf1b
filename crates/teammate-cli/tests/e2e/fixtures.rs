//! Whole team directories as an earlier version of the program left them (`tests/fixtures/teams`), opened by this one.

mod make;
pub(crate) mod tree;

use serde_json::Value;
use teammate_core::{MessageId, transcript::Entry};

use crate::world::World;

/// A copy of a fixture in a world of its own, with the play and the user's key that it was made with.
pub(crate) fn world(state: &str) -> World {
    let world = World::with_model(make::MODEL);
    tree::unpack(&tree::teams().join(state), &world.path(".."));
    tree::unpack(&tree::teams().join("home"), &world.path("../home"));
    world
}

/// How this program comes to open such a directory. All that a change of formats changes in this file.
fn open(world: &World) {
    world
        .teammate(&["team"])
        .ends(1)
        .complains("is not opened")
        .complains("teammate trust --team");
    world.teammate(&["trust", "--team", "--yes"]).ends(0);
    world.teammate(&["team"]).ends(0);
}

fn asked(world: &World, words: &[&str]) -> Value {
    let run = world.teammate(&[words, &["--json"]].concat()).ends(0);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out))
}

/// Fields of the objects in a list, joined by blanks.
fn lines(list: &Value, fields: &[&str]) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
    let list = list.as_array().unwrap();
    let line = |one: &Value| {
        let words: Vec<_> = fields.iter().map(|field| text(&one[field])).collect();
        words.join(" ")
    };
    list.iter().map(line).collect()
}

/// What a fixture must show.
struct Shows {
    state: &'static str,
    /// Names and roles.
    members: &'static [&'static str],
    /// Numbers, states, owners and checks.
    tasks: &'static [&'static str],
    /// Ids, kinds, askers and states of open requests.
    requests: &'static [&'static str],
    /// Mail that nobody has heard yet: whose, and what it says.
    unread: Option<(&'static str, &'static str)>,
    /// Something that a member remembers: whose, and a piece of its mail.
    remembers: (&'static str, &'static str),
}

const ALL: [Shows; 8] = [
    Shows {
        state: "idle",
        members: &["lead lead", "alice coder", "bob tester"],
        tasks: &["1 completed null", "2 completed null", "3 pending null"],
        requests: &[],
        unread: Some(("alice", "one more thing")),
        remembers: ("alice", "bob message: hello from bob"),
    },
    Shows {
        state: "mid-turn",
        members: &["lead lead"],
        tasks: &[],
        requests: &[],
        unread: None,
        remembers: ("lead", "user message: The job"),
    },
    Shows {
        state: "check-running",
        members: &["lead lead", "alice coder"],
        tasks: &["1 in_progress null"],
        requests: &[],
        unread: None,
        remembers: ("alice", "lead task_assignment: Begin"),
    },
    Shows {
        state: "plan-granted",
        members: &["lead lead", "bob coder"],
        tasks: &[],
        requests: &[],
        unread: None,
        remembers: ("bob", "[Plan approved] (req_000001)"),
    },
    Shows {
        state: "question-open",
        members: &["lead lead", "alice coder"],
        tasks: &[],
        requests: &[],
        unread: None,
        remembers: ("alice", "lead task_assignment: Begin"),
    },
    Shows {
        state: "question-approved",
        members: &["lead lead", "alice coder"],
        tasks: &[],
        requests: &[],
        unread: None,
        remembers: ("alice", "lead task_assignment: Begin"),
    },
    Shows {
        state: "worktree",
        members: &["lead lead", "alice coder"],
        tasks: &[],
        requests: &[],
        unread: None,
        remembers: ("lead", "alice idle_notification: committed"),
    },
    Shows {
        state: "background",
        members: &["lead lead"],
        tasks: &[],
        requests: &[],
        unread: None,
        remembers: ("lead", "user message: The job"),
    },
];

#[test]
fn directories_of_an_earlier_version_show_what_they_hold() {
    for shows in ALL {
        let state = shows.state;
        let world = world(state);
        open(&world);
        let team = asked(&world, &["team"]);
        assert_eq!(
            lines(&team["members"], &["name", "role"]),
            shows.members,
            "{state}"
        );
        let tasks = asked(&world, &["tasks"]);
        let tasks = lines(&tasks["tasks"], &["id", "status", "check"]);
        assert_eq!(tasks, shows.tasks, "{state}");
        let open = asked(&world, &["requests"]);
        let open = lines(&open["requests"], &["id", "kind", "from", "state"]);
        assert_eq!(open, shows.requests, "{state}");
        if let Some((owner, text)) = shows.unread {
            world.teammate(&["inbox", owner]).ends(0).says(text);
        }
        let (name, mail) = shows.remembers;
        let heard = world.heard(name);
        assert!(
            heard.iter().any(|known| known.contains(mail)),
            "{state}: {heard:#?}"
        );
        if state == "worktree" {
            world.teammate(&["worktrees"]).ends(0).says("alice");
        }
        world.teammate(&["log"]).ends(0);
        world.teammate(&["cost"]).ends(0);
    }
}

// fast: directories of earlier versions
#[test]
fn directories_of_an_earlier_version_go_on() {
    for Shows { state, .. } in ALL {
        let world = world(state);
        open(&world);
        // What was cut is not cut again.
        std::fs::write(world.path("../go"), "").unwrap();
        world
            .teammate(&[
                "run",
                "--continue",
                "--permission-mode",
                "ask",
                "Say something",
            ])
            .says("I wait.");
        world.assert_at_rest();
        // Nothing that came with the directory runs.
        for ran in ["../ran-check", "../begun"] {
            assert!(!world.path(ran).exists(), "{state}: {ran}");
        }
        let events = world.file(".team/events.jsonl");
        assert!(events.contains("\"resumed\":true"), "{state}");
    }
}

/// The runtime's ids of mail follow from what the mail is about, in these very words: a team that was upgraded with mail
/// under way makes the same ids again.
#[test]
fn ids_of_mail_follow_from_their_causes_as_ever() {
    let world = world("idle");
    let journal = world.json_lines(".team/journal.jsonl");
    let team = journal[0]["events"][0]["id"].as_str().unwrap();
    let id = |cause: &str| MessageId::derived(team.parse().unwrap(), cause);
    let heard = |name: &str| -> Vec<_> {
        let entries = world.entries(name).into_iter();
        let mail = entries.filter_map(|entry| match entry {
            Entry::Heard(mail) => Some(mail),
            _ => None,
        });
        mail.flatten().collect()
    };
    let calls = world
        .entries("bob")
        .into_iter()
        .filter_map(|entry| match entry {
            Entry::Answered(reply) => Some(reply.calls()),
            _ => None,
        });
    let sent = calls
        .flatten()
        .find(|call| call.name == "send_message")
        .unwrap();
    for (name, text, cause) in [
        (
            "alice",
            "hello from bob",
            format!("mail/bob/1/1/{}/alice", sent.id.as_str()),
        ),
        (
            "lead",
            "agreed to shut down",
            "request/2/settled".to_owned(),
        ),
        ("lead", "carol agreed", "terminated/carol/1".to_owned()),
        ("lead", "All 2 tasks are completed", "board/6".to_owned()),
        ("alice", "Begin", "assignment/alice/1".to_owned()),
    ] {
        let heard = heard(name);
        assert!(
            heard
                .iter()
                .any(|mail| mail.content.contains(text) && mail.id == id(&cause)),
            "{cause}: {:#?}",
            heard
                .iter()
                .map(|mail| (&mail.content, &mail.id))
                .collect::<Vec<_>>()
        );
    }
}
