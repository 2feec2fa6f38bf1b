//! Members in git worktrees of their own.

use std::{fs, process::Command};

use serde_json::{Value, json};

use crate::{
    play::{bash, calls, play, say},
    world::World,
};

/// Spawns somebody with a worktree.
fn isolated(name: &str, prompt: &str) -> (&'static str, Value) {
    let ask = json!({ "name": name, "role": "coder", "prompt": prompt, "worktree": true });
    ("spawn_teammate", ask)
}

fn finish(name: &str, action: &str) -> Value {
    calls([("finish_worktree", json!({ "name": name, "action": action }))])
}

fn wait() -> Value {
    calls([("wait_for_team", json!({}))])
}

fn git(world: &World, args: &[&str]) -> String {
    let done = Command::new("git")
        .args(args)
        .current_dir(world.work())
        .env_clear()
        .env("PATH", std::env::var("PATH").unwrap())
        .env("HOME", "/nowhere")
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "git {args:?}: {err}");
    String::from_utf8(done.stdout)
        .unwrap()
        .trim_end()
        .to_owned()
}

/// The workspace becomes a repository with one commit.
pub(crate) fn repository(world: &World) {
    git(world, &["init", "-q", "-b", "main"]);
    git(world, &["config", "user.name", "Somebody"]);
    git(world, &["config", "user.email", "somebody@example.org"]);
    fs::write(world.path("hello.txt"), "hello\n").unwrap();
    git(world, &["add", "hello.txt"]);
    git(world, &["commit", "-q", "-m", "hello"]);
}

// fast: the verb worktrees
#[test]
fn two_change_the_same_file_unseen_by_each_other_and_the_lead_brings_it_home() {
    let greets = |word: &str| {
        vec![
            bash(&format!(
                "cat hello.txt && echo {word} > hello.txt && git commit -qam {word} && cat hello.txt"
            )),
            say(&format!("committed {word}")),
        ]
    };
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([
                    isolated("alice", "Greet in French"),
                    isolated("bob", "Greet in German"),
                ]),
                wait(),
                calls([("worktrees", json!({ "action": "list" }))]),
                finish("alice", "merge"),
                finish("bob", "merge"),
                finish("alice", "remove"),
                finish("bob", "remove"),
                say("It is bonjour."),
            ],
        ),
        ("alice", greets("bonjour")),
        ("bob", greets("hallo")),
    ]));
    repository(&world);
    fs::write(world.path("draft.txt"), "mine\n").unwrap();
    world.run("Greet").ends(0).says("It is bonjour.");

    assert_eq!(world.outcomes("alice"), ["hello\nbonjour\nexit status 0"]);
    assert_eq!(world.outcomes("bob"), ["hello\nhallo\nexit status 0"]);
    let told = world.outcomes("lead");
    let told: Vec<&str> = told.iter().map(String::as_str).collect();
    let [alice, bob, _, list, merged, conflict, removed, kept] = told[..] else {
        panic!("{told:?}")
    };
    for (spawned, name) in [(alice, "alice"), (bob, "bob")] {
        assert!(
            spawned.contains(&format!(
                ".team/worktrees/{name}, on branch teammate/{name}"
            )) && spawned.contains("1 file with uncommitted changes; they are not in it"),
            "{spawned}"
        );
    }
    assert_eq!(
        list,
        "alice: branch teammate/alice, 1 ahead, 0 behind, nothing uncommitted\n\
         bob: branch teammate/bob, 1 ahead, 0 behind, nothing uncommitted"
    );
    assert_eq!(merged, "Merged teammate/alice into main: 1 commit");
    assert!(
        conflict.contains("changed the same lines in hello.txt"),
        "{conflict}"
    );
    assert!(removed.starts_with("Removed the worktree 'alice'"));
    assert!(kept.contains("1 commit not merged would be lost"), "{kept}");

    assert_eq!(world.file("hello.txt"), "bonjour\n");
    assert_eq!(git(&world, &["status", "--porcelain"]), "?? draft.txt");
    world.assert_at_rest();

    // The conflict waits for nobody, and is to be seen.
    world
        .teammate(&["needs"])
        .ends(0)
        .says("Nothing waits for you\nTo look at:\nlead could not merge the worktree bob: conflicts in hello.txt\n");
    world
        .teammate(&["needs", "--json"])
        .ends(0)
        .says("\"needs\":[]")
        .says("\"kind\":\"merge_conflict\"")
        .says("\"worktree\":\"bob\"");

    // The user sees and does the same.
    world
        .teammate(&["worktrees"])
        .ends(0)
        .says("bob: branch teammate/bob, 1 ahead, 1 behind, nothing uncommitted\n");
    world
        .teammate(&["worktrees", "--json"])
        .ends(0)
        .says("\"branch\":\"teammate/bob\",\"ahead\":1");
    world
        .teammate(&["worktrees", "diff", "bob"])
        .ends(0)
        .says("+hallo");
    world
        .teammate(&["worktrees", "remove", "bob"])
        .ends(1)
        .complains("1 commit not merged would be lost");
    world
        .teammate(&["worktrees", "merge", "bob"])
        .ends(1)
        .complains("hello.txt");
    git(&world, &["checkout", "-q", "HEAD~1"]);
    git(&world, &["switch", "-q", "-C", "main"]);
    world
        .teammate(&["worktrees", "merge", "bob"])
        .ends(0)
        .says("Merged teammate/bob into main: 1 commit");
    world
        .teammate(&["worktrees", "remove", "bob"])
        .ends(0)
        .says("Removed bob");
    assert_eq!(world.file("hello.txt"), "hallo\n");
    assert_eq!(git(&world, &["branch", "--list", "teammate/*"]), "");
}

