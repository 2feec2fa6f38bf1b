//! What the teams do while their host is killed: plays that bring a team into every state that a verb or a protocol has. Each is
//! over by itself, however often it was cut.

use serde_json::{Value, json};

/// A play, and how the program is called with it.
pub(super) struct Story {
    pub(super) name: &'static str,
    pub(super) play: fn() -> Value,
    /// Permission mode of the team.
    pub(super) mode: &'static str,
    /// Who is there to be written to and stopped.
    pub(super) members: &'static [&'static str],
}

/// All of them.
pub(super) const ALL: &[Story] = &[
    story("mail", mail),
    story("ends", ends),
    story("shutdowns", shutdowns),
    story("plans", plans),
    Story {
        mode: "ask",
        ..story("questions", questions)
    },
    story("worktrees", worktrees),
    story("compaction", compaction),
    story("board", board),
];

const fn story(name: &'static str, play: fn() -> Value) -> Story {
    Story {
        name,
        play,
        mode: "bypass",
        members: &["alice", "bob"],
    }
}

fn mail() -> Value {
    let writes = |who: &str, to: &str| {
        let letter =
            |n: u32| calls(&[("send_message", json!({"to": to, "content": n.to_string()}))]);
        vec![
            step(who, 1),
            letter(1),
            step(who, 2),
            letter(2),
            step(who, 3),
            letter(3),
        ]
    };
    play(
        vec![spawn(&[("alice", json!({})), ("bob", json!({}))])],
        &[
            ("alice", writes("alice", "bob")),
            ("bob", writes("bob", "alice")),
        ],
    )
}

fn ends() -> Value {
    let crew = json!({"team": "crew"});
    play(
        vec![
            calls(&[("create_team", json!({"name": "crew"}))]),
            spawn(&[("alice", crew.clone()), ("bob", crew)]),
            nap(),
            calls(&[("delete_team", json!({"name": "crew"}))]),
        ],
        &[("alice", steps("alice", 6)), ("bob", steps("bob", 6))],
    )
}

fn shutdowns() -> Value {
    let ask = |name: &str, now: bool| ("request_shutdown", json!({"name": name, "now": now}));
    play(
        vec![
            spawn(&[("alice", json!({})), ("bob", json!({}))]),
            nap(),
            calls(&[ask("alice", false), ask("bob", true)]),
            nap(),
            spawn(&[("alice", json!({}))]),
        ],
        &[("alice", steps("alice", 6)), ("bob", steps("bob", 6))],
    )
}

fn plans() -> Value {
    let asked = |scene: Value| when(scene, json!({"mail_type": "plan_approval_request"}));
    let answer = |approve: bool| {
        let input = json!({"request_id": "{{request_id}}", "approve": approve, "feedback": "so"});
        asked(calls(&[("review_plan", input)]))
    };
    let mut yes = answer(true);
    yes["repeat"] = true.into();
    let submit = |n: u32| calls(&[("submit_plan", json!({"plan": format!("Plan {n}")}))]);
    let author = |who: &str| {
        let mut scenes = vec![
            submit(1),
            when(submit(2), json!({"mail_contains": "ejected"})),
        ];
        let granted = json!({"mail_contains": "pproved"});
        scenes.extend(
            steps(who, 2)
                .into_iter()
                .map(|scene| when(scene, granted.clone())),
        );
        scenes
    };
    let gated = json!({"require_plan": true});
    play(
        vec![
            spawn(&[("alice", gated.clone()), ("bob", gated)]),
            answer(false),
            yes,
        ],
        &[("alice", author("alice")), ("bob", author("bob"))],
    )
}

fn questions() -> Value {
    play(
        vec![spawn(&[("alice", json!({})), ("bob", json!({}))])],
        &[("alice", steps("alice", 3)), ("bob", steps("bob", 3))],
    )
}

fn worktrees() -> Value {
    let commit = |n: u32| {
        bash(&format!(
            "echo {n} >> \"$(git branch --show-current | tr / -)\"; git add -A; git commit -qm {n}"
        ))
    };
    let work = || vec![commit(1), commit(2), commit(3)];
    let apart = json!({"worktree": true});
    play(
        vec![spawn(&[("alice", apart.clone()), ("bob", apart)])],
        &[("alice", work()), ("bob", work())],
    )
}

fn compaction() -> Value {
    let summed = |who: &str| {
        let compact = || calls(&[("compact", json!({}))]);
        let mut summary = when(
            json!({"say": "All is well."}),
            json!({"contains": "Write a summary of this conversation"}),
        );
        summary["repeat"] = true.into();
        let first = |scene| when(scene, json!({"mail_from": "lead"}));
        vec![
            summary,
            first(step(who, 1)),
            first(compact()),
            first(compact()),
        ]
    };
    play(
        vec![spawn(&[("alice", json!({})), ("bob", json!({}))])],
        &[("alice", summed("alice")), ("bob", summed("bob"))],
    )
}

fn board() -> Value {
    let task = |n: u32| {
        (
            "create_task",
            json!({"subject": format!("Job {n}"), "description": "Do it."}),
        )
    };
    play(
        vec![
            calls(&[task(1), task(2), task(3), task(4)]),
            spawn(&[("alice", json!({})), ("bob", json!({}))]),
        ],
        &[("alice", Vec::new()), ("bob", Vec::new())],
    )
}

// ─── scenes ───

/// Everybody finishes a task that is theirs, and has a word for everything else.
fn play(lead: Vec<Value>, mates: &[(&str, Vec<Value>)]) -> Value {
    let mut members = serde_json::Map::new();
    let mates = mates.iter().map(|(name, scenes)| (*name, scenes.clone()));
    for (name, scenes) in std::iter::once(("lead", lead)).chain(mates) {
        let done = json!({"task_id": "{{after:Task #}}", "result": "done"});
        let mut mine = when(
            calls(&[("complete_task", done)]),
            json!({"contains": " is yours"}),
        );
        mine["repeat"] = true.into();
        let rest = json!({"when": {"otherwise": true}, "say": "Noted.", "repeat": true});
        let scenes = std::iter::once(mine).chain(scenes).chain([rest]);
        members.insert(name.to_owned(), scenes.collect());
    }
    json!({ "members": members })
}

fn when(mut scene: Value, what: Value) -> Value {
    scene["when"] = what;
    scene
}

fn calls(calls: &[(&str, Value)]) -> Value {
    let calls = calls
        .iter()
        .map(|(tool, input)| json!({"tool": tool, "input": input}));
    json!({"calls": calls.collect::<Vec<_>>(), "pause_ms": 20})
}

fn spawn(who: &[(&str, Value)]) -> Value {
    let spawned = who.iter().map(|(name, terms)| {
        let mut input = json!({"name": name, "role": "worker", "prompt": "Begin"});
        for (key, value) in terms.as_object().into_iter().flatten() {
            input[key] = value.clone();
        }
        ("spawn_teammate", input)
    });
    calls(&spawned.collect::<Vec<_>>())
}

fn bash(command: &str) -> Value {
    calls(&[("bash", json!({"command": command}))])
}

/// A step leaves a line that nothing may leave twice.
fn step(who: &str, n: u32) -> Value {
    bash(&format!("sleep 0.05; echo {n} >> steps-{who}"))
}

fn steps(who: &str, n: u32) -> Vec<Value> {
    (1..=n).map(|n| step(who, n)).collect()
}

fn nap() -> Value {
    bash("sleep 0.2")
}