#[test]
fn whoever_cannot_have_a_worktree_is_not_spawned() {
    let world = World::playing(&play([(
        "lead",
        vec![
            calls([isolated("alice", "Work")]),
            say("Alone then: {{last_result}}"),
        ],
    )]));
    world
        .run("Go")
        .ends(0)
        .says("is not in a git repository")
        .says("'alice' was not spawned");
    assert_eq!(world.config()["members"], json!([]));
    assert_eq!(world.members(), ["lead"]);
    assert!(!world.path(".team/worktrees").exists());
}

#[test]
fn a_member_whose_worktree_vanished_does_not_work_elsewhere_until_it_is_spawned_again() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([isolated("alice", "Work")]),
                wait(),
                say("done"),
                // Without a word of worktrees: she keeps what she has.
                calls([(
                    "spawn_teammate",
                    json!({ "name": "alice", "role": "coder", "prompt": "Again" }),
                )]),
                wait(),
                say("done again"),
            ],
        ),
        (
            "alice",
            vec![
                bash("echo 1 > one.txt && git add . && git commit -qm one && pwd"),
                say("first"),
                bash("ls && pwd"),
                say("second"),
            ],
        ),
    ]));
    repository(&world);
    world.run("Go").ends(0).says("done");
    let place = world.path(".team/worktrees/alice");
    fs::remove_dir_all(&place).unwrap();

    world
        .run("Again")
        .ends(0)
        .says("done again")
        .complains("is gone; spawn 'alice' again");
    let seen = world.outcomes("alice");
    let place = place.canonicalize().unwrap();
    assert_eq!(
        seen[1],
        format!("hello.txt\none.txt\n{}\nexit status 0", place.display())
    );
    assert!(!world.path("one.txt").exists());
    world.assert_at_rest();

    fs::remove_dir_all(&place).unwrap();
    world.resume().complains("is gone; spawn 'alice' again");
    world.teammate(&["team"]).ends(0).says("alice  failed: ");
    world
        .teammate(&["worktrees"])
        .ends(0)
        .says("its directory is gone");
}

/// A task on the board that is done apart, and somebody who does it.
fn apart(work: Value) -> [(&'static str, Vec<Value>); 2] {
    let task = json!({ "subject": "Greet in French", "worktree": true });
    let alice = json!({ "name": "alice", "role": "coder", "prompt": "Take what there is." });
    [
        (
            "lead",
            vec![
                calls([("create_task", task), ("spawn_teammate", alice)]),
                wait(),
                calls([(
                    "send_message",
                    json!({ "to": "alice", "content": "And at home?" }),
                )]),
                wait(),
                finish("task-1", "merge"),
                say("It is in."),
                say("Still in."),
            ],
        ),
        (
            "alice",
            vec![
                say("ready"),
                work,
                calls([(
                    "complete_task",
                    json!({ "task_id": 1, "result": "bonjour" }),
                )]),
                bash("cat hello.txt"),
                say("done"),
                bash("cat hello.txt"),
                say("as I said"),
            ],
        ),
    ]
}

#[test]
fn a_task_is_done_in_a_worktree_of_its_own_and_its_owner_comes_home_when_its_turn_ends() {
    let work = bash("pwd && echo bonjour > hello.txt && git commit -qam bonjour");
    let world = World::playing(&play(apart(work)));
    repository(&world);
    world.run("Greet").ends(0);
    let alice = world.outcomes("alice");
    assert!(
        alice[0].contains(".team/worktrees/task-1\n"),
        "{}",
        alice[0]
    );
    assert!(alice[1].starts_with("Completed #1"), "{}", alice[1]);
    assert!(
        alice[1].ends_with("Your tools stay in its worktree until your turn ends."),
        "{}",
        alice[1]
    );
    assert_eq!(alice[2], "bonjour\nexit status 0", "still there");
    assert_eq!(
        alice[3], "hello\nexit status 0",
        "at home nothing has changed"
    );
    let lead = world.outcomes("lead");
    assert!(
        lead.iter()
            .any(|told| told == "Merged teammate/task-1 into main: 1 commit"),
        "{lead:?}"
    );
    assert_eq!(
        fs::read_to_string(world.path("hello.txt")).unwrap(),
        "bonjour\n"
    );
}

/// A task apart, in which two files are made and one is committed; then it is completed with each of these inputs.
fn completed<const N: usize>(inputs: [Value; N]) -> World {
    let task = json!({ "subject": "Greet in French", "worktree": true });
    let alice = json!({ "name": "alice", "prompt": "Take what there is." });
    let mut work = vec![
        say("ready"),
        bash(
            "echo bonjour > hello.txt && git commit -qam bonjour && echo oui > t2.txt && echo non > t3.txt",
        ),
    ];
    work.extend(inputs.map(|input| {
        let tool = if input.get("status").is_some() {
            "update_task"
        } else {
            "complete_task"
        };
        calls([(tool, input)])
    }));
    work.extend([say("done"), say("as I said")]);
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([("create_task", task), ("spawn_teammate", alice)]),
                wait(),
                say("I see."),
                say("I see again."),
            ],
        ),
        ("alice", work),
    ]));
    repository(&world);
    world
}

#[test]
fn a_task_is_not_completed_over_files_that_nobody_has_committed_unless_the_call_says_so() {
    let status = json!({ "task_id": 1, "status": "completed", "result": "bonjour" });
    let plain = json!({ "task_id": 1, "result": "bonjour" });
    let knowing = json!({ "task_id": 1, "result": "bonjour", "leave_uncommitted": true });
    let world = completed([plain, status, knowing]);
    world.run("Greet").ends(0);
    let alice = world.outcomes("alice");
    for refused in &alice[1..3] {
        assert_eq!(
            refused,
            "Error: #1 is not completed: 2 files are not committed in its worktree: t2.txt, t3.txt. Either commit them there (git \
             add, git commit) and complete it again, or complete it with leave_uncommitted: true; then they stay in the worktree, \
             and are not merged with its branch"
        );
    }
    assert!(alice[3].starts_with("Completed #1"), "{}", alice[3]);
    assert_eq!(world.file(".team/worktrees/task-1/t2.txt"), "oui\n");
    assert!(!world.path("t2.txt").exists());
}

#[test]
fn the_person_completes_a_task_over_uncommitted_files_and_is_told_which() {
    let world = completed([json!({ "task_id": 1, "result": "bonjour" })]);
    world.run("Greet");
    world
        .teammate(&["tasks", "complete", "1", "--result", "good enough"])
        .ends(0)
        .complains("note: not committed in .team/worktrees/task-1, so a merge leaves it out: t2.txt, t3.txt");
}

#[test]
fn where_no_worktree_can_be_had_a_task_that_asks_for_one_is_not_done_elsewhere() {
    let work = bash("echo bonjour > hello.txt");
    let world = World::playing(&play(apart(work)));
    // No repository.
    world.run("Greet");
    let alice = world.outcomes("alice");
    assert!(
        alice[0].starts_with("Not run: the worktree of #1 could not be made")
            && alice[0].ends_with("#1 went back to the board."),
        "{}",
        alice[0]
    );
    assert!(!world.path("hello.txt").exists());
}
